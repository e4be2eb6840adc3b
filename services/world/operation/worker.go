package operation

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/crashpoint"
	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// tell wakes all who watch.
func (e *Engine) tell() {
	e.mu.Lock()
	defer e.mu.Unlock()
	close(e.changed)
	e.changed = make(chan struct{})
}

// watch gives a channel that is closed at the next change. What is looked at
// after it was taken is not missed.
func (e *Engine) watch() <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.changed
}

// enqueue has the worker do an operation, if it has not done it yet.
func (e *Engine) enqueue(id uuid.UUID) {
	e.mu.Lock()
	e.begun = append(e.begun, id)
	e.mu.Unlock()
	e.tell()
}

// seek has the worker look for an operation that began although its caller was
// told nothing.
func (e *Engine) seek() {
	e.mu.Lock()
	e.lost = true
	e.mu.Unlock()
	e.tell()
}

// work does one operation after the other until the engine closes.
func (e *Engine) work() {
	defer close(e.done)
	defer e.tell()
	for {
		changed := e.watch()
		if e.closing.Err() != nil {
			return
		}
		e.mu.Lock()
		begun, lost := e.begun, e.lost
		e.begun, e.lost = nil, false
		e.mu.Unlock()
		if lost {
			begun = append(begun, e.found()...)
		}
		for _, id := range begun {
			e.run(id)
		}
		if lost || len(begun) > 0 {
			continue
		}
		select {
		case <-changed:
		case <-e.closing.Done():
		}
	}
}

// found lists what has begun and was not worked at: this process began it, as
// whatever an earlier one left has been marked at the start.
func (e *Engine) found() (ids []uuid.UUID) {
	unfinished, err := settle(e, "find what has begun", e.Journal.Unfinished)
	if err != nil {
		if !errors.Is(err, errClosing) {
			e.Log.Error("what has begun cannot be found", "error", err)
		}
		return nil
	}
	for _, o := range unfinished {
		if o.Status == journal.Queued {
			ids = append(ids, o.ID)
		}
	}
	return ids
}

// run works at an operation until it has ended or waits for a decision, or the
// engine closes.
func (e *Engine) run(id uuid.UUID) {
	defer e.tell()
	j, err := e.job(id)
	if j == nil && err == nil {
		return // another call had it done
	}
	var end ending
	if err == nil {
		end, err = j.build()
	}
	if err == nil {
		_, err = settle(e, "finish", func(ctx context.Context) (journal.Operation, error) {
			return e.Journal.Finish(ctx, id, end.status, end.reason)
		})
	}
	if err == nil {
		crashpoint.At(crashpoint.OperationEnded)
		return
	}
	if errors.Is(err, errClosing) {
		return
	}
	why := err
	e.Log.Error("an operation cannot go on and waits for a decision", "operation", id, "error", err)
	_, err = settle(e, "require recovery", func(ctx context.Context) (journal.Operation, error) {
		return e.Journal.RequireRecovery(ctx, id, "it cannot go on: "+disk.Plain(why)+
			"; look at it with recovery_review, then decide with recovery_abandon")
	})
	if err != nil && !errors.Is(err, errClosing) {
		e.Log.Error("the journal does not take that an operation waits for a decision", "operation", id, "error", err)
	}
}
