package plan_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/memory"
	"github.com/pharos-mcp/pharos/services/world/plan"
)

// words undoes "0*16 3 0*2".
func words(t interface{ Fatalf(string, ...any) }, row string) []string {
	var all []string
	for word := range strings.SplitSeq(row, " ") {
		what, times, many := strings.Cut(word, "*")
		n := 1
		if many {
			var err error
			if n, err = strconv.Atoi(times); err != nil || n < 2 {
				t.Fatalf("the row %q", row)
			}
		}
		for range n {
			all = append(all, what)
		}
	}
	return all
}

// TestInspect writes what a model reads.
//
// clause: W-11
func TestInspect(t *testing.T) {
	t.Parallel()
	h := empty()
	for _, p := range []geom.Pos{pos(1, 70, 0), pos(2, 70, 0), pos(0, 71, 1)} {
		h.Alter(p, stone)
	}
	h.Alter(pos(3, 71, 1), "minecraft:oak_stairs[facing=east,half=bottom,shape=straight,waterlogged=false]")
	got, err := plan.Inspect(t.Context(), h, project(), box(pos(3, 71, 1), pos(0, 70, 0)), true)
	want := plan.Region{
		Box: box(pos(0, 70, 0), pos(3, 71, 1)), Positions: 16,
		Palette: []plan.Count{
			{State: air, Count: 12}, {State: stone, Count: 3},
			{State: "minecraft:oak_stairs[facing=east,half=bottom,shape=straight,waterlogged=false]", Count: 1},
		},
		Layers: []plan.Layer{{Y: 70, Rows: []string{"0 1*2 0", "0*4"}}, {Y: 71, Rows: []string{"0*4", "1 0*2 2"}}},
	}
	got.Revision = 0
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
	sum, err := plan.Inspect(t.Context(), h, project(), box(pos(0, 70, 0), pos(3, 71, 1)), false)
	want.Layers, sum.Revision = nil, 0
	if diff := cmp.Diff(want, sum); diff != "" || err != nil {
		t.Errorf("in sum: error %v (-want +got):\n%s", err, diff)
	}
}

// TestInspectLosesNothing writes random boxes and reads them back.
//
// clause: W-11
func TestInspectLosesNothing(t *testing.T) {
	t.Parallel()
	states := []string{air, stone, dirt, glass, "minecraft:oak_log[axis=x]", "minecraft:oak_log[axis=y]"}
	rapid.Check(t, func(t *rapid.T) {
		corner := pos(rapid.Int32Range(-60, 60).Draw(t, "x"), rapid.Int32Range(-60, 300).Draw(t, "y"), rapid.Int32Range(-60, 60).Draw(t, "z"))
		size := pos(rapid.Int32Range(0, 15).Draw(t, "east"), rapid.Int32Range(0, 15).Draw(t, "up"), rapid.Int32Range(0, 15).Draw(t, "south"))
		seed, coarse := rapid.Uint32().Draw(t, "seed"), rapid.Int32Range(1, 8).Draw(t, "coarse")
		at := func(p geom.Pos) string {
			n := seed ^ uint32(p.X/coarse)*2654435761 ^ uint32(p.Y/coarse)*40503 ^ uint32(p.Z/coarse)*97
			return states[n>>7%uint32(len(states))]
		}
		h := memory.New(memory.Config{Pack: pack(), State: at})
		area := box(corner, corner.Add(size))
		r, err := plan.Inspect(t.Context(), h, project(), area, true)
		if err != nil {
			t.Fatal(err)
		}
		decoded, counts := map[geom.Pos]string{}, map[string]int{}
		for _, layer := range r.Layers {
			for z, row := range layer.Rows {
				for x, word := range words(t, row) {
					place, err := strconv.Atoi(word)
					if err != nil {
						t.Fatal(err)
					}
					p := pos(r.Box.Min.X+int32(x), layer.Y, r.Box.Min.Z+int32(z))
					decoded[p] = r.Palette[place].State
					counts[decoded[p]]++
				}
			}
		}
		want := map[geom.Pos]string{}
		for p := range area.Positions() {
			want[p] = at(p)
		}
		if diff := cmp.Diff(want, decoded); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if len(counts) != len(r.Palette) || r.Positions != len(want) {
			t.Errorf("%d states in a palette of %d; %d of %d positions", len(counts), len(r.Palette), r.Positions, len(want))
		}
		for i, c := range r.Palette {
			if c.Count != counts[c.State] || i > 0 && r.Palette[i-1].Count < c.Count {
				t.Errorf("the palette %v, counted %v", r.Palette, counts)
			}
		}
	})
}

