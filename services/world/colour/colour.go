package colour

import "strings"

// RGBA is a colour with how opaque it is: 255 hides what is behind it.
type RGBA struct{ R, G, B, A uint8 }

// Of returns the colour of a canonical state, such as
// "minecraft:oak_log[axis=y]". What no rule knows is a grey of its own, and
// known is false.
func Of(state string) (c RGBA, known bool) {
	name, _, _ := strings.Cut(strings.TrimPrefix(state, "minecraft:"), "[")
	if c, ok := exact[name]; ok {
		return c, true
	}
	for _, r := range rules {
		if c, ok := r(name); ok {
			return c, true
		}
	}
	return unknown, false
}

var unknown = RGBA{136, 128, 140, 255}

// rules are asked in their order: what grows on a tree before its wood, and
// dyes before what is dyed.
var rules = []func(name string) (RGBA, bool){leaf, dyed, ore, wooden, stone, metal, plant, part}

// part finds the material of what is made of another block: slabs, stairs,
// walls and the like.
func part(name string) (RGBA, bool) {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "waxed_"), "petrified_")
	name = strings.Replace(name, "_wall_", "_", 1) // what hangs looks like what stands
	if c, ok := exact[name]; ok {
		return c, true
	}
	if strings.HasSuffix(name, "_cauldron") {
		return exact["cauldron"], true
	}
	for _, ending := range []string{"_slab", "_stairs", "_wall", "_fence", "_fence_gate", "_pane", "_carpet", "_block", "_pillar", "_pressure_plate", "_button"} {
		base, ok := strings.CutSuffix(name, ending)
		if !ok {
			continue
		}
		for _, full := range []string{base, base + "s", base + "_block", base + "_planks"} {
			if c, ok := exact[full]; ok {
				return c, true
			}
			for _, r := range []func(string) (RGBA, bool){dyed, wooden, stone, metal} {
				if c, ok := r(full); ok {
					return c, true
				}
			}
		}
	}
	return RGBA{}, false
}

// shade returns c by a share of 100, at most white.
func shade(c RGBA, percent int) RGBA {
	by := func(v uint8) uint8 { return uint8(min(255, int(v)*percent/100)) }
	return RGBA{by(c.R), by(c.G), by(c.B), c.A}
}

// mix returns the colour between two, with percent of the second.
func mix(a, b RGBA, percent int) RGBA {
	by := func(x, y uint8) uint8 { return uint8((int(x)*(100-percent) + int(y)*percent) / 100) }
	return RGBA{by(a.R, b.R), by(a.G, b.G), by(a.B, b.B), a.A}
}

func solid(hex uint32) RGBA { return RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255} }

func clear(hex uint32, alpha uint8) RGBA {
	c := solid(hex)
	c.A = alpha
	return c
}
