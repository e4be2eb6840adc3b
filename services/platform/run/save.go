package run

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/services/platform/project"
)

// save writes a locked run that a transition changed, with what happened, and
// counts it in its project's usage where it ended or was queued by a command.
// Others are told once the transaction is committed.
func save(ctx context.Context, tx pgx.Tx, was State, r Run, now time.Time, happened ...happening) error {
	if err := update(ctx, tx, r); err != nil {
		return err
	}
	return tell(ctx, tx, was, r, now, happened...)
}

// tell is save for a run that is written already.
func tell(ctx context.Context, tx pgx.Tx, was State, r Run, now time.Time, happened ...happening) error {
	switch {
	case r.State == Queued && was != Queued:
		if err := notifyQueued(ctx, tx); err != nil {
			return err
		}
	case r.State == Cancelling && was != Cancelling:
		if err := notifyCancelled(ctx, tx, r.ID); err != nil {
			return err
		}
	}
	for _, h := range happened {
		if err := appendEvent(ctx, tx, r, h, now); err != nil {
			return err
		}
	}
	if use := useOf(was, r); use != (project.Use{}) {
		return project.Count(ctx, tx, r.Project, use)
	}
	return nil
}

// unborn is the state of a run before its submission.
const unborn State = ""

// useOf is what a transition adds to the usage of a project.
func useOf(was State, r Run) (u project.Use) {
	if r.State == Queued && (was == unborn || was.Finished()) {
		u.Started = 1
	}
	if was.Finished() || !r.State.Finished() {
		return u
	}
	switch r.State {
	case Succeeded:
		u.Succeeded = 1
	case Failed:
		u.Failed = 1
	case Cancelled:
		u.Cancelled = 1
	}
	if r.StartedAt != nil {
		u.Took = r.FinishedAt.Sub(*r.StartedAt)
	}
	return u
}
