package run

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// queue is what an executor must know of the queue that it takes a run from.
type queue struct {
	closed   bool          // executes none
	going    int64         // how many runs may go on at once
	duration time.Duration // how long an attempt may take
}

// next locks the run that is next in a queue, unless as many go on as may. That
// is exact: until the end of the transaction nobody else takes one.
func next(ctx context.Context, tx pgx.Tx, name string) (Run, queue, bool, error) {
	q, found, err := lockQueue(ctx, tx, name)
	if err != nil || !found || q.closed {
		return Run{}, q, false, err
	}
	going, err := countGoing(ctx, tx, name, q.going)
	if err != nil || going >= q.going {
		return Run{}, q, false, err
	}
	r, found, err := lockQueued(ctx, tx, name)
	return r, q, found, err
}
