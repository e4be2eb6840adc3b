package plan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/memory"
	"github.com/pharos-mcp/pharos/services/world/plan"
)

// TestBuild prepares a plan over a world in which a part is right already.
//
// clause: W-12
func TestBuild(t *testing.T) {
	t.Parallel()
	h := empty()
	h.Alter(pos(1, 70, 1), stone)
	h.Alter(pos(2, 70, 1), dirt)
	p := project()
	text := recipe(fill(pos(3, 70, 1), pos(0, 70, 1), "stone"), fill(pos(3, 70, 1), pos(3, 70, 1), "oak_log"))
	plans, err := plan.Build(t.Context(), h, p, text, plan.Request{})
	if err != nil {
		t.Fatal(err)
	}
	want := []plan.Plan{{
		World: h.Info().World, Project: "default", Player: p.Player, Kind: plan.OfRecipe,
		Changes: []plan.Change{
			{Pos: pos(0, 70, 1), Before: air, After: stone},
			{Pos: pos(2, 70, 1), Before: dirt, After: stone},
			{Pos: pos(3, 70, 1), Before: air, After: "minecraft:oak_log[axis=y]"},
		},
		Region: box(pos(0, 70, 1), pos(3, 70, 1)), Recipe: text, Of: 1,
	}}
	want[0].Hash = want[0].Digest()
	if diff := cmp.Diff(want, plans); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	apply(t, h, plans[0].Changes)
	again := one(t, h, p, plan.Request{}, fill(pos(3, 70, 1), pos(0, 70, 1), "stone"), fill(pos(3, 70, 1), pos(3, 70, 1), "oak_log"))
	if len(again.Changes) != 0 || again.Region != box(pos(0, 70, 1), pos(3, 70, 1)) {
		t.Errorf("once it is built: %d changes in %v", len(again.Changes), again.Region)
	}
}

