package operation

import (
	"context"
	"time"
)

// The pace of a build: one slice a tick (W-15).
const (
	SliceBlocks = 512                   // the most of a slice
	Tick        = 50 * time.Millisecond // from one slice to the next
	editTime    = 5 * time.Millisecond  // within an edit; what is not reached is left to a later slice
	editStride  = 64                    // blocks between two looks at the clock
)

// Clock is what the engine waits by.
type Clock interface {
	Now() time.Time
	// Sleep returns after d, or as soon as ctx ends with its error.
	Sleep(ctx context.Context, d time.Duration) error
}

// clock is the computer's.
type clock struct{}

func (clock) Now() time.Time { return time.Now() }

func (clock) Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pace remembers when the last slice began.
type pace struct{ last time.Time }

// tick waits for the next slice's turn. It does not wait where the last slice
// took longer than a tick, and makes up for no lost one.
func (e *Engine) tick(ctx context.Context) error {
	if e.Unpaced {
		return ctx.Err()
	}
	if wait := e.pacing.last.Add(Tick).Sub(e.Clock.Now()); wait > 0 {
		if err := e.Clock.Sleep(ctx, wait); err != nil {
			return err
		}
	}
	e.pacing.last = e.Clock.Now()
	return ctx.Err()
}

// late tells that an edit which began at start has to end, n blocks into it.
func (e *Engine) late(start time.Time, n int) bool {
	return !e.Unpaced && n > 0 && n%editStride == 0 && e.Clock.Now().Sub(start) >= editTime
}
