package operation

import (
	"context"
	"errors"
	"time"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// errClosing ends the worker: the engine closes.
var errClosing = errors.New("the engine is closing")

// The pauses before the journal is asked again.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = 2 * time.Second
)

// settle calls the journal until it answers. A call of which nobody knows what
// became of it is made again too: it has the same effect as once. It gives up
// only where the engine closes.
func settle[T any](e *Engine, what string, call func(context.Context) (T, error)) (T, error) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		v, err := call(context.WithoutCancel(e.closing))
		if err == nil || !passing(err) {
			return v, err
		}
		e.Log.Warn("the journal does not answer, the operation waits for it", "step", what, "error", err)
		if e.Clock.Sleep(e.closing, pause) != nil {
			return v, errClosing
		}
	}
}

// passing tells of an error that says nothing about what was asked.
func passing(err error) bool {
	return fault.CodeOf(err) == fault.Unavailable || errors.Is(err, context.DeadlineExceeded)
}
