package blocks

import (
	"slices"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/geom"
)

// clause: W-13
func TestBreaks(t *testing.T) {
	t.Parallel()
	tests := []struct {
		block string
		side  geom.Pos
		// What may stand at the side, and what may not. All else that the tests name
		// for other blocks may or may not.
		keeps, breaks string
	}{
		// On the floor.
		{"torch", down, "stone", "air"},
		{"torch", down, "oak_fence", "oak_slab"},
		{"torch", down, "oak_slab[type=top]", "oak_leaves"},
		{"torch", down, "furnace", "hopper"},
		{"torch", up, "air", ""},
		{"torch", north, "air", ""},
		{"redstone_wire", down, "glass", "oak_slab"},
		{"repeater", down, "oak_stairs[half=top]", "oak_stairs[half=bottom]"},
		{"stone_pressure_plate", down, "oak_fence", "air"},
		{"candle", down, "stone", "air"},
		{"rail", down, "stone", "air"},
		{"powered_rail[shape=ascending_east]", east, "stone", "air"},
		{"powered_rail[shape=ascending_east]", west, "air", ""},
		{"rail[shape=north_south]", north, "air", ""},
		{"red_carpet", down, "torch", "air"},
		{"moss_carpet", down, "water", "cave_air"},
		{"snow[layers=3]", down, "stone", "ice"},
		{"snow[layers=3]", down, "snow[layers=8]", "snow[layers=7]"},
		{"oak_sign", down, "oak_fence", "torch"},
		{"red_banner", down, "oak_leaves", "air"},
		{"cake", down, "oak_slab[type=double]", "air"},
		{"fire", down, "netherrack", "air"},
		{"soul_fire", down, "soul_sand", "stone"},
		{"oak_door[half=lower]", down, "stone", "air"},
		{"oak_door[half=upper]", up, "air", ""},

		// On walls and ceilings.
		{"wall_torch[facing=east]", west, "stone", "air"},
		{"wall_torch[facing=east]", east, "air", ""},
		{"wall_torch[facing=east]", down, "air", ""},
		{"ladder[facing=north]", south, "stone", "oak_leaves"},
		{"ladder[facing=north]", south, "oak_stairs[facing=north]", "oak_fence"},
		{"ladder[facing=south]", north, "oak_stairs[facing=south]", "oak_stairs[facing=north,shape=outer_left]"},
		{"oak_wall_sign[facing=west]", east, "oak_slab[type=double]", "air"},
		{"oak_wall_hanging_sign[facing=west]", east, "air", ""},
		{"oak_hanging_sign", up, "oak_fence", "air"},
		{"oak_hanging_sign", down, "air", ""},
		{"lever[face=floor]", down, "stone", "air"},
		{"lever[face=ceiling]", up, "stone", "air"},
		{"stone_button[face=wall,facing=south]", north, "stone", "air"},
		{"stone_button[face=wall,facing=south]", down, "air", ""},
		{"lantern[hanging=true]", up, "oak_fence", "air"},
		{"lantern[hanging=true]", down, "air", ""},
		{"lantern[hanging=false]", down, "stone", "air"},
		{"bell[attachment=single_wall,facing=east]", east, "stone", "air"},
		{"bell[attachment=ceiling]", up, "stone", "air"},
		{"bell[attachment=floor]", down, "stone", "air"},
		{"bell[attachment=double_wall,facing=east]", east, "stone", "air"},
		{"bell[attachment=double_wall,facing=east]", west, "stone", "air"},
		{"amethyst_cluster[facing=up]", down, "stone", "air"},
		{"glow_lichen[north=true]", north, "stone", "air"},
		{"glow_lichen[north=true]", south, "air", ""},
		{"tripwire_hook[facing=north]", south, "stone", "air"},
		{"pointed_dripstone[vertical_direction=up]", down, "stone", "air"},
		{"pointed_dripstone[vertical_direction=down]", up, "pointed_dripstone", "air"},
		{"vine[east=true]", east, "stone", "air"},
		{"spore_blossom", up, "moss_block", "air"},

		// What falls.
		{"sand", down, "oak_slab", "air"},
		{"sand", up, "air", ""},
		{"gravel", down, "stone", "water"},
		{"anvil", down, "stone", "fern"},
		{"red_concrete_powder", down, "dirt", "snow[layers=1]"},
		{"red_concrete_powder", east, "stone", "water"},
		{"dragon_egg", down, "stone", "fire"},
		{"scaffolding[distance=0]", down, "stone", "air"},
		{"scaffolding[distance=2]", west, "scaffolding", "air"},

		// Halves.
		{"oak_door[half=lower]", up, "oak_door[half=upper]", "air"},
		{"oak_door[half=upper]", down, "oak_door[half=lower]", "birch_door[half=lower]"},
		{"rose_bush[half=upper]", down, "rose_bush[half=lower]", "stone"},
		{"rose_bush[half=lower]", up, "rose_bush[half=upper]", "rose_bush[half=lower]"},
		{"red_bed[part=foot,facing=east]", east, "red_bed[part=head,facing=east]", "red_bed[part=head,facing=north]"},
		{"red_bed[part=head,facing=east]", west, "red_bed[part=foot,facing=east]", "air"},
		{"red_bed[part=head,facing=east]", east, "air", ""},
		{"red_bed[part=head,facing=east]", down, "air", ""},
		{"piston[extended=true,facing=up]", up, "piston_head[facing=up]", "air"},
		{"piston[extended=false,facing=up]", up, "air", ""},
		{"piston_head[facing=up]", down, "piston[extended=true,facing=up]", "piston[extended=false,facing=up]"},
		{"nether_portal[axis=x]", east, "obsidian", "air"},
		{"nether_portal[axis=x]", north, "air", ""},

		// Plants.
		{"dandelion", down, "grass_block", "stone"},
		{"oak_sapling", down, "farmland", "sand"},
		{"dead_bush", down, "red_terracotta", "red_glazed_terracotta"},
		{"wheat", down, "farmland", "dirt"},
		{"farmland", up, "wheat", "stone"},
		{"dirt_path", up, "air", "oak_slab[type=double]"},
		{"attached_melon_stem[facing=west]", west, "melon", "air"},
		{"nether_wart", down, "soul_sand", "soul_soil"},
		{"cocoa[facing=north]", north, "jungle_log", "oak_log"},
		{"cactus", down, "sand", "dirt"},
		{"cactus", east, "torch", "stone"},
		{"cactus", up, "stone", ""},
		{"sugar_cane", down, "sugar_cane", "stone"},
		{"bamboo", down, "bamboo", "stone"},
		{"red_mushroom", down, "stone", "oak_slab"},
		{"chorus_plant[down=true]", down, "end_stone", "stone"},
		{"cave_vines_plant", down, "cave_vines", "air"},
		{"twisting_vines", down, "twisting_vines_plant", "air"},
		{"kelp_plant", up, "kelp", "air"},
		{"lily_pad", down, "water", "stone"},
		{"tube_coral", down, "stone", "air"},
		{"tube_coral_wall_fan[facing=south]", north, "stone", "air"},

		{"sunflower[half=lower]", down, "podzol", "stone"},
		{"small_dripleaf[half=lower]", down, "clay", "stone"},
		{"azalea", down, "clay", "sand"},
		{"mangrove_propagule[hanging=false]", down, "mud", "sand"},
		{"mangrove_propagule[hanging=true]", up, "mangrove_leaves", "oak_leaves"},
		{"wither_rose", down, "netherrack", "stone"},
		{"warped_roots", down, "warped_nylium", "netherrack"},
		{"pitcher_crop[half=lower]", down, "farmland", "dirt"},
		{"attached_pumpkin_stem[facing=north]", north, "pumpkin", "carved_pumpkin"},
		{"big_dripleaf", down, "big_dripleaf_stem", "stone"},
		{"big_dripleaf_stem", up, "big_dripleaf", "air"},
		{"cave_vines", up, "cave_vines_plant", "cave_vines"},
		{"weeping_vines", up, "weeping_vines_plant", "air"},
		{"weeping_vines_plant", down, "weeping_vines", "air"},
		{"twisting_vines_plant", up, "twisting_vines", "air"},
		{"hanging_roots", up, "dirt", "air"},
		{"kelp", down, "kelp_plant", "kelp"},
		{"tall_seagrass[half=lower]", down, "sand", "air"},
		{"bubble_column", down, "magma_block", "stone"},
		{"pale_hanging_moss", up, "pale_hanging_moss", "air"},
		{"pale_moss_carpet[bottom=false]", down, "pale_moss_carpet[bottom=true]", "stone"},

		// What stands by itself.
		{"stone", down, "air", ""},
		{"oak_stairs", down, "air", ""},
		{"chest", down, "air", ""},
		{"cobblestone_wall[east=tall]", east, "air", ""},
		{"oak_leaves[distance=1,persistent=false]", down, "air", ""},
		{"oak_trapdoor", north, "air", ""},
		{"skeleton_skull", down, "air", ""},
		{"grass_block", up, "stone", ""},
		{"water", north, "air", ""},
	}
	for _, test := range tests {
		found := false
		for _, version := range Versions() {
			p := pack(t, version)
			block, err := p.Parse(test.block)
			if err != nil {
				continue // of the other version
			}
			for now, want := range map[string]bool{test.keeps: false, test.breaks: true} {
				if now == "" {
					continue
				}
				state, err := p.Parse(now)
				if err != nil {
					t.Fatal(err)
				}
				if got := p.Breaks(block, test.side, state); got != want {
					t.Errorf("%s: %s with %s at %s breaks: %v", version, block, state, test.side, got)
				}
			}
			found = true
		}
		if !found {
			t.Errorf("no version has %s", test.block)
		}
	}
	p := pack(t, "1.20.2")
	if p.Breaks("minecraft:torch", down, "minecraft:stonee") || p.Breaks("minecraft:torchh", down, "minecraft:air") {
		t.Error("what is no state breaks, or breaks a torch")
	}
	for _, far := range []geom.Pos{{}, {Y: -2}, {X: 1, Y: -1}} {
		if p.Breaks("minecraft:torch", far, "minecraft:air") {
			t.Errorf("a torch breaks for what is at %s", far)
		}
	}
}

