package operation

import (
	"context"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/crashpoint"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// Apply begins to build a plan and returns at once, or finds the operation that
// the same plan and key began before, however long ago (W-15). The request's ID
// is not looked at. The faults are those of May and of the journal: who asks may
// not, the plan is not found, used, discarded, expired, out of order, or has
// another hash, the key is another plan's; writes are paused, another operation
// is active, or one waits for a decision.
//
// After unavailable nobody knows whether it began: the same call finds out.
func (e *Engine) Apply(ctx context.Context, r journal.Request) (journal.Operation, error) {
	if err := e.May(ctx, r.Project, r.Player); err != nil {
		return journal.Operation{}, err
	}
	r.ID = uuid.New()
	o, created, err := e.Journal.Begin(ctx, r)
	switch {
	case passing(err):
		e.seek()
		return journal.Operation{}, err
	case err != nil:
		return journal.Operation{}, err
	case created:
		crashpoint.At(crashpoint.OperationBegun)
		e.enqueue(o.ID)
	case o.Status == journal.Queued:
		e.seek() // it may have begun by a call that was told nothing
	}
	return e.shown(o), nil
}

// Status is where an operation of a project stands: what the journal has, so
// that it tells of nothing that is not durable.
func (e *Engine) Status(ctx context.Context, project string, id uuid.UUID) (journal.Operation, error) {
	o, err := e.Journal.Operation(ctx, id)
	if err != nil {
		return journal.Operation{}, err
	}
	if o.Project != project {
		return journal.Operation{}, fault.Newf(fault.NotFound, "operation %s is not of this project", id)
	}
	return e.shown(o), nil
}

// Wait returns an operation once nobody works at it any more: it has ended or
// waits for a decision, or, with an error, the engine has closed.
func (e *Engine) Wait(ctx context.Context, project string, id uuid.UUID) (journal.Operation, error) {
	for {
		changed := e.watch()
		o, err := e.Status(ctx, project, id)
		if err != nil || !o.Status.Active() {
			return o, err
		}
		select {
		case <-changed:
		case <-e.done:
			return o, errClosing
		case <-ctx.Done():
			return o, ctx.Err()
		}
	}
}

// Cancel has an operation end before its next slice, and returns once that is
// durable; what is written stays. One that has ended stays as it is, and so does
// one that waits for a decision.
func (e *Engine) Cancel(ctx context.Context, project string, id uuid.UUID) (journal.Operation, error) {
	if _, err := e.Status(ctx, project, id); err != nil {
		return journal.Operation{}, err
	}
	o, err := e.Journal.Cancel(ctx, id)
	if err != nil {
		return journal.Operation{}, err
	}
	crashpoint.At(crashpoint.CancelDurable)
	if o.Status.Active() {
		e.mu.Lock()
		e.stopping[id] = struct{}{}
		e.mu.Unlock()
		e.tell()
	}
	return e.shown(o), nil
}

// shown adds what the journal does not know yet: a pause that is not durable.
func (e *Engine) shown(o journal.Operation) journal.Operation {
	o.Paused = !o.Status.Ended() && (o.Paused || e.isPaused(o.Project))
	return o
}
