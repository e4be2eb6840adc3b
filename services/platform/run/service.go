package run

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/hpc"
	"github.com/pharos-mcp/pharos/services/platform/pipeline"
)

// Config says what runs need.
type Config struct {
	Pool *pgxpool.Pool
	Door *command.Door
	Log  *slog.Logger // nil logs nothing
	Now  func() time.Time
	// Executor executes runs in this process while Run is called.
	Executor ExecutorConfig
}

// Runs are the runs of all projects. They are safe for concurrent use.
type Runs struct {
	pool     *pgxpool.Pool
	door     *command.Door
	log      *slog.Logger
	clock    clock
	hub      *hub
	executor *executor
}

// New returns the runs of a database.
func New(c Config) *Runs {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	s := &Runs{pool: c.Pool, door: c.Door, log: c.Log, clock: clock{c.Now, time.After}, hub: newHub()}
	s.executor = newExecutor(s.pool, s.log, s.clock, c.Executor)
	return s
}

// Run listens to what other processes do and executes runs, until ctx ends.
// Then it gives back what it has not ended, and ends the streams of events. It
// is called once.
func (s *Runs) Run(ctx context.Context) {
	context.AfterFunc(ctx, s.hub.close) // without waiting for the executor
	heard := make(chan struct{})
	go func() {
		defer close(heard)
		listen(ctx, s.pool, s.log, ears{
			queued: s.executor.wake, cancelled: s.executor.cancel, happened: s.hub.wake,
			missed: func() { s.executor.wake(); s.hub.wakeAll() },
		})
	}()
	s.executor.run(ctx)
	<-heard
}

// Submission is what a run is made of.
type Submission struct {
	Pipeline   uuid.UUID
	Version    int64
	Queue      string
	Parameters map[string]string
}

// result is that of a command which answers with its outcome alone.
type result = command.Result[command.None]

// Submit queues a run of a published version. The detail says what of its
// parameters is wrong, where the outcome says that they are.
func (s *Runs) Submit(
	ctx context.Context, c command.Command, m Submission,
) (o command.Outcome, detail string, err error) {
	if err := pipeline.CheckArguments(m.Parameters); err != nil {
		return command.Outcome{}, "", err
	}
	if m.Parameters == nil {
		m.Parameters = map[string]string{}
	}
	party := access.From(ctx).Party
	r, err := command.Do(ctx, s.door, c, m, func(ctx context.Context, tx pgx.Tx, now time.Time) (result, error) {
		use, reason, err := pipeline.Use(ctx, tx, m.Pipeline, m.Version, party)
		switch {
		case err != nil:
			return result{}, err
		case reason != "":
			return rejected(0, reason), nil
		case c.Expected != 0:
			return rejected(0, command.StaleRevision), nil
		}
		if _, found, err := originOf(ctx, tx, c.ID); err != nil || found {
			return rejected(0, command.AlreadyExists), err
		}
		steps, refusal := use.Definition.Resolve(m.Parameters)
		if refusal.Reason != "" {
			return rejected(0, refusal.Reason), nil
		}
		if reason, err := hpc.Admit(ctx, tx, m.Queue); err != nil || reason != "" {
			return rejected(0, reason), err
		}
		r := Run{
			ID: c.ID, Project: use.Project, Pipeline: m.Pipeline, Version: m.Version, Queue: m.Queue, Parameters: m.Parameters,
			State: Queued, Revision: 1, Attempt: 1, Steps: int64(len(steps)), SubmittedBy: party, CreatedAt: now, QueuedAt: now,
		}
		if made, err := insert(ctx, tx, r); err != nil || !made {
			return rejected(0, command.AlreadyExists), err
		}
		return command.Accepted(1, command.None{}), tell(ctx, tx, unborn, r, now, happening{kind: Submitted})
	})
	if err == nil && r.Rejection == pipeline.ParametersInvalid {
		detail, err = s.explain(ctx, m)
	}
	return r.Outcome, detail, err
}

// explain finds out once more what is wrong with parameters, for an answer that
// may come out of a receipt: a version never changes.
func (s *Runs) explain(ctx context.Context, m Submission) (string, error) {
	definition, _, err := pipeline.DefinitionOf(ctx, s.pool, m.Pipeline, m.Version)
	if err != nil {
		return "", err
	}
	_, refusal := definition.Resolve(m.Parameters)
	return refusal.Detail, nil
}

// rejected is a rejection with the status that its kind has.
func rejected(version int64, reason command.Rejection) result {
	switch reason {
	case pipeline.ParametersInvalid, pipeline.VersionNotPublished, hpc.Unknown:
		return command.Unfit[command.None](version, reason)
	default:
		return command.Rejected[command.None](version, reason)
	}
}
