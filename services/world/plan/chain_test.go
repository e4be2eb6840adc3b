package plan_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/memory"
	"github.com/pharos-mcp/pharos/services/world/plan"
)

// TestChain splits what is more than a plan and sees that each part is right in
// the world that those before it leave.
//
// clause: W-12
func TestChain(t *testing.T) {
	t.Parallel()
	h := empty()
	p := project()
	p.MaxBlocks = 4
	depends := []geom.Pos{pos(0, 70, 0), pos(9, 70, 0), pos(50, 70, 0)}
	plans, err := plan.Build(t.Context(), h, p, recipe(fill(pos(0, 70, 0), pos(9, 70, 0), "stone")), plan.Request{Chain: true, Dependencies: depends})
	if err != nil {
		t.Fatal(err)
	}
	type part struct {
		Index, Of, Changes int
		Region             geom.Box
		Dependencies       []plan.Dependency
	}
	var got []part
	hashes := map[string]bool{}
	for _, p := range plans {
		got = append(got, part{p.Index, p.Of, len(p.Changes), p.Region, p.Dependencies})
		hashes[p.Hash] = true
	}
	first, last, far := plan.Dependency{Pos: depends[0], State: stone}, plan.Dependency{Pos: depends[1], State: air}, plan.Dependency{Pos: depends[2], State: air}
	want := []part{
		{0, 3, 4, box(pos(0, 70, 0), pos(3, 70, 0)), []plan.Dependency{last, far}},
		{1, 3, 4, box(pos(4, 70, 0), pos(7, 70, 0)), []plan.Dependency{first, last, far}}, // the first part has built there by then
		{2, 3, 2, box(pos(8, 70, 0), pos(9, 70, 0)), []plan.Dependency{first, far}},
	}
	if diff := cmp.Diff(want, got); diff != "" || len(hashes) != 3 {
		t.Errorf("%d hashes (-want +got):\n%s", len(hashes), diff)
	}

	single, err := plan.Build(t.Context(), h, p, recipe(fill(pos(0, 70, 0), pos(3, 70, 0), "stone")), plan.Request{Chain: true})
	if err != nil || len(single) != 1 || single[0].Of != 1 {
		t.Errorf("what fits into one: %d plans, error %v", len(single), err)
	}
	most, err := plan.Build(t.Context(), h, p, recipe(fill(pos(0, 70, 0), pos(63, 70, 0), "stone")), plan.Request{Chain: true})
	if err != nil || len(most) != plan.MaxChain {
		t.Errorf("the longest: %d plans, error %v", len(most), err)
	}
	_, err = plan.Build(t.Context(), h, p, recipe(fill(pos(0, 70, 0), pos(64, 70, 0), "stone")), plan.Request{Chain: true})
	refused(t, err, plan.BudgetExceeded, "65", "64")
	_, err = plan.Build(t.Context(), h, p, recipe(fill(pos(0, 70, 0), pos(4, 70, 0), "stone")), plan.Request{})
	refused(t, err, plan.BudgetExceeded, "5", "4")
}

// TestChainFull prepares the largest chain there is.
//
// clause: W-12
func TestChainFull(t *testing.T) {
	t.Parallel()
	plans, err := plan.Build(t.Context(), empty(), project(), recipe(fill(pos(0, 70, 0), pos(63, 85, 63), "stone")), plan.Request{Chain: true})
	if err != nil || len(plans) != plan.MaxChain {
		t.Fatalf("%d plans, error %v", len(plans), err)
	}
	for _, p := range plans {
		if len(p.Changes) != plan.MaxBlocks {
			t.Errorf("plan %d has %d changes", p.Index, len(p.Changes))
		}
	}
}

// TestChainBreaksNothingBetween refuses a chain whose end would be right and
// whose middle would not, and takes what only the whole holds up.
//
// clause: W-13
func TestChainBreaksNothingBetween(t *testing.T) {
	t.Parallel()
	p := project()
	p.Policy.Classes = append(blocks.Building(), blocks.Attached)
	ladder := func() *memory.Host { // ladders at the north of a wall that is to go with them
		h := empty()
		h.Alter(pos(0, 70, 0), "minecraft:ladder[facing=north,waterlogged=false]")
		h.Alter(pos(0, 70, 1), stone)
		return h
	}
	away := recipe(fill(pos(0, 70, 0), pos(0, 70, 1), "air"))
	p.MaxBlocks = 1
	if _, err := plan.Build(t.Context(), ladder(), p, away, plan.Request{Chain: true}); err != nil {
		t.Errorf("first the ladder, then the wall: %v", err)
	}
	south := empty()
	south.Alter(pos(0, 70, 0), stone)
	south.Alter(pos(0, 70, 1), "minecraft:ladder[facing=south,waterlogged=false]")
	_, err := plan.Build(t.Context(), south, p, away, plan.Request{Chain: true})
	refused(t, err, plan.NeighbourBreaks, "minecraft:ladder", "at 0 70 1", "0 70 0")
	p.MaxBlocks = 2
	if _, err := plan.Build(t.Context(), south, p, away, plan.Request{Chain: true}); err != nil {
		t.Errorf("both in one plan: %v", err)
	}
}

