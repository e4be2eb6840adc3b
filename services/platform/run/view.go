package run

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// The most that a view of the executors gives.
const (
	maxExecutors = 1000
	maxDepth     = 10_000
)

// Live is an executor that lives.
type Live struct {
	ID         uuid.UUID
	Name       string // the host and the process
	Slots      int64  // how many runs it executes at a time
	Running    int64
	StartedAt  time.Time
	AliveUntil time.Time // unless it says otherwise before
}

// Executors gives the executors that live, the oldest first, and how many runs
// wait in the queue, counted up to 10,000.
func (s *Runs) Executors(ctx context.Context) (live []Live, queued int64, err error) {
	if live, err = liveAt(ctx, s.pool, s.clock.time()); err != nil {
		return nil, 0, err
	}
	queued, err = depth(ctx, s.pool)
	return live, queued, err
}
