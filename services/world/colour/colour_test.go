package colour_test

import (
	"testing"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/colour"
)

// TestEveryBlock: every block of every version has a colour by rule, and what
// stands for nothing is clear.
func TestEveryBlock(t *testing.T) {
	t.Parallel()
	for _, version := range blocks.Versions() {
		pack, err := blocks.Load(version)
		if err != nil {
			t.Fatal(err)
		}
		unknown := map[string]bool{}
		for id := range int32(pack.Count()) {
			state, _ := pack.State(id)
			c, known := colour.Of(state)
			name, _ := blocks.Split(state)
			if !known {
				unknown[name] = true
			}
			if pack.Solid(state) && c.A == 0 && name != "minecraft:barrier" && name != "minecraft:moving_piston" {
				t.Errorf("%s: %s is solid and cannot be seen", version, state)
			}
		}
		for name := range unknown {
			t.Errorf("%s: no rule is about %s", version, name)
		}
	}
}

// TestOrder: what two rules could be about has the colour of the right one.
func TestOrder(t *testing.T) {
	t.Parallel()
	of := func(state string) colour.RGBA {
		c, known := colour.Of(state)
		if !known {
			t.Errorf("%s has no colour", state)
		}
		return c
	}
	for name, states := range map[string][2]string{
		"leaves are no wood":         {"minecraft:oak_leaves[distance=1,persistent=true,waterlogged=false]", "minecraft:oak_planks"},
		"a log is no plank":          {"minecraft:oak_log[axis=y]", "minecraft:oak_planks"},
		"dark oak is no oak":         {"minecraft:dark_oak_planks", "minecraft:oak_planks"},
		"light blue is no blue":      {"minecraft:light_blue_wool", "minecraft:blue_wool"},
		"light grey is no grey":      {"minecraft:light_gray_wool", "minecraft:gray_wool"},
		"redstone is no stone":       {"minecraft:redstone_block", "minecraft:stone"},
		"red sandstone is none":      {"minecraft:red_sandstone", "minecraft:sandstone"},
		"rust shows":                 {"minecraft:oxidized_copper", "minecraft:copper_block"},
		"an ore is no rock":          {"minecraft:diamond_ore", "minecraft:stone"},
		"fired clay is no plain dye": {"minecraft:red_terracotta", "minecraft:red_wool"},
	} {
		if of(states[0]) == of(states[1]) {
			t.Errorf("%s: %s looks like %s", name, states[0], states[1])
		}
	}
	for _, same := range [][2]string{
		{"minecraft:oak_stairs[facing=east,half=bottom,shape=straight,waterlogged=false]", "minecraft:oak_planks"},
		{"minecraft:stone_brick_slab[type=top,waterlogged=false]", "minecraft:stone_bricks"},
		{"minecraft:waxed_oxidized_cut_copper_stairs[facing=east,half=bottom,shape=straight,waterlogged=false]", "minecraft:oxidized_copper"},
		{"minecraft:white_carpet", "minecraft:white_wool"},
	} {
		if of(same[0]) != of(same[1]) {
			t.Errorf("%s does not look like %s", same[0], same[1])
		}
	}
	if c, known := colour.Of("minecraft:no_such_thing"); known || c.A != 255 {
		t.Errorf("an unknown block is %v, %t", c, known)
	}
}
