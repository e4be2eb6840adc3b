package blocks

import "testing"

// clause: W-32
func TestRotate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		state string
		// After one, two and three quarters.
		one, two, three string
	}{
		{"stone", "stone", "stone", "stone"},
		{"loom[facing=north]", "loom[facing=east]", "loom[facing=south]", "loom[facing=west]"},
		{"end_rod[facing=up]", "end_rod[facing=up]", "end_rod[facing=up]", "end_rod[facing=up]"},
		{"oak_log[axis=x]", "oak_log[axis=z]", "oak_log[axis=x]", "oak_log[axis=z]"},
		{"oak_log[axis=y]", "oak_log[axis=y]", "oak_log[axis=y]", "oak_log[axis=y]"},
		{"oak_sign[rotation=0]", "oak_sign[rotation=4]", "oak_sign[rotation=8]", "oak_sign[rotation=12]"},
		{"oak_sign[rotation=15]", "oak_sign[rotation=3]", "oak_sign[rotation=7]", "oak_sign[rotation=11]"},
		{"rail[shape=north_south]", "rail[shape=east_west]", "rail[shape=north_south]", "rail[shape=east_west]"},
		{"rail[shape=east_west]", "rail[shape=north_south]", "rail[shape=east_west]", "rail[shape=north_south]"},
		{"rail[shape=ascending_north]", "rail[shape=ascending_east]",
			"rail[shape=ascending_south]", "rail[shape=ascending_west]"},
		{"rail[shape=south_east]", "rail[shape=south_west]",
			"rail[shape=north_west]", "rail[shape=north_east]"},
		{"jigsaw[orientation=up_north]", "jigsaw[orientation=up_east]",
			"jigsaw[orientation=up_south]", "jigsaw[orientation=up_west]"},
		{"jigsaw[orientation=west_up]", "jigsaw[orientation=north_up]",
			"jigsaw[orientation=east_up]", "jigsaw[orientation=south_up]"},
		{"oak_stairs[facing=west,half=top,shape=inner_left]", "oak_stairs[facing=north,half=top,shape=inner_left]",
			"oak_stairs[facing=east,half=top,shape=inner_left]", "oak_stairs[facing=south,half=top,shape=inner_left]"},
		{"wall[east=low,north=none,south=tall,up=true,west=none]",
			"wall[east=none,north=none,south=low,up=true,west=tall]",
			"wall[east=none,north=tall,south=none,up=true,west=low]", "wall[east=tall,north=low,south=none,up=true,west=none]"},
	}
	for _, test := range tests {
		for quarters, want := range map[int]string{
			0: test.state, 1: test.one, 2: test.two, 3: test.three, 4: test.state, 5: test.one,
			-1: test.three, -2: test.two, -3: test.one, -4: test.state, 1 << 40: test.state,
		} {
			if got := Rotate(test.state, quarters); got != want {
				t.Errorf("%s turned by %d: %s, want %s", test.state, quarters, got, want)
			}
		}
	}
}

// TestRotateAll turns all states: each turn is a state, four of them end where
// they began, and the room that a state takes turns with it. The latter holds the
// shape of stairs to boxes that know nothing of left and right.
//
// clause: W-32
func TestRotateAll(t *testing.T) {
	t.Parallel()
	for _, version := range Versions() {
		p := pack(t, version)
		turns := map[[2]int32]bool{} // of shapes that are known to be turns
		for _, state := range p.states {
			turned := state
			for quarters := 1; quarters <= 4; quarters++ {
				before := p.ids[turned]
				turned = Rotate(turned, 1)
				after, known := p.ID(turned)
				if !known || turned != Rotate(state, quarters) {
					t.Fatalf("%s: %s turned by %d is %s", version, state, quarters, turned)
				}
				k := p.owners[after]
				pair := [2]int32{k.shape(before), k.shape(after)}
				turns[pair] = turns[pair] || sameRoom(turnBoxes(p.shapes[pair[0]]), p.shapes[pair[1]])
				if !turns[pair] && !offCentre.has(k.name) {
					t.Errorf("%s: %s takes other room than what was turned", version, turned)
				}
			}
			if turned != state {
				t.Errorf("%s: %s turned four times is %s", version, state, turned)
			}
		}
	}
}

// offCentre are blocks whose form has a front though their states have none.
var offCentre = names("cake turtle_egg sniffer_egg candle *_candle bamboo pointed_dripstone")

// turnBoxes turns boxes by a quarter: x becomes z, and z runs against x.
func turnBoxes(boxes []AABB) []AABB {
	turned := make([]AABB, len(boxes))
	for i, b := range boxes {
		turned[i] = AABB{
			Min: [3]int8{Whole - b.Max[2], b.Min[1], b.Min[0]},
			Max: [3]int8{Whole - b.Min[2], b.Max[1], b.Max[0]},
		}
	}
	return turned
}

// sameRoom compares what boxes fill, however it is cut into boxes.
func sameRoom(a, b []AABB) bool { return within(a, b) && within(b, a) }

// within reports whether b fills all that a fills: it looks at the cells between
// all ends of both.
func within(a, b []AABB) bool {
	var ends [3][]int8
	for _, box := range append(append([]AABB(nil), a...), b...) {
		for axis := range 3 {
			ends[axis] = append(ends[axis], box.Min[axis], box.Max[axis])
		}
	}
	filled := func(boxes []AABB, x, y, z int8) bool {
		for _, box := range boxes {
			if box.Min[0] <= x && x < box.Max[0] && box.Min[1] <= y && y < box.Max[1] && box.Min[2] <= z && z < box.Max[2] {
				return true
			}
		}
		return false
	}
	for _, x := range ends[0] {
		for _, y := range ends[1] {
			for _, z := range ends[2] {
				if filled(a, x, y, z) && !filled(b, x, y, z) {
					return false
				}
			}
		}
	}
	return true
}
