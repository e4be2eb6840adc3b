package schem_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// turned is what nucleation says of a file.
type turned struct {
	Width, Height, Length int
	Blocks                []string
}

// at is the state at a position counted from the smallest corner, "" outside.
func (a turned) at(p geom.Pos) string {
	x, y, z := int(p.X), int(p.Y), int(p.Z)
	if x < 0 || x >= a.Width || y < 0 || y >= a.Height || z < 0 || z >= a.Length {
		return ""
	}
	return a.Blocks[x+a.Width*(z+a.Length*y)]
}

// turning is one state of each kind that turns: stairs of every facing, half and
// shape, pillars of every axis, and what the extensions allow.
func turning() []string {
	facing := []string{"north", "east", "south", "west"}
	half := []string{"top", "bottom"}
	join := [][]string{
		product("minecraft:oak_stairs[facing=%s,half=%s,shape=%s,waterlogged=false]", facing, half,
			[]string{"straight", "inner_left", "inner_right", "outer_left", "outer_right"}),
		product("minecraft:%s[axis=%s]", []string{"oak_log", "quartz_pillar"}, []string{"x", "y", "z"}),
		product("minecraft:oak_trapdoor[facing=%s,half=%s,open=false,powered=false,waterlogged=false]", facing, half),
		product("minecraft:ladder[facing=%s,waterlogged=false]", facing),
		{
			"minecraft:oak_fence[east=false,north=true,south=false,waterlogged=false,west=false]",
			"minecraft:oak_fence[east=true,north=true,south=false,waterlogged=false,west=false]",
			"minecraft:glass_pane[east=false,north=true,south=true,waterlogged=false,west=true]",
			"minecraft:cobblestone_wall[east=low,north=tall,south=none,up=true,waterlogged=false,west=none]",
			"minecraft:oak_slab[type=top,waterlogged=false]",
		},
	}
	var states []string
	for _, list := range join {
		states = append(states, list...)
	}
	return states
}

// withoutShape leaves out the shape of stairs, which nucleation takes to be
// another one when they turn; the game does not.
func withoutShape(state string) string {
	name, properties := blocks.Split(state)
	if !strings.HasSuffix(name, "_stairs") {
		return state
	}
	for i, p := range properties {
		if p.Name == "shape" {
			properties[i].Value = "any"
		}
	}
	return blocks.Join(name, properties)
}

// clause: W-31, W-32
func TestPlaceAgreesWithNucleation(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("needs -long")
	}
	const width, height, length = 9, 3, 4
	offset := geom.Pos{X: -3, Y: 1, Z: 2}
	states := turning()
	for len(states) < width*height*length {
		states = append(states, "minecraft:air")
	}
	s := made(t, width, height, length, offset, states...)

	// The same in the middle of a square whose centre is the anchor: a reader
	// that knows of no offset turns the square around its centre.
	const around, tall = 8, 5
	centre := geom.Pos{X: around, Z: around}
	square := geom.NewBox(geom.Pos{}, geom.Pos{X: 2 * around, Y: tall - 1, Z: 2 * around})
	inSquare := make([]string, 0, square.Volume())
	for p := range square.Positions() {
		state := "minecraft:air"
		if q := p.Sub(centre.Add(offset)); q.X >= 0 && q.X < width && q.Y >= 0 && q.Y < height && q.Z >= 0 && q.Z < length {
			state = s.At(int(q.X), int(q.Y), int(q.Z))
		}
		inSquare = append(inSquare, state)
	}
	x, y, z := square.Size()
	answers := othersRead[map[int]turned](t, "nucleation.mjs", s, made(t, int(x), int(y), int(z), geom.Pos{}, inSquare...))
	box, squared := answers[0], answers[1]

	if diff := cmp.Diff(states, box[0].Blocks); diff != "" {
		t.Fatalf("it reads other states (-written +read):\n%s", diff)
	}
	compared := 0
	for _, rotation := range []int{0, 90, 180, 270} {
		placed, err := s.Place(centre, rotation, pack(t))
		if err != nil {
			t.Fatal(err)
		}
		low := placed[0].Pos
		for _, p := range placed {
			low = geom.Pos{X: min(low.X, p.X), Y: min(low.Y, p.Y), Z: min(low.Z, p.Z)}
		}
		if len(placed) != len(states) || len(box[rotation].Blocks) != len(states) {
			t.Fatalf("%d degrees: %d of our blocks, %d of its", rotation, len(placed), len(box[rotation].Blocks))
		}
		for _, p := range placed {
			want := withoutShape(p.Block)
			if got := withoutShape(box[rotation].at(p.Pos.Sub(low))); got != want {
				t.Errorf("%d degrees, %s from the corner: %s, nucleation has %s", rotation, p.Pos.Sub(low), want, got)
			}
			if got := withoutShape(squared[rotation].at(p.Pos)); got != want {
				t.Errorf("%d degrees, %s from the anchor: %s, nucleation has %s", rotation, p.Pos.Sub(centre), want, got)
			}
			compared++
		}
	}
	t.Logf("%d blocks at 4 angles, from the corner and from the anchor", compared)
}