// TestBuildReplaces has replace look at the world and at what came before it.
//
// clause: W-12
func TestBuildReplaces(t *testing.T) {
	t.Parallel()
	h := empty()
	h.Alter(pos(0, 70, 0), stone)
	h.Alter(pos(1, 70, 0), "minecraft:oak_log[axis=x]")
	h.Alter(pos(2, 70, 0), "minecraft:oak_log[axis=y]")
	h.Put(pos(3, 70, 0), chest, "minecraft:chest")
	a, b := pos(0, 70, 0), pos(5, 70, 0)
	for name, c := range map[string]struct {
		operations []string
		want       []plan.Change
	}{
		"a name, any state": {[]string{replace(a, b, "oak_log", "glass")}, []plan.Change{
			{Pos: pos(1, 70, 0), Before: "minecraft:oak_log[axis=x]", After: glass},
			{Pos: pos(2, 70, 0), Before: "minecraft:oak_log[axis=y]", After: glass},
		}},
		"a state": {[]string{replace(a, b, "oak_log[axis=x]", "glass")}, []plan.Change{
			{Pos: pos(1, 70, 0), Before: "minecraft:oak_log[axis=x]", After: glass},
		}},
		"what an operation put there": {[]string{fill(pos(4, 70, 0), b, "dirt"), replace(pos(5, 70, 0), b, "dirt", "stone")}, []plan.Change{
			{Pos: pos(4, 70, 0), Before: air, After: dirt},
			{Pos: pos(5, 70, 0), Before: air, After: stone},
		}},
		"one after the other": {[]string{replace(a, b, "stone", "dirt"), replace(a, b, "dirt", "glass")}, []plan.Change{
			{Pos: pos(0, 70, 0), Before: stone, After: glass},
		}},
		"there and back": {[]string{replace(a, b, "stone", "dirt"), replace(a, b, "dirt", "stone")}, nil},
	} {
		if diff := cmp.Diff(c.want, one(t, h, project(), plan.Request{}, c.operations...).Changes); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	_, err := plan.Build(t.Context(), h, project(), recipe(replace(a, b, "chest", "stone")), plan.Request{})
	refused(t, err, plan.UnsupportedBlock, "3 70 0", "chest")
	_, err = plan.Build(t.Context(), h, project(), recipe(replace(a, b, "stome", "stone")), plan.Request{})
	refused(t, err, plan.UnsupportedBlock, "0 70 0", "stome")
}

// TestBuildRefuses has everything that makes a plan impossible, with what the
// message must name: of several positions the first.
//
// clause: W-13, W-14
func TestBuildRefuses(t *testing.T) {
	t.Parallel()
	world := func() *memory.Host {
		h := memory.New(memory.Config{
			Pack: pack(), State: func(geom.Pos) string { return air },
			Exists: func(c host.ChunkPos) bool { return c.X < 3 },
		})
		h.Put(pos(5, 70, 5), chest, "minecraft:chest")
		h.Put(pos(4, 70, 5), "minecraft:oak_sign[rotation=0,waterlogged=false]", "minecraft:sign")
		h.Put(pos(8, 70, 5), stone, "minecraft:mystery") // a block entity where the state tells of none
		h.Alter(pos(3, 70, 5), "minecraft:water[level=0]")
		h.Alter(pos(6, 69, 6), stone)
		h.Alter(pos(6, 70, 6), torch)
		h.Alter(pos(9, 70, 9), stone)
		h.Alter(pos(9, 71, 9), "minecraft:sand")
		return h
	}
	mask := &plan.Mask{Part: uuid.New(), Positions: []geom.Pos{pos(0, 70, 0), pos(1, 70, 0), pos(0, 70, 1), pos(1, 70, 1)}}
	many := make([]geom.Pos, 513)
	for i := range many {
		many[i] = pos(int32(i%40), 90, int32(i/40))
	}
	attached := project()
	attached.Policy.Classes = append(blocks.Building(), blocks.Attached)
	small := project()
	small.MaxBlocks = 10
	bare := project()
	bare.Extensions = nil
	for name, c := range map[string]struct {
		project    plan.Project
		request    plan.Request
		operations []string
		code       fault.Code
		message    []string
	}{
		"east of the area":    {project(), plan.Request{}, []string{fill(pos(100, 70, 0), pos(102, 71, 0), "stone")}, plan.OutOfBounds, []string{"101 70 0", "-100 -64 -100", "100 319 100"}},
		"above the world":     {plan.Project{Area: box(pos(0, -4096, 0), pos(9, 4096, 9)), MaxBlocks: 10, Policy: blocks.DefaultPolicy()}, plan.Request{}, []string{fill(pos(0, 319, 0), pos(0, 320, 0), "stone")}, plan.OutOfBounds, []string{"0 320 0", "-64 to 319"}},
		"below the world":     {plan.Project{Area: box(pos(0, -4096, 0), pos(9, 4096, 9)), MaxBlocks: 10, Policy: blocks.DefaultPolicy()}, plan.Request{}, []string{fill(pos(0, -64, 0), pos(0, -65, 0), "stone")}, plan.OutOfBounds, []string{"0 -65 0"}},
		"no such block":       {project(), plan.Request{}, []string{fill(pos(1, 70, 0), pos(0, 70, 0), "stome")}, plan.UnsupportedBlock, []string{"0 70 0", "stome", "no such block"}},
		"a wrong property":    {project(), plan.Request{}, []string{fill(pos(0, 70, 0), pos(0, 70, 0), "oak_log[axis=w]")}, plan.UnsupportedBlock, []string{"0 70 0", "axis"}},
		"a chest to place":    {project(), plan.Request{}, []string{fill(pos(0, 70, 0), pos(0, 70, 0), "chest")}, plan.UnsupportedBlock, []string{"0 70 0", "minecraft:chest"}},
		"water to place":      {project(), plan.Request{}, []string{fill(pos(0, 70, 0), pos(0, 70, 0), "water")}, plan.UnsupportedBlock, []string{"0 70 0", "minecraft:water"}},
		"outside the policy":  {project(), plan.Request{}, []string{fill(pos(0, 70, 0), pos(0, 70, 0), "ladder")}, plan.UnsupportedBlock, []string{"0 70 0", "class attached"}},
		"a chest there":       {project(), plan.Request{}, []string{fill(pos(5, 70, 5), pos(9, 70, 5), "stone")}, plan.UnsupportedBlock, []string{"5 70 5", "minecraft:chest"}},
		"a sign there first":  {project(), plan.Request{}, []string{fill(pos(4, 70, 5), pos(9, 70, 5), "stone")}, plan.UnsupportedBlock, []string{"4 70 5", "minecraft:oak_sign", "minecraft:sign"}},
		"water there":         {project(), plan.Request{}, []string{fill(pos(3, 70, 5), pos(3, 70, 5), "stone")}, plan.UnsupportedBlock, []string{"3 70 5", "minecraft:water"}},
		"data there":          {project(), plan.Request{}, []string{fill(pos(8, 70, 5), pos(8, 70, 5), "glass")}, plan.UnsupportedBlock, []string{"8 70 5", "minecraft:stone", "minecraft:mystery"}},
		"a torch beside":      {project(), plan.Request{}, []string{fill(pos(6, 69, 6), pos(6, 69, 6), "air")}, plan.NeighbourBreaks, []string{"minecraft:torch at 6 70 6", "6 69 6"}},
		"sand above":          {project(), plan.Request{}, []string{fill(pos(9, 70, 9), pos(9, 70, 9), "air")}, plan.NeighbourBreaks, []string{"minecraft:sand at 9 71 9", "9 70 9"}},
		"a ladder on nothing": {attached, plan.Request{}, []string{fill(pos(0, 70, 0), pos(0, 70, 0), "ladder")}, plan.NeighbourBreaks, []string{"minecraft:ladder", "at 0 70 0"}},
		"outside the part":    {project(), plan.Request{Mask: mask}, []string{fill(pos(0, 70, 0), pos(2, 70, 1), "stone")}, plan.OutsidePart, []string{"2 70 0"}},
		"within its bounds":   {project(), plan.Request{Mask: &plan.Mask{Positions: []geom.Pos{pos(0, 70, 0), pos(2, 70, 0)}}}, []string{fill(pos(0, 70, 0), pos(2, 70, 0), "stone")}, plan.OutsidePart, []string{"1 70 0"}},
		"too many depended":   {project(), plan.Request{Dependencies: many}, []string{fill(pos(0, 70, 0), pos(0, 70, 0), "stone")}, plan.BudgetExceeded, []string{"513", "512"}},
		"depends outside":     {project(), plan.Request{Dependencies: []geom.Pos{pos(0, 70, 5), pos(0, 70, 101)}}, []string{fill(pos(0, 70, 0), pos(0, 70, 0), "stone")}, plan.OutOfBounds, []string{"dependency at 0 70 101"}},
		"no chunk":            {project(), plan.Request{}, []string{fill(pos(46, 70, 15), pos(49, 70, 16), "stone")}, plan.ChunkNotLoaded, []string{"(3, 0), (3, 1)"}},
		"depends on no chunk": {project(), plan.Request{Dependencies: []geom.Pos{pos(60, 70, 0)}}, []string{fill(pos(0, 70, 0), pos(0, 70, 0), "stone")}, plan.ChunkNotLoaded, []string{"(3, 0)"}},
		"too many blocks":     {small, plan.Request{}, []string{fill(pos(0, 70, 0), pos(10, 70, 0), "stone")}, plan.BudgetExceeded, []string{"/operations/0", "11", "10"}},
		"a wrong recipe":      {project(), plan.Request{}, []string{`{"type":"box"}`}, fault.Invalid, []string{"recipe/operations/0", `"min"`}},
		"a wrong radius":      {project(), plan.Request{}, []string{`{"type":"sphere","center":{"x":0,"y":70,"z":0},"radius":129,"block":"stone"}`}, fault.Invalid, []string{"/operations/0/radius"}},
		"no sphere":           {bare, plan.Request{}, []string{`{"type":"repeat","count":1,"offset":{"x":0,"y":0,"z":0},"operations":[{"type":"sphere","center":{"x":0,"y":70,"z":0},"radius":1,"block":"stone"}]}`}, plan.NotEnabled, []string{"/operations/0/operations/0", `"sphere"`}},
		"no replace":          {bare, plan.Request{}, []string{replace(pos(0, 70, 0), pos(0, 70, 0), "stone", "dirt")}, plan.NotEnabled, []string{"/operations/0", `"replace"`}},
		"no chain":            {bare, plan.Request{Chain: true}, []string{fill(pos(0, 70, 0), pos(0, 70, 0), "stone")}, plan.NotEnabled, []string{`"chain"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := world()
			_, err := plan.Build(t.Context(), h, c.project, recipe(c.operations...), c.request)
			refused(t, err, c.code, c.message...)
		})
	}
	h := world()
	h.MakeReadOnly("its DataVersion is newer")
	_, err := plan.Build(t.Context(), h, project(), recipe(fill(pos(0, 70, 0), pos(0, 70, 0), "stone")), plan.Request{})
	refused(t, err, plan.ReadOnly, "its DataVersion is newer")
}

// TestBuildAllows has what lies just on the other side of the refusals.
//
// clause: W-13, W-14
func TestBuildAllows(t *testing.T) {
	t.Parallel()
	h := memory.New(memory.Config{
		Pack: pack(), State: func(geom.Pos) string { return air }, Exists: func(c host.ChunkPos) bool { return c.X != 3 },
	})
	h.Put(pos(5, 70, 5), chest, "minecraft:chest")
	h.Alter(pos(6, 69, 6), stone)
	h.Alter(pos(6, 70, 6), torch)
	h.Alter(pos(20, 72, 20), "minecraft:vine[east=false,north=true,south=false,up=false,west=false]")
	h.Alter(pos(20, 72, 19), stone)
	ladder := "minecraft:ladder[facing=east,waterlogged=false]"
	attached := project()
	attached.Policy.Classes = append(blocks.Building(), blocks.Attached)
	mask := &plan.Mask{Part: uuid.New(), Positions: []geom.Pos{pos(0, 70, 0), pos(2, 70, 0)}}
	ten := project()
	ten.MaxBlocks = 10
	many := make([]geom.Pos, 512)
	for i := range many {
		many[i] = pos(int32(i%40), 90, int32(i/40))
	}
	for name, c := range map[string]struct {
		project    plan.Project
		request    plan.Request
		operations []string
		changes    int
	}{
		"beside a vine elsewhere":     {project(), plan.Request{}, []string{fill(pos(21, 72, 20), pos(21, 72, 20), "glass_pane"), fill(pos(21, 72, 20), pos(21, 72, 20), "stone_slab")}, 1},
		"beside a chest":              {project(), plan.Request{}, []string{fill(pos(4, 70, 5), pos(4, 70, 5), "stone")}, 1},
		"another block for a torch":   {project(), plan.Request{}, []string{fill(pos(6, 69, 6), pos(6, 69, 6), "glass")}, 1},
		"a ladder with its wall":      {attached, plan.Request{}, []string{fill(pos(0, 70, 0), pos(0, 72, 0), "stone"), fill(pos(1, 70, 0), pos(1, 72, 0), ladder)}, 6},
		"exactly the part":            {project(), plan.Request{Mask: mask}, []string{fill(pos(0, 70, 0), pos(0, 70, 0), "stone"), fill(pos(2, 70, 0), pos(2, 70, 0), "stone")}, 2},
		"the area's corners":          {project(), plan.Request{}, []string{fill(pos(-100, -64, -100), pos(-100, -64, -100), "stone"), fill(pos(100, 319, 100), pos(100, 319, 100), "stone")}, 2},
		"beside no chunk":             {project(), plan.Request{}, []string{fill(pos(47, 70, 0), pos(47, 70, 0), "stone")}, 1},
		"on both sides of no chunk":   {project(), plan.Request{}, []string{fill(pos(47, 70, 0), pos(47, 70, 0), "stone"), fill(pos(64, 70, 0), pos(64, 70, 0), "stone")}, 2},
		"as many as may be":           {ten, plan.Request{}, []string{fill(pos(0, 70, 0), pos(9, 70, 0), "stone")}, 10},
		"as many dependencies":        {project(), plan.Request{Dependencies: many}, []string{fill(pos(0, 70, 0), pos(9, 70, 0), "stone")}, 10},
		"a replace that passes chest": {project(), plan.Request{}, []string{replace(pos(4, 69, 5), pos(6, 70, 6), "stone", "dirt")}, 1},
	} {
		if got := len(one(t, h, c.project, c.request, c.operations...).Changes); got != c.changes {
			t.Errorf("%s: %d changes, want %d", name, got, c.changes)
		}
	}
	if p := one(t, h, project(), plan.Request{Mask: mask}, fill(pos(0, 70, 0), pos(0, 70, 0), "stone")); p.Part == nil || *p.Part != mask.Part {
		t.Errorf("the plan's part is %v", p.Part)
	}
}

// TestDependencies records each state once, and not of what the plan itself
// changes.
//
// clause: W-12, W-16
func TestDependencies(t *testing.T) {
	t.Parallel()
	h := empty()
	h.Put(pos(7, 70, 0), chest, "minecraft:chest")
	h.Alter(pos(1, 70, 0), stone)
	p := one(t, h, project(), plan.Request{Dependencies: []geom.Pos{
		pos(7, 70, 0), pos(1, 70, 0), pos(0, 70, 0), pos(-3, 80, 2), pos(7, 70, 0),
	}}, fill(pos(0, 70, 0), pos(1, 70, 0), "stone"))
	want := []plan.Dependency{{Pos: pos(1, 70, 0), State: stone}, {Pos: pos(7, 70, 0), State: chest}, {Pos: pos(-3, 80, 2), State: air}}
	if diff := cmp.Diff(want, p.Dependencies); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestBuildOnGround builds a hut on the flat world: walls on the grass, a hollow
// in the ground, stairs and a roof.
//
// clause: W-12
func TestBuildOnGround(t *testing.T) {
	t.Parallel()
	h := memory.New(memory.Config{Pack: pack()})
	p := one(t, h, project(), plan.Request{},
		fill(pos(0, 62, 0), pos(6, 63, 6), "stone_bricks"),
		fill(pos(1, 63, 1), pos(5, 64, 5), "air"),
		`{"type":"box","min":{"x":0,"y":65,"z":0},"max":{"x":6,"y":69,"z":6},"block":"oak_planks","hollow":true}`,
		fill(pos(3, 65, 0), pos(3, 66, 0), "air"),
		fill(pos(0, 70, 0), pos(6, 70, 0), "oak_stairs[facing=south]"),
		`{"type":"repeat","count":2,"offset":{"x":6,"y":0,"z":0},"operations":[`+fill(pos(0, 65, 0), pos(0, 70, 0), "oak_log")+`]}`,
	)
	if len(p.Changes) == 0 || p.Region != box(pos(0, 62, 0), pos(6, 70, 6)) {
		t.Errorf("%d changes in %v", len(p.Changes), p.Region)
	}
}

// BenchmarkBuild prepares the largest plan, of blocks that are all beside others.
func BenchmarkBuild(b *testing.B) {
	h := memory.New(memory.Config{Pack: pack()})
	text := recipe(fill(pos(0, 65, 0), pos(15, 80, 15), "stone"))
	for b.Loop() {
		if _, err := plan.Build(b.Context(), h, project(), text, plan.Request{}); err != nil {
			b.Fatal(err)
		}
	}
}
