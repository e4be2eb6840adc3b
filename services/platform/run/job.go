package run

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/pipeline"
)

// Why a job stops before its run has ended.
var (
	errCancelled = errors.New("the run is to be cancelled")
	errStopping  = errors.New("the executor stops")
	errLost      = errors.New("the run is no longer this executor's")
	errOvertime  = errors.New("the run takes longer than its queue allows")
)

// job is a run that this executor has, or is about to have.
type job struct {
	run  uuid.UUID // uuid.Nil while it is being taken up
	stop context.CancelCauseFunc
}

// task is what a job does.
type task struct {
	Run
	lease uuid.UUID
	steps []pipeline.Step // from the first one, done or not
	limit time.Duration
}

// take takes up the run that has waited longest in a queue that lets it go on,
// and begins to execute it. It reports whether there was one.
func (e *executor) take(ctx context.Context) (bool, error) {
	lease := uuid.New()
	// The job is there before the run is taken up, so that beat never takes the
	// run for one that nobody here knows of.
	work, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	j := &job{stop: stop}
	e.keep(lease, j)
	t, found, err := e.claim(ctx, lease)
	if err != nil || !found {
		stop(nil)
		e.drop(lease)
		return false, err
	}
	e.mu.Lock()
	j.run = t.ID
	e.mu.Unlock()
	e.jobs.Go(func() {
		e.execute(work, t)
		stop(nil)
		e.drop(lease)
		e.wake()
	})
	return true, nil
}

// maxQueues bounds the queues that are tried for one run.
const maxQueues = 50

// claim gives the next run to this executor under a lease.
func (e *executor) claim(ctx context.Context, lease uuid.UUID) (t task, found bool, err error) {
	names, err := queuesWaiting(ctx, e.pool, maxQueues)
	for _, name := range names {
		if t, found, err = e.claimFrom(ctx, name, lease); err != nil || found {
			break
		}
	}
	return t, found, err
}

func (e *executor) claimFrom(ctx context.Context, name string, lease uuid.UUID) (task, bool, error) {
	t, found := task{lease: lease}, false
	err := pg.Write(ctx, e.pool, func(ctx context.Context, tx pgx.Tx) error {
		if found { // and nobody told whether it was committed
			r, there, err := lock(ctx, tx, t.ID)
			if err != nil || there && r.heldUnder(lease) {
				return err
			}
			found = false
		}
		if is, err := known(ctx, tx, e.id); err != nil || !is {
			return err
		}
		r, q, is, err := next(ctx, tx, name)
		if err != nil || !is {
			return err
		}
		definition, _, err := pipeline.DefinitionOf(ctx, tx, r.Pipeline, r.Version)
		if err != nil {
			return err
		}
		steps, refusal := definition.Resolve(r.Parameters)
		now, was := e.clock.time(), r.State
		happened := []happening{r.take(hold{e.id, lease}, now)}
		if int64(len(steps)) != r.Steps { // the rules have changed since it was submitted
			happened = append(happened, r.end(Failed, "its parameters no longer fit: "+refusal.Detail, now))
		}
		t.Run, t.steps, t.limit, found = r, steps, q.duration, true
		return save(ctx, tx, was, r, now, happened...)
	})
	return t, found && err == nil, err
}

// execute executes what of a run is not done, and ends it or gives it back.
func (e *executor) execute(ctx context.Context, t task) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watched, over := make(chan struct{}), e.clock.after(t.StartedAt.Add(t.limit).Sub(e.clock.time()))
	defer close(watched)
	go func() {
		select {
		case <-watched:
		case <-over:
			cancel(errOvertime)
		}
	}()
	for t.State == Running {
		at := e.clock.time()
		s := t.steps[t.StepsDone]
		output, failed, err := execute(ctx, e.clock, s)
		if err == nil {
			err = e.record(&t, step{
				t.Attempt, t.StepsDone + 1, s.Name, s.Kind, failed, output, at, e.clock.time(),
			})
		}
		if err != nil {
			e.abandon(t, err)
			return
		}
	}
	if t.State == Cancelling { // that its last step was written was learnt only later
		e.abandon(t, errCancelled)
	}
}

// record writes what a step gave, and what becomes of the run by it.
func (e *executor) record(t *task, s step) error {
	return e.insist(func() error {
		return e.fenced(t.ID, t.lease, func(ctx context.Context, tx pgx.Tx, r *Run, now time.Time) ([]happening, error) {
			if r.StepsDone >= s.Number { // written before, though nobody told so
				t.Run = *r
				return nil, nil
			}
			happened := r.done(s, now)
			t.Run = *r
			return happened, insertStep(ctx, tx, r.ID, s)
		})
	})
}

// abandon ends a job whose run has not ended.
func (e *executor) abandon(t task, why error) {
	var err error
	switch {
	case errors.Is(why, errLost):
	case errors.Is(why, errOvertime):
		err = e.insist(func() error {
			return e.fenced(t.ID, t.lease, func(_ context.Context, _ pgx.Tx, r *Run, now time.Time) ([]happening, error) {
				return []happening{r.expire(t.limit, now)}, nil
			})
		})
	default:
		err = e.insist(func() error { return e.giveBack(t.ID, t.lease) })
	}
	if err != nil && !errors.Is(err, errLost) {
		e.log.Warn("letting a run go", "run", t.ID, "error", err)
	}
}

// giveBack takes a run from this executor, if it still has it.
func (e *executor) giveBack(id, lease uuid.UUID) error {
	err := e.fenced(id, lease, func(_ context.Context, _ pgx.Tx, r *Run, now time.Time) ([]happening, error) {
		return []happening{r.release(false, now)}, nil
	})
	if errors.Is(err, errLost) {
		return nil
	}
	return err
}

// fenced changes a run that this executor has under a lease. It fails with
// errLost once that is over.
func (e *executor) fenced(
	id, lease uuid.UUID, apply func(ctx context.Context, tx pgx.Tx, r *Run, now time.Time) ([]happening, error),
) error {
	return pg.Write(context.Background(), e.pool, func(ctx context.Context, tx pgx.Tx) error {
		r, found, err := lock(ctx, tx, id)
		if err != nil {
			return err
		}
		if !found || !r.heldUnder(lease) {
			return errLost
		}
		now, was := e.clock.time(), r.State
		happened, err := apply(ctx, tx, &r, now)
		if err != nil || len(happened) == 0 {
			return err
		}
		return save(ctx, tx, was, r, now, happened...)
	})
}

// insist repeats a write that fails, until others may believe this executor
// dead: a database that is restarted loses no step that was executed.
func (e *executor) insist(write func() error) error {
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		err := write()
		if err == nil || errors.Is(err, errLost) {
			return err
		}
		e.mu.Lock()
		over := !e.alive.After(e.clock.time())
		e.mu.Unlock()
		if over {
			return errors.Join(errLost, err)
		}
		<-time.After(pause)
	}
}
