package plan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/host/memory"
	"github.com/pharos-mcp/pharos/services/world/plan"
)

// TestUndo takes back what is as it was written, and tells of the rest.
//
// clause: W-17
func TestUndo(t *testing.T) {
	t.Parallel()
	h := empty()
	operation := uuid.New()
	writes := []plan.Change{
		{Pos: pos(3, 70, 0), Before: air, After: stone},
		{Pos: pos(1, 70, 0), Before: "minecraft:gravel", After: stone}, // no plan may place it, an undo puts it back
		{Pos: pos(2, 70, 0), Before: air, After: stone},
		{Pos: pos(0, 70, 0), Before: dirt, After: stone},
	}
	apply(t, h, writes)
	h.Alter(pos(1, 69, 0), stone) // the gravel stood on something
	h.Alter(pos(2, 70, 0), glass)
	h.Alter(pos(0, 70, 0), dirt)
	got, left, sample, err := plan.Undo(t.Context(), h, project(), plan.Reverse{Operation: operation, Writes: writes})
	if err != nil {
		t.Fatal(err)
	}
	want := plan.Plan{
		World: h.Info().World, Project: "default", Player: project().Player, Kind: plan.OfUndo, Undoes: &operation, Of: 1,
		Changes: []plan.Change{
			{Pos: pos(1, 70, 0), Before: stone, After: "minecraft:gravel"},
			{Pos: pos(3, 70, 0), Before: stone, After: air},
		},
		Region: box(pos(1, 70, 0), pos(3, 70, 0)),
	}
	want.Hash = want.Digest()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	wantSample := []plan.Left{
		{Pos: pos(0, 70, 0), Expected: stone, Actual: dirt}, {Pos: pos(2, 70, 0), Expected: stone, Actual: glass},
	}
	if diff := cmp.Diff(wantSample, sample); diff != "" || left != 2 {
		t.Errorf("%d left (-want +got):\n%s", left, diff)
	}
}

// TestUndoRefuses has the checks of any plan, and nothing to undo.
//
// clause: W-13, W-17
func TestUndoRefuses(t *testing.T) {
	t.Parallel()
	write := []plan.Change{{Pos: pos(0, 70, 0), Before: air, After: stone}}
	undo := func(p plan.Project, writes []plan.Change, change func(*memory.Host)) error {
		h := empty()
		apply(t, h, writes)
		change(h)
		_, _, _, err := plan.Undo(t.Context(), h, p, plan.Reverse{Writes: writes})
		return err
	}
	refused(t, undo(project(), write, func(h *memory.Host) { h.Alter(pos(0, 70, 0), glass) }), plan.NothingToUndo, "1")
	refused(t, undo(project(), nil, func(*memory.Host) {}), plan.NothingToUndo)
	refused(t, undo(project(), write, func(h *memory.Host) { h.Put(pos(0, 70, 0), stone, "minecraft:mystery") }), plan.UnsupportedBlock, "0 70 0")
	refused(t, undo(project(), write, func(h *memory.Host) { h.Alter(pos(0, 71, 0), torch) }), plan.NeighbourBreaks, "minecraft:torch at 0 71 0")
	refused(t, undo(project(), write, func(h *memory.Host) { h.MakeReadOnly("newer") }), plan.ReadOnly, "newer")
	moved := project()
	moved.Area = box(pos(1, 0, 0), pos(9, 90, 9))
	refused(t, undo(moved, write, func(*memory.Host) {}), plan.OutOfBounds, "0 70 0")

	// a vine hangs on one of its sides, and the others do not matter
	vine := []plan.Change{{Pos: pos(0, 70, 0), Before: "minecraft:vine[east=false,north=true,south=false,up=false,west=false]", After: stone}}
	if err := undo(project(), vine, func(h *memory.Host) { h.Alter(pos(0, 70, -1), stone) }); err != nil {
		t.Errorf("a vine was not put back: %v", err)
	}

	many := make([]plan.Change, 4097)
	for i := range many {
		many[i] = plan.Change{Pos: pos(int32(i%64), 70, int32(i/64)), Before: air, After: stone}
	}
	refused(t, undo(project(), many, func(*memory.Host) {}), plan.BudgetExceeded, "4097")

	h := empty() // all others are as if a player had built over them
	h.Alter(pos(0, 70, 0), stone)
	got, left, sample, err := plan.Undo(t.Context(), h, project(), plan.Reverse{Writes: many[:4096]})
	if err != nil || len(got.Changes) != 1 || left != 4095 || len(sample) != plan.MaxSample {
		t.Errorf("%d changes, %d left, %d of them named, error %v", len(got.Changes), left, len(sample), err)
	}
}
