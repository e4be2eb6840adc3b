package schem_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/nbt"
	"github.com/pharos-mcp/pharos/services/world/schem"
)

// made is a schematic of the states.
func made(t testing.TB, width, height, length int, offset geom.Pos, states ...string) *schem.Schematic {
	t.Helper()
	s, err := schem.New(width, height, length, states)
	if err != nil {
		t.Fatal(err)
	}
	s.Offset, s.DataVersion = offset, pack(t).DataVersion()
	return s
}

// clause: W-32
func TestPlace(t *testing.T) {
	t.Parallel()
	stairs := func(facing string) string {
		return "minecraft:oak_stairs[facing=" + facing + ",half=top,shape=inner_left,waterlogged=false]"
	}
	// Stairs that face east, a log to their east, air on top of both.
	s := made(t, 2, 2, 1, geom.Pos{X: 3, Y: -1, Z: 5},
		stairs("east"), "minecraft:oak_log[axis=x]", "minecraft:air", "minecraft:stone")
	target := geom.Pos{X: 100, Y: 64, Z: -200}
	for rotation, want := range map[int][]geom.Placement{
		0: {
			{Pos: geom.Pos{X: 103, Y: 63, Z: -195}, Block: stairs("east")},
			{Pos: geom.Pos{X: 104, Y: 63, Z: -195}, Block: "minecraft:oak_log[axis=x]"},
			{Pos: geom.Pos{X: 103, Y: 64, Z: -195}, Block: "minecraft:air"},
			{Pos: geom.Pos{X: 104, Y: 64, Z: -195}, Block: "minecraft:stone"},
		},
		90: {
			{Pos: geom.Pos{X: 95, Y: 63, Z: -197}, Block: stairs("south")},
			{Pos: geom.Pos{X: 95, Y: 63, Z: -196}, Block: "minecraft:oak_log[axis=z]"},
			{Pos: geom.Pos{X: 95, Y: 64, Z: -197}, Block: "minecraft:air"},
			{Pos: geom.Pos{X: 95, Y: 64, Z: -196}, Block: "minecraft:stone"},
		},
		180: {
			{Pos: geom.Pos{X: 96, Y: 63, Z: -205}, Block: "minecraft:oak_log[axis=x]"},
			{Pos: geom.Pos{X: 97, Y: 63, Z: -205}, Block: stairs("west")},
			{Pos: geom.Pos{X: 96, Y: 64, Z: -205}, Block: "minecraft:stone"},
			{Pos: geom.Pos{X: 97, Y: 64, Z: -205}, Block: "minecraft:air"},
		},
		270: {
			{Pos: geom.Pos{X: 105, Y: 63, Z: -204}, Block: "minecraft:oak_log[axis=z]"},
			{Pos: geom.Pos{X: 105, Y: 63, Z: -203}, Block: stairs("north")},
			{Pos: geom.Pos{X: 105, Y: 64, Z: -204}, Block: "minecraft:stone"},
			{Pos: geom.Pos{X: 105, Y: 64, Z: -203}, Block: "minecraft:air"},
		},
	} {
		t.Run(fmt.Sprint(rotation), func(t *testing.T) {
			t.Parallel()
			got, err := s.Place(target, rotation, pack(t))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("other blocks (-want +got):\n%s", diff)
			}
		})
	}
}

// clause: W-32
func TestPlaceRefuses(t *testing.T) {
	t.Parallel()
	at := func(offset geom.Pos) *schem.Schematic { return made(t, 1, 1, 1, offset, "minecraft:stone") }
	for name, c := range map[string]struct {
		s        *schem.Schematic
		target   geom.Pos
		rotation int
		want     fault.Code
	}{
		"the largest offset that fits": {at(geom.Pos{X: math.MaxInt32 - 1}), geom.Pos{X: 1}, 0, ""},
		"one that is larger":           {at(geom.Pos{X: math.MaxInt32}), geom.Pos{X: 1}, 0, "out_of_bounds"},
		"one that is larger turned":    {at(geom.Pos{X: math.MinInt32}), geom.Pos{}, 180, "out_of_bounds"},
		"45 degrees":                   {at(geom.Pos{}), geom.Pos{}, 45, fault.Invalid},
		"360 degrees":                  {at(geom.Pos{}), geom.Pos{}, 360, fault.Invalid},
		"-90 degrees":                  {at(geom.Pos{}), geom.Pos{}, -90, fault.Invalid},
		"a state of another version":   {made(t, 1, 1, 1, geom.Pos{}, "minecraft:stonee"), geom.Pos{}, 0, schem.BadBlock},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := c.s.Place(c.target, c.rotation, pack(t)); fault.CodeOf(err) != c.want {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// clause: W-32, W-33
func TestStructureVoid(t *testing.T) {
	t.Parallel()
	r := root()
	r.Set("Palette", compound("minecraft:structure_void", nbt.Int(0), "minecraft:stone", nbt.Int(1)))
	_, err := schem.Decode(file(t, r), pack(t), schem.Options{Policy: building})
	if got := fault.CodeOf(err); got != schem.BadBlock {
		t.Errorf("without the extension: %v, want %q", err, schem.BadBlock)
	}
	s, err := schem.Decode(file(t, r), pack(t), schem.Options{Policy: building, StructureVoid: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Solid(); got != 2 {
		t.Errorf("%d positions are not air, want 2", got)
	}
	got, err := s.Place(geom.Pos{}, 0, pack(t))
	if err != nil {
		t.Fatal(err)
	}
	want := []geom.Placement{
		{Pos: geom.Pos{X: 1}, Block: "minecraft:stone"},
		{Pos: geom.Pos{Z: 1}, Block: "minecraft:stone"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("other blocks (-want +got):\n%s", diff)
	}
}
