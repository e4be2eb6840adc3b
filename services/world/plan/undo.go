package plan

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// MaxSample bounds how many blocks are named of those that are left alone.
const MaxSample = 32

// Left is a block that an undo leaves alone, because it is not as the operation
// left it.
type Left struct {
	geom.Pos
	Expected, Actual string
}

// Reverse is what an undo takes back: an operation, and what it wrote at the
// positions that it still owns. Who owns what is not judged here.
type Reverse struct {
	Operation uuid.UUID
	Writes    []Change // one a position, in any order
}

// Undo prepares the plan that takes writes back. Blocks that are not what the
// operation wrote any more are left alone: it returns how many, and some of them.
// What stood there before may be put back whatever the policy says by now; all
// other checks are those of any plan.
func Undo(ctx context.Context, h host.Host, p Project, r Reverse) (plan Plan, left int, sample []Left, err error) {
	if err := writable(h); err != nil {
		return Plan{}, 0, nil, err
	}
	if len(r.Writes) > MaxBlocks {
		return Plan{}, 0, nil, fault.Newf(BudgetExceeded, "%d blocks are more than the %d of one plan", len(r.Writes), MaxBlocks)
	}
	writes := slices.SortedFunc(slices.Values(r.Writes), func(a, b Change) int { return a.Pos.Compare(b.Pos) })
	targets := make([]geom.Pos, len(writes))
	for i, w := range writes {
		targets[i] = w.Pos
	}
	s, err := see(ctx, h, targets, nil)
	if err != nil {
		return Plan{}, 0, nil, err
	}
	var changes []Change
	for _, w := range writes {
		now := s[w.Pos].state
		switch {
		case now == w.After:
			changes = append(changes, Change{w.Pos, w.After, w.Before})
		case len(sample) < MaxSample:
			sample = append(sample, Left{w.Pos, w.After, now})
			fallthrough
		default:
			left++
		}
	}
	if len(changes) == 0 {
		return Plan{}, left, sample, fault.Newf(NothingToUndo, "none of the operation's blocks is its own any more; %d are no longer as it left them", left)
	}
	for _, c := range changes {
		if err := inside(h, p.Area, "the block", c.Pos); err != nil {
			return Plan{}, left, sample, err
		}
	}
	if err := standing(h.Blocks(), s, changes); err != nil {
		return Plan{}, left, sample, err
	}
	model := Plan{
		World: h.Info().World, Project: p.ID, Player: p.Player, Kind: OfUndo, Undoes: &r.Operation,
	}
	plans, err := split(h.Blocks(), s, changes, nil, MaxBlocks, model)
	if err != nil {
		return Plan{}, left, sample, err
	}
	return plans[0], left, sample, nil
}
