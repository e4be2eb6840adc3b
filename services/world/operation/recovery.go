package operation

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/crashpoint"
	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// Review is what stands where an operation wrote or may have written (W-21).
// That something matches does not prove who wrote it.
type Review struct {
	Operation journal.Operation
	Positions int
	Before    int    // are what the plan saw
	After     int    // are what the plan wanted
	Foreign   int    // are neither
	Digest    string // of all
	Sampled   time.Time
}

// Review looks at an operation that waits for a decision. It writes nothing.
// Its faults: not_found, and invalid_request for an operation that does not wait.
func (e *Engine) Review(ctx context.Context, project string, id uuid.UUID) (Review, error) {
	o, err := e.waiting(ctx, project, id)
	if err != nil {
		return Review{}, err
	}
	changes, err := e.reach(ctx, o)
	if err != nil {
		return Review{}, err
	}
	return e.compare(ctx, o, changes)
}

// waiting finds an operation that waits for a decision.
func (e *Engine) waiting(ctx context.Context, project string, id uuid.UUID) (journal.Operation, error) {
	o, err := e.Status(ctx, project, id)
	if err == nil && o.Status != journal.RecoveryRequired {
		err = fault.Newf(fault.Invalid, "operation %s is %s and waits for no decision; see operation_status", id, o.Status)
	}
	return o, err
}

// reach is where an operation wrote or may have written.
func (e *Engine) reach(ctx context.Context, o journal.Operation) ([]journal.Change, error) {
	places, err := e.mask(ctx, o, true)
	if err != nil {
		return nil, err
	}
	p, err := e.Journal.Plan(ctx, o.Plan)
	if err != nil {
		return nil, err
	}
	changes := make([]journal.Change, len(places))
	for n, i := range places {
		changes[n] = p.Changes[i]
	}
	return changes, nil
}

// compare holds what stands there now against the plan.
func (e *Engine) compare(ctx context.Context, o journal.Operation, changes []journal.Change) (Review, error) {
	positions := slices.Collect(places(changes))
	states, _, _, err := e.look(ctx, positions)
	if err != nil {
		return Review{}, err
	}
	r := Review{Operation: o, Positions: len(positions), Digest: Digest(positions, states), Sampled: e.Clock.Now()}
	for i, c := range changes {
		switch states[i] {
		case c.Before:
			r.Before++
		case c.After:
			r.After++
		default:
			r.Foreign++
		}
	}
	return r, nil
}

// Abandon ends an operation that waits for a decision as failed, and leaves
// every block as it is (W-22). The digest is that of a Review: where anything
// has changed since, nothing is decided and the fault is invalid_request. What
// stands there is on the disk before the decision is durable, and that before
// Abandon returns. The operation is never taken back, and none before it takes
// back what it may have written. The same decision again changes nothing.
func (e *Engine) Abandon(ctx context.Context, project string, id uuid.UUID, digest string) (journal.Operation, error) {
	e.decide.Lock()
	defer e.decide.Unlock()
	o, err := e.Status(ctx, project, id)
	if err == nil && o.UndoOff && o.Digest == digest {
		return o, nil
	}
	if o, err = e.waiting(ctx, project, id); err != nil {
		return journal.Operation{}, err
	}
	changes, err := e.reach(ctx, o)
	if err != nil {
		return journal.Operation{}, err
	}
	if err := e.Host.Flush(ctx, chunksOf(places(changes))); err != nil {
		e.Log.Warn("a decision waits for the disk", "operation", id, "error", err)
		return journal.Operation{}, fault.Newf(fault.Unavailable,
			"nothing is decided, because what stands there does not reach the disk: %s; mend that, then decide again", disk.Plain(err))
	}
	r, err := e.compare(ctx, o, changes)
	if err != nil {
		return journal.Operation{}, err
	}
	crashpoint.At(crashpoint.AbandonRead)
	if r.Digest != digest {
		return journal.Operation{}, fault.New(fault.Invalid,
			"expected_digest is not that of what stands there now: the world has changed since the review; review again")
	}
	o, err = e.Journal.Abandon(ctx, id, digest,
		"it was abandoned after an interruption: every block was left as it was, and nothing of it can be undone")
	if err != nil {
		return journal.Operation{}, err
	}
	crashpoint.At(crashpoint.AbandonDurable)
	e.tell()
	return e.shown(o), nil
}
