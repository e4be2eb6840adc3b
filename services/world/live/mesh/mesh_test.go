package mesh_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/colour"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/live/mesh"
)

const (
	air     = "minecraft:air"
	stone   = "minecraft:stone"
	wool    = "minecraft:red_wool"
	glass   = "minecraft:glass"
	stained = "minecraft:blue_stained_glass"
	water   = "minecraft:water[level=0]"
	lower   = "minecraft:oak_slab[type=bottom,waterlogged=false]"
	upper   = "minecraft:stone_slab[type=top,waterlogged=false]"
	stairs  = "minecraft:oak_stairs[facing=east,half=bottom,shape=straight,waterlogged=false]"
	corner  = "minecraft:spruce_stairs[facing=north,half=top,shape=inner_left,waterlogged=false]"
	torch   = "minecraft:torch"
	fence   = "minecraft:oak_fence[east=false,north=false,south=false,waterlogged=false,west=false]"
)

func pack(t testing.TB) *blocks.Pack {
	t.Helper()
	p, err := blocks.Load(blocks.Default)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// layers is how high the columns of these tests are, in two sections from y -16.
const layers = 32

// column makes a chunk of what stands at x and z from 0 to 15 and y from 0.
func column(table *mesh.Table, at func(x, y, z int) string) *mesh.Column {
	c := &host.Column{MinY: -16, Sections: make([]host.Section, layers/16)}
	for i := range c.Sections {
		s := &c.Sections[i]
		s.Cells = make([]uint16, 4096)
		places := map[string]uint16{}
		for cell := range s.Cells {
			state := at(cell&15, i*16+cell>>8, cell>>4&15)
			place, ok := places[state]
			if !ok {
				place = uint16(len(s.Palette))
				places[state] = place
				s.Palette = append(s.Palette, state)
			}
			s.Cells[cell] = place
		}
		if len(s.Palette) == 1 {
			s.Cells = nil
		}
	}
	return mesh.NewColumn(table, c)
}

// only is a column with one block in it.
func only(x, y, z int, state string) func(int, int, int) string {
	return func(a, b, c int) string {
		if a == x && b == y && c == z {
			return state
		}
		return air
	}
}

// TestShapes: how many faces are seen of what, and where.
func TestShapes(t *testing.T) {
	t.Parallel()
	table := mesh.NewTable(pack(t))
	for _, c := range []struct {
		name          string
		at            func(x, y, z int) string
		opaque, clear int
	}{
		{"air", only(0, 0, 0, air), 0, 0},
		{"a cube", only(3, 17, 5, stone), 6, 0},
		{"a pane of glass", only(0, 0, 0, glass), 0, 6},
		{"water", only(0, 0, 0, water), 0, 6},
		{"a slab", only(1, 1, 1, lower), 6, 0},
		{"what takes no room", only(1, 1, 1, torch), 6, 0},
		{"a fence, no higher than its block", only(1, 15, 1, fence), 6, 0},
		{"what nothing is known of", only(1, 1, 1, "minecraft:nothing"), 6, 0},
		{"what cannot be seen", only(1, 1, 1, "minecraft:barrier[waterlogged=false]"), 0, 0},
		{"a floor, a row of faces in one", func(_, y, _ int) string { return map[bool]string{true: stone, false: air}[y == 4] }, 16 + 16 + 4, 0},
		{"two walls, each a row", func(x, y, _ int) string {
			return map[bool]string{true: stone, false: air}[y == 4 && (x == 2 || x == 4)]
		}, 2 * (16 + 16 + 4), 0},
		{"all of it, whole sections", func(int, int, int) string { return stone }, 16 + 16 + 4*layers, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			opaque, clear := 0, 0
			for _, s := range column(table, c.at).Mesh(mesh.Around{}) {
				opaque, clear = opaque+len(s.Opaque), clear+len(s.Clear)
				for _, q := range append(s.Opaque, s.Clear...) {
					for axis := range 3 {
						if q.Max[axis] > 512 {
							t.Errorf("%+v reaches out of its section", q)
						}
					}
				}
			}
			if opaque != c.opaque || clear != c.clear {
				t.Errorf("%d opaque and %d clear faces, not %d and %d", opaque, clear, c.opaque, c.clear)
			}
		})
	}
}

