package geom_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pharos-mcp/pharos/services/world/geom"
)

// positions of axes near each other, so that shapes meet.
var near = rapid.Int32Range(-6, 6)

func drawPos(t *rapid.T, name string) geom.Pos {
	return geom.Pos{X: near.Draw(t, name+" x"), Y: near.Draw(t, name+" y"), Z: near.Draw(t, name+" z")}
}

var blockNames = rapid.SampledFrom([]string{"a", "b", "c", "d"})

// drawPrimitive draws any operation but a repeat.
func drawPrimitive(t *rapid.T) geom.Operation {
	block, hollow := blockNames.Draw(t, "block"), rapid.Bool().Draw(t, "hollow")
	switch rapid.IntRange(0, 4).Draw(t, "type") {
	case 0:
		return geom.Cuboid{Min: drawPos(t, "min"), Max: drawPos(t, "max"), Block: block, Hollow: hollow}
	case 1:
		return geom.Line{From: drawPos(t, "from"), To: drawPos(t, "to"), Block: block}
	case 2:
		return geom.Cylinder{
			Center: drawPos(t, "center"), Radius: rapid.Int32Range(0, 7).Draw(t, "radius"),
			Height: rapid.Int32Range(1, 5).Draw(t, "height"), Block: block, Hollow: hollow,
		}
	case 3:
		return geom.Sphere{Center: drawPos(t, "center"), Radius: rapid.Int32Range(0, 6).Draw(t, "radius"), Block: block, Hollow: hollow}
	default:
		return geom.Replace{Min: drawPos(t, "min"), Max: drawPos(t, "max"), From: blockNames.Draw(t, "from"), Block: block}
	}
}

func drawOperation(t *rapid.T, depth int) geom.Operation {
	if depth == 0 || rapid.IntRange(0, 2).Draw(t, "repeat") > 0 {
		return drawPrimitive(t)
	}
	return geom.Repeat{
		Count: rapid.Int32Range(1, 3).Draw(t, "count"), Offset: drawPos(t, "offset"), Operations: drawOperations(t, depth-1),
	}
}

func drawOperations(t *rapid.T, depth int) []geom.Operation {
	operations := make([]geom.Operation, rapid.IntRange(1, 3).Draw(t, "operations"))
	for i := range operations {
		operations[i] = drawOperation(t, depth)
	}
	return operations
}

// wide limits leave it to the test that looks for them to find the bounds.
func wideLimits() geom.Limits {
	l := geom.Default()
	l.Result, l.Work = 1<<20, 1<<24
	return l
}

// TestPrimitives holds each shape to its definition, spelled out over every
// position of a box that is larger than it.
//
// clause: W-12
func TestPrimitives(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := drawPrimitive(t)
		want := map[geom.Pos]string{}
		for p := range geom.NewBox(geom.Pos{X: -15, Y: -15, Z: -15}, geom.Pos{X: 15, Y: 15, Z: 15}).Positions() {
			if block := defined(o, p); block != "" {
				want[p] = block
			}
		}
		placements, err := geom.Compile(geom.Recipe{Version: 1, Operations: []geom.Operation{o}}, wideLimits())
		if err != nil {
			t.Fatal(err)
		}
		got := map[geom.Pos]string{}
		for _, p := range placements {
			got[p.Pos] = p.Block
		}
		if len(got) != len(placements) {
			t.Errorf("%d positions in %d placements", len(got), len(placements))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%#v (-want +got):\n%s", o, diff)
		}
	})
}

