package blocks

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestShape(t *testing.T) {
	t.Parallel()
	p := pack(t, "1.20.2")
	half := AABB{Max: [3]int8{Whole, Whole / 2, Whole}}
	upper := AABB{Min: [3]int8{0, Whole / 2, 0}, Max: [3]int8{Whole, Whole, Whole}}
	tests := []struct {
		state string
		want  []AABB
		solid bool
	}{
		{"stone", []AABB{fullCube}, true},
		{"oak_log", []AABB{fullCube}, true},
		{"oak_leaves", []AABB{fullCube}, true},
		{"glass", []AABB{fullCube}, true},
		{"air", []AABB{}, false},
		{"torch", []AABB{}, false},
		{"water", []AABB{}, false},
		{"oak_slab", []AABB{half}, false},
		{"oak_slab[type=top]", []AABB{upper}, false},
		{"oak_slab[type=double]", []AABB{fullCube}, true},
		{"oak_fence", []AABB{{Min: [3]int8{12, 0, 12}, Max: [3]int8{20, 48, 20}}}, false},
		{"red_carpet", []AABB{{Max: [3]int8{Whole, 2, Whole}}}, false},
	}
	for _, test := range tests {
		state, err := p.Parse(test.state)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, p.Shape(state)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", state, diff)
		}
		if got := p.Solid(state); got != test.solid {
			t.Errorf("%s is solid: %v", state, got)
		}
	}
	if p.Shape("minecraft:stonee") != nil || p.Solid("minecraft:stonee") {
		t.Error("what is no state takes room")
	}
}

// TestStairs builds the room of stairs from what their properties say: half a
// block below or above, and two, one or three quarters of the other half.
func TestStairs(t *testing.T) {
	t.Parallel()
	quarters := map[string][]string{ // of stairs that face north: the high quarters
		"straight": {"nw", "ne"}, "outer_left": {"nw"}, "outer_right": {"ne"},
		"inner_left": {"nw", "ne", "sw"}, "inner_right": {"nw", "ne", "se"},
	}
	corner := map[string][2]int8{"nw": {0, 0}, "ne": {Whole / 2, 0}, "sw": {0, Whole / 2}, "se": {Whole / 2, Whole / 2}}
	for _, version := range Versions() {
		p := pack(t, version)
		for _, k := range p.kinds {
			if k.class != Stairs {
				continue
			}
			for half, base := range map[string]int8{"bottom": 0, "top": Whole / 2} {
				for shape, high := range quarters {
					want := []AABB{{Min: [3]int8{0, base, 0}, Max: [3]int8{Whole, base + Whole/2, Whole}}}
					for _, name := range high {
						x, z := corner[name][0], corner[name][1]
						want = append(want, AABB{
							Min: [3]int8{x, Whole/2 - base, z}, Max: [3]int8{x + Whole/2, Whole - base, z + Whole/2},
						})
					}
					state := k.name + "[facing=north,half=" + half + ",shape=" + shape + ",waterlogged=false]"
					for range 4 {
						if got := p.Shape(state); len(got) > 3 || !sameRoom(got, want) {
							t.Fatalf("%s: %s takes %v, want %v", version, state, got, want)
						}
						state, want = Rotate(state, 1), turnBoxes(want)
					}
				}
			}
		}
	}
}
