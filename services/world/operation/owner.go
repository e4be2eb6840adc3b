package operation

import (
	"context"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// Why tells why an operation may not take back a block that it wrote.
type Why string

// The reasons, the first that holds. A block whose state is another by now is
// left alone too, which is for the plan to see.
const (
	Abandoned  Why = "the operation was abandoned"
	LaterWrite Why = "a later operation wrote it, or may have"
	Outside    Why = "somebody changed it since, maybe back again"
)

// Lost is a block that an operation wrote and may not take back.
type Lost struct {
	geom.Pos
	Why Why
}

// Estate is what an operation has written, in two.
type Estate struct {
	Operation journal.Operation
	Own       []journal.Change // what it may take back, as it wrote it, in the order of positions
	Lost      []Lost           // what it may not, in the same order
}

// Estate tells what an operation of a project may take back: what it is known to
// have written and to have been the last to write (W-18). Its faults: not_found,
// busy while the operation is worked at, recovery_required while it waits for a
// decision. What it says holds when it is said; the operation that takes it
// back looks again.
func (e *Engine) Estate(ctx context.Context, project string, id uuid.UUID) (Estate, error) {
	o, err := e.Status(ctx, project, id)
	switch {
	case err != nil:
		return Estate{}, err
	case o.Status == journal.RecoveryRequired:
		return Estate{}, fault.Newf(journal.NeedsRecovery,
			"operation %s was interrupted; a person has to decide about it before anything is taken back", id)
	case !o.Status.Ended():
		return Estate{}, fault.Newf(journal.Busy, "operation %s is not done; wait for it or cancel it, then take it back", id)
	}
	written, taken, err := e.written(ctx, o, uuid.Nil)
	if err != nil {
		return Estate{}, err
	}
	estate := Estate{Operation: o}
	for _, c := range written {
		_, later := taken[c.Pos]
		switch {
		case o.UndoOff:
			estate.Lost = append(estate.Lost, Lost{c.Pos, Abandoned})
		case later:
			estate.Lost = append(estate.Lost, Lost{c.Pos, LaterWrite})
		case e.revoked.has(c.Pos):
			estate.Lost = append(estate.Lost, Lost{c.Pos, Outside})
		default:
			estate.Own = append(estate.Own, c)
		}
	}
	return estate, nil
}

// mine is what an operation may take back by the journal, as another is about to
// do. Others are not about meanwhile.
func (e *Engine) mine(ctx context.Context, id, by uuid.UUID) (map[geom.Pos]struct{}, error) {
	mine := map[geom.Pos]struct{}{}
	o, err := e.Journal.Operation(ctx, id)
	if err != nil || o.UndoOff || !o.Status.Ended() {
		return mine, err
	}
	written, taken, err := e.written(ctx, o, by)
	if err != nil {
		return nil, err
	}
	for _, c := range written {
		if _, later := taken[c.Pos]; !later {
			mine[c.Pos] = struct{}{}
		}
	}
	return mine, nil
}

// written is what an operation is known to have written, and where later ones
// wrote or may have, but for one.
func (e *Engine) written(
	ctx context.Context, o journal.Operation, but uuid.UUID,
) (written []journal.Change, taken map[geom.Pos]struct{}, err error) {
	places, err := e.mask(ctx, o, false)
	if err != nil {
		return nil, nil, err
	}
	p, err := e.Journal.Plan(ctx, o.Plan)
	if err != nil {
		return nil, nil, err
	}
	taken = map[geom.Pos]struct{}{}
	for _, i := range places {
		written = append(written, p.Changes[i])
	}
	for w, err := range e.Journal.LaterWriters(ctx, o.Region, o.ID) {
		if err != nil {
			return nil, nil, err
		}
		if w.Operation == but {
			continue
		}
		for _, p := range w.Positions {
			taken[p] = struct{}{}
		}
	}
	return written, taken, nil
}