// TestRecipesAreDoneInOrder holds whole recipes to doing them block by block in
// a world, repeats written out and later operations over earlier ones.
//
// clause: W-12
func TestRecipesAreDoneInOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := geom.Recipe{Version: 1, Operations: drawOperations(t, 2)}
		seed := rapid.Int32Range(0, 1000).Draw(t, "world")
		world := func(p geom.Pos) string { return []string{"a", "b", "c", "air"}[uint32(p.X*7+p.Y*31+p.Z*101+seed)%4] }

		want := map[geom.Pos]string{}
		for _, o := range writtenOut(r.Operations, geom.Pos{}) {
			for p := range around(o).Positions() {
				now, ok := want[p]
				if !ok {
					now = world(p)
				}
				if block := defined(o, p); block != "" {
					want[p] = now
					if replace, ok := o.(geom.Replace); !ok || replace.From == now {
						want[p] = block
					}
				}
			}
		}

		placements, err := geom.Compile(r, wideLimits())
		if err != nil {
			t.Fatal(err)
		}
		got := map[geom.Pos]string{}
		for _, p := range placements {
			now, ok := got[p.Pos]
			if !ok {
				now = world(p.Pos)
			}
			if p.Only == "" || p.Only == now {
				now = p.Block
			}
			got[p.Pos] = now
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// TestLines has what a line promises beyond its formula.
//
// clause: W-12
func TestLines(t *testing.T) {
	t.Parallel()
	far := rapid.Int32Range(-40, 40)
	rapid.Check(t, func(t *rapid.T) {
		from := geom.Pos{X: far.Draw(t, "x"), Y: far.Draw(t, "y"), Z: far.Draw(t, "z")}
		to := geom.Pos{X: far.Draw(t, "x"), Y: far.Draw(t, "y"), Z: far.Draw(t, "z")}
		forth, back := lineOf(t, from, to), lineOf(t, to, from)
		if diff := cmp.Diff(forth, back); diff != "" {
			t.Errorf("from the other end (-forth +back):\n%s", diff)
		}
		d := to.Sub(from)
		if n := max(d.X, -d.X, d.Y, -d.Y, d.Z, -d.Z); len(forth) != int(n)+1 {
			t.Errorf("%d positions for a way of %d", len(forth), n)
		}
		// From the one end every position is reached by steps to one of the 26 around.
		seen := map[geom.Pos]bool{from: true}
		for next := []geom.Pos{from}; len(next) > 0; {
			p := next[0]
			next = next[1:]
			for q := range geom.NewBox(p.Add(geom.Pos{X: -1, Y: -1, Z: -1}), p.Add(geom.Pos{X: 1, Y: 1, Z: 1})).Positions() {
				if forth[q] && !seen[q] {
					seen[q] = true
					next = append(next, q)
				}
			}
		}
		if !forth[from] || !forth[to] || len(seen) != len(forth) {
			t.Errorf("%d of %d positions are connected; ends: %v %v", len(seen), len(forth), forth[from], forth[to])
		}
	})
}

func lineOf(t *rapid.T, from, to geom.Pos) map[geom.Pos]bool {
	line := geom.Line{From: from, To: to, Block: "a"}
	placements, err := geom.Compile(geom.Recipe{Version: 1, Operations: []geom.Operation{line}}, wideLimits())
	if err != nil {
		t.Fatal(err)
	}
	set := map[geom.Pos]bool{}
	for _, p := range placements {
		set[p.Pos] = true
	}
	return set
}

// TestShapesKnown counts shapes that anybody can draw.
//
// clause: W-12
func TestShapesKnown(t *testing.T) {
	t.Parallel()
	at := func(x, y, z int32) geom.Pos { return geom.Pos{X: x, Y: y, Z: z} }
	for name, c := range map[string]struct {
		o    geom.Operation
		want int
	}{
		"one block":             {geom.Cuboid{Min: at(1, 1, 1), Max: at(1, 1, 1), Block: "a"}, 1},
		"one block, hollow":     {geom.Cuboid{Min: at(1, 1, 1), Max: at(1, 1, 1), Block: "a", Hollow: true}, 1},
		"two thick, hollow":     {geom.Cuboid{Min: at(0, 0, 0), Max: at(1, 9, 9), Block: "a", Hollow: true}, 200},
		"a room":                {geom.Cuboid{Min: at(0, 0, 0), Max: at(4, 4, 4), Block: "a", Hollow: true}, 98},
		"a room, reversed":      {geom.Cuboid{Min: at(4, 0, 4), Max: at(0, 4, 0), Block: "a", Hollow: true}, 98},
		"a plate, hollow":       {geom.Cuboid{Min: at(0, 0, 0), Max: at(4, 0, 4), Block: "a", Hollow: true}, 25},
		"a column":              {geom.Cylinder{Height: 7, Block: "a"}, 7},
		"a column, hollow":      {geom.Cylinder{Height: 7, Block: "a", Hollow: true}, 7},
		"a cross":               {geom.Cylinder{Radius: 1, Height: 1, Block: "a"}, 5},
		"a ring":                {geom.Cylinder{Radius: 1, Height: 1, Block: "a", Hollow: true}, 4},
		"a disc":                {geom.Cylinder{Radius: 2, Height: 1, Block: "a"}, 13},
		"a wider ring":          {geom.Cylinder{Radius: 2, Height: 3, Block: "a", Hollow: true}, 3 * 8},
		"a point":               {geom.Sphere{Block: "a", Hollow: true}, 1},
		"a ball":                {geom.Sphere{Radius: 1, Block: "a"}, 7},
		"a shell":               {geom.Sphere{Radius: 1, Block: "a", Hollow: true}, 6},
		"no way":                {geom.Line{From: at(3, 3, 3), To: at(3, 3, 3), Block: "a"}, 1},
		"a diagonal":            {geom.Line{From: at(0, 0, 0), To: at(9, -9, 9), Block: "a"}, 10},
		"rounds that lie apart": {geom.Repeat{Count: 3, Offset: at(0, 2, 0), Operations: []geom.Operation{geom.Line{Block: "a"}}}, 3},
		"rounds that meet":      {geom.Repeat{Count: 3, Operations: []geom.Operation{geom.Line{To: at(3, 0, 0), Block: "a"}}}, 4},
		"rounds back":           {geom.Repeat{Count: 3, Offset: at(-1, 0, 0), Operations: []geom.Operation{geom.Line{To: at(3, 0, 0), Block: "a"}}}, 6},
	} {
		placements, err := geom.Compile(geom.Recipe{Version: 1, Operations: []geom.Operation{c.o}}, geom.Default())
		if err != nil || len(placements) != c.want {
			t.Errorf("%s: %d placements, error %v, want %d", name, len(placements), err, c.want)
		}
	}
}
