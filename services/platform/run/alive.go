package run

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/internal/pg"
)

// leavingTime bounds what an executor does for the others when it stops.
const leavingTime = 5 * time.Second

// sweepSize bounds how many runs of dead executors are queued again, and how
// many dead executors are forgotten, after one sign of life.
const sweepSize = 100

// keepAlive gives signs of life until ctx ends, and looks after what others
// left.
func (e *executor) keepAlive(ctx context.Context) {
	tick := time.NewTicker(e.Beat)
	defer tick.Stop()
	for {
		if err := e.beat(ctx); err != nil && ctx.Err() == nil {
			e.log.WarnContext(ctx, "giving a sign of life", "error", err)
		} else if err := e.sweep(ctx); err != nil && ctx.Err() == nil {
			e.log.WarnContext(ctx, "looking after the runs of others", "error", err)
		}
		e.letGoWhatIsLost()
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// beat gives a sign of life, and compares what the database says this executor
// holds with what it does hold: it learns of cancellations whose notice was
// lost, and gives back what it took up without learning of it.
func (e *executor) beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, e.Lease)
	defer cancel()
	until := e.clock.time().Add(e.Lease)
	live := Live{ID: e.id, Name: e.Name, Slots: int64(e.Slots), StartedAt: e.started, AliveUntil: until}
	if err := beat(ctx, e.pool, live); err != nil {
		return err
	}
	e.mu.Lock()
	revived := !e.alive.After(e.clock.time())
	e.alive = until
	e.mu.Unlock()
	if revived {
		e.wake()
	}
	runs, err := heldBy(ctx, e.pool, e.id, int32(2*e.Slots))
	if err != nil {
		return err
	}
	for _, r := range runs {
		j := e.jobUnder(r.held.lease)
		switch {
		case j == nil:
			err = e.giveBack(r.ID, r.held.lease)
		case r.State == Cancelling:
			j.stop(errCancelled)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (e *executor) jobUnder(lease uuid.UUID) *job {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.held[lease]
}

// letGoWhatIsLost stops all runs once nobody can believe this executor alive:
// others may have taken them up.
func (e *executor) letGoWhatIsLost() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.clock.time().After(e.alive) {
		for _, j := range e.held {
			j.stop(errLost)
		}
	}
}

// sweep queues the runs of dead executors again, and forgets the executors.
func (e *executor) sweep(ctx context.Context) error {
	for range sweepSize {
		again := false
		err := pg.Write(ctx, e.pool, func(ctx context.Context, tx pgx.Tx) error {
			now := e.clock.time()
			r, found, err := lockOrphaned(ctx, tx, now)
			if again = found; err != nil || !found {
				return err
			}
			was := r.State
			happened := r.release(true, now)
			return save(ctx, tx, was, r, now, happened)
		})
		if err != nil {
			return err
		}
		if !again {
			break
		}
	}
	return forgetDead(ctx, e.pool, e.clock.time(), sweepSize)
}

// leave tells the others that this executor is gone.
func (e *executor) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), leavingTime)
	defer cancel()
	if err := forget(ctx, e.pool, e.id); err != nil {
		e.log.WarnContext(ctx, "leaving", "error", err)
	}
}