// TestReadsAreBounded has the bounds of reads on both sides, and never makes a
// chunk that does not exist.
//
// clause: W-11
func TestReadsAreBounded(t *testing.T) {
	t.Parallel()
	h := memory.New(memory.Config{
		Pack: pack(), State: func(geom.Pos) string { return air }, Exists: func(c host.ChunkPos) bool { return c.X < 3 },
	})
	inspect := func(a, b geom.Pos) error {
		_, err := plan.Inspect(t.Context(), h, project(), box(a, b), true)
		return err
	}
	heights := func(x1, z1, x2, z2 int32) error {
		_, err := plan.Heights(t.Context(), h, project(), plan.Column{X: x1, Z: z1}, plan.Column{X: x2, Z: z2})
		return err
	}
	for name, err := range map[string]error{
		"4096 positions": inspect(pos(0, 70, 0), pos(15, 85, 15)),
		"the corner":     inspect(pos(-100, -64, -100), pos(-100, -64, -100)),
		"4096 columns":   heights(-30, 0, 33, 63),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	refused(t, inspect(pos(0, 70, 0), pos(15, 86, 15)), plan.BudgetExceeded, "4352", "4096")
	refused(t, inspect(pos(-2147483648, -2147483648, -2147483648), pos(2147483647, 2147483647, 2147483647)), plan.BudgetExceeded)
	refused(t, inspect(pos(-101, 70, 0), pos(-100, 70, 0)), plan.OutOfBounds, "-101 70 0")
	refused(t, inspect(pos(-100, 319, 0), pos(-100, 320, 0)), plan.OutOfBounds, "-100 320 0")
	refused(t, inspect(pos(47, 70, 15), pos(48, 70, 16)), plan.ChunkNotLoaded, "(3, 0), (3, 1)")
	refused(t, heights(-30, 0, 34, 63), plan.BudgetExceeded, "4160", "4096")
	refused(t, heights(-2147483648, -2147483648, 2147483647, 2147483647), plan.BudgetExceeded)
	refused(t, heights(0, 0, 0, 101), plan.OutOfBounds, "x 0, z 101")
	refused(t, heights(-101, 0, -101, 0), plan.OutOfBounds, "x -101, z 0")
	refused(t, heights(48, 0, 48, 0), plan.ChunkNotLoaded, "(3, 0)")
}

// TestHeights reads ground, a hole, and the highest and the lowest block.
func TestHeights(t *testing.T) {
	t.Parallel()
	h := empty()
	for x := int32(0); x < 4; x++ {
		h.Alter(pos(x, 64, 5), stone)
	}
	h.Alter(pos(2, 70, 5), glass)
	h.Alter(pos(0, 319, 6), stone)
	h.Alter(pos(1, -64, 6), stone)
	got, err := plan.Heights(t.Context(), h, project(), plan.Column{X: 4, Z: 6}, plan.Column{X: 0, Z: 5})
	want := plan.HeightMap{Max: plan.Column{X: 4, Z: 6}, Min: plan.Column{X: 0, Z: 5}, Rows: []string{"64*2 70 64 null", "319 -64 null*3"}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
}

// TestRender draws changes, and reads random ones back.
func TestRender(t *testing.T) {
	t.Parallel()
	region := box(pos(-2, 70, 0), pos(5, 71, 3))
	got := plan.Render(region, []plan.Change{
		{Pos: pos(-2, 70, 0), Before: air, After: stone}, {Pos: pos(-1, 70, 0), Before: dirt, After: stone},
		{Pos: pos(0, 70, 0), Before: air, After: glass}, {Pos: pos(2, 70, 0), Before: air, After: glass},
		{Pos: pos(2, 70, 3), Before: air, After: stone}, {Pos: pos(5, 71, 3), Before: air, After: stone},
	})
	want := plan.Rendering{
		Region: region, Removed: []plan.Count{{State: air, Count: 5}, {State: dirt, Count: 1}},
		Placed: []plan.Count{{State: stone, Count: 4}, {State: glass, Count: 2}},
		Layers: []plan.Layer{{Y: 70, Rows: []string{"0: -2=0*2 0=1 2=1", "3: 2=0"}}, {Y: 71, Rows: []string{"3: 5=0"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	rapid.Check(t, func(t *rapid.T) {
		chosen := map[geom.Pos]string{}
		var changes []plan.Change
		for p := range box(pos(-3, 60, -3), pos(3, 62, 3)).Positions() {
			if after := rapid.SampledFrom([]string{"", stone, stone, glass}).Draw(t, p.String()); after != "" {
				chosen[p] = after
				changes = append(changes, plan.Change{Pos: p, Before: air, After: after})
			}
		}
		r := plan.Render(geom.Box{}, changes)
		decoded := map[geom.Pos]string{}
		for _, layer := range r.Layers {
			for _, row := range layer.Rows {
				z, rest, _ := strings.Cut(row, ": ")
				for word := range strings.SplitSeq(rest, " ") {
					var x, y, place, n int32 = 0, layer.Y, 0, 1
					if _, err := fmt.Sscanf(word, "%d=%d*%d", &x, &place, &n); err != nil && strings.Contains(word, "*") {
						t.Fatalf("the row %q", row)
					}
					south, err := strconv.Atoi(z)
					if err != nil {
						t.Fatal(err)
					}
					for i := range n {
						decoded[pos(x+i, y, int32(south))] = r.Placed[place].State
					}
				}
			}
		}
		if diff := cmp.Diff(chosen, decoded); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
