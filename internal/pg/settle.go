package pg

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrUnsettled is a write of which nobody knows whether it was committed. The
// same write, repeated with its key, finds out.
var ErrUnsettled = errors.New("nobody knows whether it was committed")

// The repetitions of a transaction that had no effect.
const (
	mostCollisions = 3 // of transactions that collided with others
	mostLosses     = 1 // of connections that turned out to be dead
)

// The pauses before an unknown outcome is asked for again.
const (
	firstPause = 5 * time.Millisecond
	lastPause  = 500 * time.Millisecond
)

// settle runs the transaction until its outcome is known or ctx ends.
func (r runner) settle(ctx context.Context, conn *pgxpool.Conn) error {
	collisions, losses := 0, 0
	for {
		end, err := r.once(ctx, conn)
		switch {
		case end == done:
			return nil
		case end == unknown:
			return r.ask(ctx, err)
		case ctx.Err() != nil:
			return Fault(ended(ctx, err))
		case end == lost && losses < mostLosses:
			// The server may have been started again: the others are dead too.
			losses++
			r.pool.Reset()
		case collided(err) && collisions < mostCollisions:
			collisions++
		default:
			return Fault(err)
		}
		if conn, err = r.acquire(ctx); err != nil {
			return Fault(ended(ctx, err))
		}
	}
}

// ask finds out what became of a commit by running the transaction again,
// until a run says so: it succeeds, or fails for a reason of its own.
func (r runner) ask(ctx context.Context, err error) error {
	r.pool.Reset()
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		conn, failure := r.acquire(ctx)
		if failure == nil {
			var end ending
			end, failure = r.once(ctx, conn)
			if end == done {
				return nil
			}
			if end == failed && !transient(failure) {
				return Fault(failure)
			}
		}
		select {
		case <-ctx.Done():
			return unsettled(errors.Join(err, failure))
		case <-time.After(pause):
		}
	}
}

// ended tells a transaction that took too long from one whose caller went.
func ended(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errSlow) {
		return errors.Join(errSlow, err)
	}
	return err
}

// collided tells that a transaction was rolled back only because of another.
func collided(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (e.Code == serializationFailure || e.Code == deadlockDetected)
}