// TestUnsupported: what one side of several may give is missed at none of them.
//
// clause: W-13
func TestUnsupported(t *testing.T) {
	t.Parallel()
	const air = "minecraft:air"
	tests := []struct {
		block string
		// The sides that must not be air, and those where air may be the end of it.
		unsupported, breaks []geom.Pos
	}{
		{"torch", []geom.Pos{down}, []geom.Pos{down}},
		{"wall_torch[facing=north]", []geom.Pos{south}, []geom.Pos{south}},
		{"oak_door[half=lower]", []geom.Pos{down, up}, []geom.Pos{down, up}},
		{"vine[east=true]", nil, []geom.Pos{up, east}},
		{"fire", nil, []geom.Pos{down, up, north, south, west, east}},
		{"scaffolding[distance=0]", []geom.Pos{down}, []geom.Pos{down}},
		{"scaffolding[distance=3]", nil, []geom.Pos{down, north, south, west, east}},
		{"chorus_flower", nil, []geom.Pos{down, north, south, west, east}},
		{"stone", nil, nil},
	}
	p := pack(t, "1.20.2")
	for _, test := range tests {
		state, err := p.Parse(test.block)
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range []geom.Pos{down, up, north, south, west, east} {
			if got, want := p.Unsupported(state, side, air), slices.Contains(test.unsupported, side); got != want {
				t.Errorf("%s with air at %s is unsupported: %v", state, side, got)
			}
			if got, want := p.Breaks(state, side, air), slices.Contains(test.breaks, side); got != want {
				t.Errorf("%s with air at %s breaks: %v", state, side, got)
			}
		}
	}
}

// TestBreaksTurned: what breaks does not depend on where north is.
func TestBreaksTurned(t *testing.T) {
	t.Parallel()
	p := pack(t, "1.20.2")
	others := []string{
		"minecraft:air", "minecraft:stone", "minecraft:oak_slab[type=bottom,waterlogged=false]", "minecraft:water[level=0]",
		"minecraft:oak_stairs[facing=north,half=bottom,shape=straight,waterlogged=false]",
		"minecraft:red_bed[facing=north,occupied=false,part=head]",
		"minecraft:piston_head[facing=north,short=false,type=normal]",
	}
	for _, block := range p.states {
		if k := p.owners[p.ids[block]]; k.needs == nil && k.perhaps == nil {
			continue
		}
		for _, now := range others {
			for _, side := range []geom.Pos{north, south, west, east, down, up} {
				turned := geom.Pos{X: -side.Z, Y: side.Y, Z: side.X}
				if p.Breaks(block, side, now) != p.Breaks(Rotate(block, 1), turned, Rotate(now, 1)) {
					t.Errorf("%s with %s at %s is another case than turned by a quarter", block, now, side)
				}
			}
		}
	}
}
