package run

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/hpc"
	"github.com/pharos-mcp/pharos/services/platform/pipeline"
	"github.com/pharos-mcp/pharos/services/platform/project"
)

// Cancel asks a run to stop. One that is queued ends at once, one that runs
// when its executor learns of it. It works in an archived project too.
func (s *Runs) Cancel(ctx context.Context, c command.Command) (command.Outcome, error) {
	enter := func(ctx context.Context, tx pgx.Tx, from origin, party uuid.UUID) (command.Rejection, error) {
		reason, err := work(ctx, tx, from, party)
		if reason == project.Archived {
			reason = ""
		}
		return reason, err
	}
	return s.on(ctx, c, enter, func(ctx context.Context, tx pgx.Tx, r Run, now time.Time) (result, error) {
		was := r.State
		reason, happened := r.cancel(now)
		if reason != "" {
			return rejected(r.Revision, reason), nil
		}
		return accept(ctx, tx, was, r, now, happened)
	})
}

// Retry queues a run that failed or was cancelled again, as a new attempt.
func (s *Runs) Retry(ctx context.Context, c command.Command) (command.Outcome, error) {
	again := func(ctx context.Context, tx pgx.Tx, from origin, party uuid.UUID) (command.Rejection, error) {
		if reason, err := work(ctx, tx, from, party); err != nil || reason != "" {
			return reason, err
		}
		_, reason, err := pipeline.Use(ctx, tx, from.pipeline, from.version, party)
		return reason, err
	}
	return s.on(ctx, c, again, func(ctx context.Context, tx pgx.Tx, r Run, now time.Time) (result, error) {
		was := r.State
		reason, happened := r.retry(now)
		if reason != "" {
			return rejected(r.Revision, reason), nil
		}
		if reason, err := hpc.Admit(ctx, tx, r.Queue); err != nil || reason != "" {
			return rejected(r.Revision, reason), err
		}
		return accept(ctx, tx, was, r, now, happened)
	})
}

// Delete deletes a run that has ended, with its steps and events.
func (s *Runs) Delete(ctx context.Context, c command.Command) (command.Outcome, error) {
	return s.on(ctx, c, work, func(ctx context.Context, tx pgx.Tx, r Run, _ time.Time) (result, error) {
		if reason := r.discard(); reason != "" {
			return rejected(r.Revision, reason), nil
		}
		return command.Applied(r.Revision+1, command.None{}), remove(ctx, tx, r.ID)
	})
}

// accept ends a command that changed the state of a locked run.
func accept(ctx context.Context, tx pgx.Tx, was State, r Run, now time.Time, happened happening) (result, error) {
	r.Revision++
	return command.Accepted(r.Revision, command.None{}), save(ctx, tx, was, r, now, happened)
}

// work enters the project of a run for who submitted it, and for the
// maintainers.
func work(ctx context.Context, tx pgx.Tx, from origin, party uuid.UUID) (command.Rejection, error) {
	least := project.Member
	if from.party != party {
		least = project.Maintainer
	}
	return project.Enter(ctx, tx, from.project, party, least)
}

// on applies a command to a run that is there and at the expected revision.
func (s *Runs) on(
	ctx context.Context, c command.Command,
	enter func(ctx context.Context, tx pgx.Tx, from origin, party uuid.UUID) (command.Rejection, error),
	apply func(ctx context.Context, tx pgx.Tx, r Run, now time.Time) (result, error),
) (command.Outcome, error) {
	party := access.From(ctx).Party
	r, err := command.Do(ctx, s.door, c, nil, func(ctx context.Context, tx pgx.Tx, now time.Time) (result, error) {
		from, found, err := originOf(ctx, tx, c.ID)
		if err != nil || !found {
			return rejected(0, command.NotFound), err
		}
		if reason, err := enter(ctx, tx, from, party); err != nil || reason != "" {
			return rejected(0, reason), err
		}
		run, found, err := lock(ctx, tx, c.ID)
		switch {
		case err != nil || !found:
			return rejected(0, command.NotFound), err
		case run.Revision != c.Expected:
			return rejected(run.Revision, command.StaleRevision), nil
		}
		return apply(ctx, tx, run, now)
	})
	return r.Outcome, err
}