// TestOne: a face in full, in the section above the lowest.
func TestOne(t *testing.T) {
	t.Parallel()
	sections := column(mesh.NewTable(pack(t)), only(2, 17, 3, lower)).Mesh(mesh.Around{})
	if len(sections) != 1 || sections[0].Y != 0 {
		t.Fatalf("%+v", sections)
	}
	c, _ := colour.Of(lower)
	want := mesh.Quad{Min: [3]uint16{64, 48, 96}, Max: [3]uint16{96, 48, 128}, Side: mesh.Up, Colour: c}
	for _, q := range sections[0].Opaque {
		if q.Side == mesh.Up && q != want {
			t.Error(cmp.Diff(want, q))
		}
	}
}

// world is a place of 3×3 chunks, of which those in the middle and beside it count.
type world [48][layers][48]string

// half is half a block in each direction, by its place in the middle chunk; from
// -32 to 63.
type half struct{ x, y, z int }

// face is the face of half a block.
type face struct {
	half
	side mesh.Side
}

// fill puts some of the states into a part of the world.
func (w *world) fill(r *rand.Rand, states []string) {
	for x := range 48 {
		for y := range layers {
			for z := range 48 {
				w[x][y][z] = air
				if y > 12 && y < 20 && r.IntN(3) > 0 {
					w[x][y][z] = states[r.IntN(len(states))]
				}
			}
		}
	}
}

// at is the state of the block that a half is part of.
func (w *world) at(h half) string {
	if y := h.y >> 1; y < 0 || y >= layers {
		return air
	}
	return w[16+h.x>>1][h.y>>1][16+h.z>>1]
}

// solid is a state's colour, and which of its eight halves are there.
type solid struct {
	colour colour.RGBA
	there  [2][2][2]bool // x, y, z
}

// solids looks at the shapes of states.
func solids(p *blocks.Pack, states []string) map[string]solid {
	all := map[string]solid{}
	for _, state := range states {
		var s solid
		s.colour, _ = colour.Of(state)
		shape := p.Shape(state)
		if state == water {
			shape = []blocks.AABB{{Max: [3]int8{32, 32, 32}}}
		}
		for i := range int8(8) {
			at := [3]int8{i >> 2, i >> 1 & 1, i & 1}
			for _, box := range shape {
				in := true
				for axis := range 3 {
					in = in && box.Min[axis] <= 16*at[axis] && box.Max[axis] >= 16*at[axis]+16
				}
				s.there[at[0]][at[1]][at[2]] = s.there[at[0]][at[1]][at[2]] || in
			}
		}
		all[state] = s
	}
	return all
}

// filled is the colour at a half, and whether anything is there.
func (w *world) filled(all map[string]solid, h half) (colour.RGBA, bool) {
	s := all[w.at(h)]
	return s.colour, s.there[h.x&1][h.y&1][h.z&1]
}

var ways = [6]half{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}}

// visible are the faces that are seen, by looking at each half and the one beside it.
func (w *world) visible(all map[string]solid) map[face]colour.RGBA {
	seen := map[face]colour.RGBA{}
	for x := range 32 {
		for y := range 2 * layers {
			for z := range 32 {
				h := half{x, y, z}
				c, ok := w.filled(all, h)
				if !ok {
					continue
				}
				for side, way := range ways {
					beside, covered := w.filled(all, half{x + way.x, y + way.y, z + way.z})
					if !covered || beside.A < 255 && beside != c {
						seen[face{h, mesh.Side(side)}] = c
					}
				}
			}
		}
	}
	return seen
}

