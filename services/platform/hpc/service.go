package hpc

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

// Queues serves the queues. It is safe for concurrent use.
type Queues struct {
	pool *pgxpool.Pool
	now  func() time.Time
}

// New returns the queues of a database, measured at the times that now gives.
func New(pool *pgxpool.Pool, now func() time.Time) *Queues { return &Queues{pool, now} }

// Get finds a queue.
func (q *Queues) Get(ctx context.Context, name string) (Queue, error) {
	found, err := find(ctx, q.pool, name)
	if err != nil {
		return Queue{}, err
	}
	if found == nil {
		return Queue{}, fault.New(fault.NotFound, "there is no such queue")
	}
	all, err := q.whole(ctx, []Queue{*found})
	if err != nil {
		return Queue{}, err
	}
	return all[0], nil
}

// List gives a page of the queues by name, those in a state unless it is "",
// and the cursor of the page that follows, if one does.
func (q *Queues) List(ctx context.Context, state State, p page.Page) ([]Queue, *string, error) {
	rows, err := list(ctx, q.pool, state, p)
	if err != nil {
		return nil, nil, err
	}
	rows, next := page.Next(p, rows, func(q Queue) page.Key { return page.Key{Name: q.Name} })
	rows, err = q.whole(ctx, rows)
	return rows, next, err
}

// whole adds the partitions and the time. Partitions do not change while the
// service runs, so that they need not be of the same moment.
func (q *Queues) whole(ctx context.Context, rows []Queue) ([]Queue, error) {
	if err := addPartitions(ctx, q.pool, rows); err != nil {
		return nil, err
	}
	measured := pg.Time(q.now())
	for i := range rows {
		rows[i].Measured = measured
	}
	return rows, nil
}

// Admit tells in a transaction that is to queue a run why the queue does not
// take it, or "". Nothing is locked: runs that are submitted at one moment may
// exceed the queue's limit by their number.
func Admit(ctx context.Context, tx pgx.Tx, name string) (command.Rejection, error) {
	r, err := roomOf(ctx, tx, name)
	switch {
	case err != nil:
		return "", err
	case r == nil:
		return Unknown, nil
	case r.state != Open:
		return NotOpen, nil
	case r.free <= 0:
		return Full, nil
	}
	return "", nil
}