// TestPlace takes placements as a schematic gives them, air among them.
//
// clause: W-13
func TestPlace(t *testing.T) {
	t.Parallel()
	h := empty()
	h.Alter(pos(1, 70, 0), dirt)
	plans, err := plan.Place(t.Context(), h, project(), []geom.Placement{
		{Pos: pos(2, 70, 0), Block: "minecraft:oak_log[axis=x]"}, {Pos: pos(1, 70, 0), Block: air}, {Pos: pos(0, 70, 0), Block: air},
	}, []byte(`{"asset_id":"hut"}`), plan.Request{})
	if err != nil || len(plans) != 1 {
		t.Fatalf("%d plans, error %v", len(plans), err)
	}
	want := []plan.Change{
		{Pos: pos(1, 70, 0), Before: dirt, After: air}, {Pos: pos(2, 70, 0), Before: air, After: "minecraft:oak_log[axis=x]"},
	}
	if diff := cmp.Diff(want, plans[0].Changes); diff != "" || plans[0].Kind != plan.OfSchematic || string(plans[0].Recipe) != `{"asset_id":"hut"}` {
		t.Errorf("a %s of %s (-want +got):\n%s", plans[0].Kind, plans[0].Recipe, diff)
	}
	_, err = plan.Place(t.Context(), h, project(), nil, nil, plan.Request{})
	refused(t, err, "invalid_request", "no position")
	many := make([]geom.Placement, 4097)
	for i := range many {
		many[i] = geom.Placement{Pos: pos(int32(i%64), 70, int32(i/64)), Block: stone}
	}
	_, err = plan.Place(t.Context(), h, project(), many, nil, plan.Request{})
	refused(t, err, plan.BudgetExceeded, "4097", "4096")
	if _, err := plan.Place(t.Context(), h, project(), many[:4096], nil, plan.Request{}); err != nil {
		t.Error(err)
	}
	bare := project()
	bare.Extensions = nil
	_, err = plan.Place(t.Context(), h, bare, many[:1], nil, plan.Request{Chain: true})
	refused(t, err, plan.NotEnabled, "chain")
}

// restless is a world in which something happens before every read.
type restless struct {
	*memory.Host
	reads, until int
}

func (h *restless) View(ctx context.Context, b geom.Box, f func(host.Reader) error) error {
	if h.reads++; h.reads <= h.until {
		if err := h.Place(host.Cause{Kind: host.ByPlayer}, []string{stone, dirt}[h.reads%2], pos(-50, 70, -50)); err != nil {
			return err
		}
	}
	return h.Host.View(ctx, b, f)
}

// low is a world that bears no read outside its height.
type low struct {
	*memory.Host
	t *testing.T
}

func (h low) View(ctx context.Context, b geom.Box, f func(host.Reader) error) error {
	if info := h.Info(); b.Min.Y < info.MinY || b.Max.Y > info.MaxY {
		h.t.Errorf("a read of %v", b)
	}
	return h.Host.View(ctx, b, f)
}

// TestHeightIsKept builds at the bottom and at the top, where nothing is beside
// a block on one side.
//
// clause: W-13
func TestHeightIsKept(t *testing.T) {
	t.Parallel()
	text := recipe(fill(pos(0, -64, 0), pos(0, -64, 0), "stone"), fill(pos(40, 319, 0), pos(40, 319, 0), "stone"))
	if _, err := plan.Build(t.Context(), low{empty(), t}, project(), text, plan.Request{}); err != nil {
		t.Error(err)
	}
}

// TestOneMoment reads two chunks until nothing changed between them, and gives up
// in the end.
func TestOneMoment(t *testing.T) {
	t.Parallel()
	text := recipe(fill(pos(15, 70, 5), pos(16, 70, 5), "stone"))
	calm := &restless{Host: empty(), until: 3}
	if _, err := plan.Build(t.Context(), calm, project(), text, plan.Request{}); err != nil || calm.reads != 4 {
		t.Errorf("after %d reads: %v", calm.reads, err)
	}
	wild := &restless{Host: empty(), until: 1000}
	_, err := plan.Build(t.Context(), wild, project(), text, plan.Request{})
	refused(t, err, plan.Busy, "try again")
	if wild.reads != 10 {
		t.Errorf("%d reads", wild.reads)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := plan.Build(cancelled, empty(), project(), text, plan.Request{}); err == nil {
		t.Error("a cancelled read has a plan")
	}
}
