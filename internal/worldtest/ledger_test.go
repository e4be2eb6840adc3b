package worldtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// entry is an operation with all that the journal has of it.
type entry struct {
	journal.Operation
	plan   journal.Plan
	slices []journal.Slice
}

// mask is where it wrote or may have written, in the order of positions, with
// what the plan saw and wanted there (W-21).
func (e entry) mask() (changes []journal.Change) {
	var places []int
	for _, s := range e.slices {
		if s.Confirmed {
			places = append(places, s.Written...)
		} else {
			places = append(places, s.Intent...)
		}
	}
	slices.Sort(places)
	for _, i := range slices.Compact(places) {
		changes = append(changes, e.plan.Changes[i])
	}
	return changes
}

// ledger is what the journal of a world says of its blocks.
type ledger struct {
	entries []entry // in their order
	allowed map[geom.Pos][]string
}

// meddled are the places where somebody put a block of emerald after an operation
// was interrupted.
type meddled map[uuid.UUID]geom.Pos

// readLedger reads a journal. There, and nowhere else, the world may differ from
// what it was when it was made.
func readLedger(ctx context.Context, store *journal.Store, by meddled) (*ledger, error) {
	newest, err := store.Recent(ctx, mine, journal.MaxListed)
	if err != nil {
		return nil, err
	}
	l := &ledger{allowed: map[geom.Pos][]string{}}
	for _, o := range slices.Backward(newest) {
		e := entry{Operation: o}
		if e.plan, err = store.Plan(ctx, o.Plan); err != nil {
			return nil, err
		}
		if e.slices, err = store.Slices(ctx, o.ID); err != nil {
			return nil, err
		}
		if err := l.add(e); err != nil {
			return nil, err
		}
		if p, was := by[o.ID]; was {
			l.allowed[p] = []string{"minecraft:emerald_block"}
		}
	}
	return l, nil
}

func (l *ledger) add(e entry) error {
	l.entries = append(l.entries, e)
	for n, s := range e.slices {
		if s.Index != n || !s.Confirmed && n != len(e.slices)-1 {
			return fmt.Errorf("operation %s: slice %d of %d has the number %d", e.ID, n, len(e.slices), s.Index)
		}
		if s.Confirmed {
			for _, i := range s.Written {
				if _, intended := slices.BinarySearch(s.Intent, i); !intended {
					return fmt.Errorf("operation %s wrote block %d without an intent", e.ID, i)
				}
				l.allowed[e.plan.Changes[i].Pos] = []string{e.plan.Changes[i].After}
			}
			continue
		}
		for _, i := range s.Intent {
			c := e.plan.Changes[i]
			l.allowed[c.Pos] = append(l.of(c.Pos), c.After)
		}
	}
	return nil
}

// of are the states that may stand at a position.
func (l *ledger) of(p geom.Pos) []string {
	if states, known := l.allowed[p]; known {
		return slices.Clone(states)
	}
	return []string{host.Flat(p.Y)}
}

// wrong says where blocks are not as the journal has them: one that changed
// without an intent, or that is confirmed and not there. "" is nowhere.
func (l *ledger) wrong(found map[geom.Pos]string) string {
	positions := maps.Clone(found)
	for p := range l.allowed {
		positions[p] = stands(found, p)
	}
	var all []string
	for _, p := range slices.SortedFunc(maps.Keys(positions), geom.Pos.Compare) {
		if !slices.Contains(l.of(p), positions[p]) {
			all = append(all, fmt.Sprintf("%s is %s, and the journal says %v", p, positions[p], l.of(p)))
		}
	}
	if len(all) > 3 {
		all = append(all[:3], fmt.Sprintf("and %d more", len(all)-3))
	}
	return strings.Join(all, "; ")
}

// stands is what is at a position of a world that differs so much.
func stands(found map[geom.Pos]string, p geom.Pos) string {
	if state, differs := found[p]; differs {
		return state
	}
	return host.Flat(p.Y)
}

// status are the statuses of all operations.
func (l *ledger) status() map[uuid.UUID]journal.Status {
	all := map[uuid.UUID]journal.Status{}
	for _, e := range l.entries {
		all[e.ID] = e.Status
	}
	return all
}

// digest is that of what stands where an operation may have written (W-21).
func digest(found map[geom.Pos]string, mask []journal.Change) string {
	var text strings.Builder
	for _, c := range mask {
		fmt.Fprintf(&text, "%d %d %d %s\n", c.X, c.Y, c.Z, stands(found, c.Pos))
	}
	sum := sha256.Sum256([]byte(text.String()))
	return hex.EncodeToString(sum[:])
}