// meshed are the faces that the mesh has, of halves; each is counted.
func meshed(t *rapid.T, sections []mesh.Section) (map[face]colour.RGBA, map[face]int) {
	have, times := map[face]colour.RGBA{}, map[face]int{}
	for _, s := range sections {
		for i, q := range append(s.Opaque, s.Clear...) {
			if clear := i >= len(s.Opaque); clear != (q.Colour.A < 255) {
				t.Fatalf("%+v is among the wrong ones", q)
			}
			axis, low, high := int(q.Side/2), [3]int{}, [3]int{}
			for a := range 3 {
				low[a], high[a] = int(q.Min[a])/16, int(q.Max[a])/16
			}
			if high[axis] != low[axis] {
				t.Fatalf("%+v is not flat", q)
			}
			if q.Side%2 == 1 {
				low[axis]--
			}
			high[axis] = low[axis] + 1
			for x := low[0]; x < high[0]; x++ {
				for y := low[1]; y < high[1]; y++ {
					for z := low[2]; z < high[2]; z++ {
						f := face{half{x, y + 2*int(s.Y+16), z}, q.Side}
						have[f] = q.Colour
						times[f]++
					}
				}
			}
		}
	}
	return have, times
}

// TestVisible: all that is seen is in the mesh, in its colour, and nothing is in
// it that a whole opaque block hides. Of whole blocks it has what is seen and no
// more, each once.
func TestVisible(t *testing.T) {
	t.Parallel()
	p := pack(t)
	table := mesh.NewTable(p)
	cubes := []string{stone, wool, glass, stained, water}
	for name, states := range map[string][]string{"cubes": cubes, "shapes": append([]string{lower, upper, stairs, corner}, cubes...)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := solids(p, states)
			rapid.Check(t, func(t *rapid.T) {
				var w world
				w.fill(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)), states)
				part := func(x0, z0 int) *mesh.Column {
					return column(table, func(x, y, z int) string { return w[x0+x][y][z0+z] })
				}
				around := mesh.Around{West: part(0, 16), East: part(32, 16), North: part(16, 0), South: part(16, 32)}
				have, times := meshed(t, part(16, 16).Mesh(around))
				seen := w.visible(all)
				for f, c := range seen {
					if got, ok := have[f]; !ok || got != c {
						t.Fatalf("%+v of %s is seen in %v, and meshed in %v (%t)", f, w.at(f.half), c, got, ok)
					}
				}
				for f := range have {
					if _, ok := seen[f]; ok {
						if name == "cubes" && times[f] != 1 {
							t.Fatalf("%+v is there %d times", f, times[f])
						}
						continue
					}
					way := ways[f.side]
					beside := w.at(half{f.x + way.x, f.y + way.y, f.z + way.z})
					if _, ok := w.filled(all, f.half); !ok || name == "cubes" || beside == stone || beside == wool {
						t.Fatalf("%+v of %s is hidden by %s, and meshed", f, w.at(f.half), beside)
					}
				}
			})
		})
	}
}

// TestEncode: the numbers are where the page looks for them.
func TestEncode(t *testing.T) {
	t.Parallel()
	quad := mesh.Quad{Min: [3]uint16{512, 2, 3}, Max: [3]uint16{512, 5, 6}, Side: mesh.East, Colour: colour.RGBA{R: 7, G: 8, B: 9, A: 10}}
	got := mesh.Encode(host.ChunkPos{X: -1, Z: 2}, 3, []mesh.Section{{Y: -64, Opaque: []mesh.Quad{quad}, Clear: []mesh.Quad{quad, quad}}})
	one := "00120200030000020500060008070a09"
	want := "ffffffff" + "02000000" + "01000000" + "00000000" + "0300000000000000" +
		"c0ffffff" + "01000000" + "02000000" + "00000000" + one + one + one
	if diff := cmp.Diff(want, fmt.Sprintf("%x", got)); diff != "" {
		t.Error(diff)
	}
}

// BenchmarkMesh meshes a hill of stone, slabs and glass.
func BenchmarkMesh(b *testing.B) {
	c := column(mesh.NewTable(pack(b)), func(x, y, z int) string {
		switch top := 8 + (x*z)%11; {
		case y < top:
			return stone
		case y == top:
			return []string{lower, glass, stairs}[(x+z)%3]
		default:
			return air
		}
	})
	for b.Loop() {
		c.Mesh(mesh.Around{})
	}
}
