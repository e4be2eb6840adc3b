package blocks

import (
	"slices"
	"testing"
)

// alone is what nothing beside it breaks, of all that does not fill its position.
var alone = names(`
	air cave_air void_air water lava cobweb light structure_void end_portal end_gateway
	*_stairs *_slab *_wall *_fence *_fence_gate *_pane iron_bars chain *_trapdoor
	chest trapped_chest ender_chest hopper lectern stonecutter grindstone composter enchanting_table brewing_stand
	daylight_detector conduit cauldron *_cauldron campfire soul_campfire decorated_pot flower_pot potted_* heavy_core
	sculk_sensor calibrated_sculk_sensor sculk_shrieker end_portal_frame end_rod lightning_rod
	*_skull *_wall_skull zombie_head player_head creeper_head dragon_head piglin_head *_wall_head *_wall_hanging_sign
	moving_piston tripwire turtle_egg sniffer_egg soul_sand mud honey_block powder_snow
`)

// TestNeedsAreDecided finds blocks that nobody has thought of: of each it is
// said what it needs, or that it stands alone, and not both.
func TestNeedsAreDecided(t *testing.T) {
	t.Parallel()
	for _, version := range Versions() {
		p := pack(t, version)
		for _, k := range p.kinds {
			if p.full(k) {
				continue
			}
			places := false
			for id := k.first; id < k.first+k.count; id++ {
				for _, n := range slices.Concat(k.needs, k.perhaps) {
					places = places || len(n.places(standing{p, k, id})) > 0
				}
			}
			if alone.has(k.name) == places {
				t.Errorf("%s: %s needs something: %v, stands alone: %v", version, k.name, places, alone.has(k.name))
			}
		}
	}
}

// TestListsNameBlocks finds names of no block: misspelt, or of no version.
func TestListsNameBlocks(t *testing.T) {
	t.Parallel()
	lists := map[string]nameSet{
		"alone": alone, "notBuilding": notBuilding, "withEntity": withEntity, "falling": falling, "fluid": fluid,
		"connecting": connecting, "attached": attached, "airs": airs, "growth": growth, "ground": ground,
		"bearsNothing": bearsNothing, "bearsAll": bearsAll, "soil": names(soil),
	}
	for _, n := range slices.Concat(needs, perhaps) {
		for name := range n.blocks.exact {
			lists["needs "+name] = n.blocks
		}
		for _, pattern := range n.blocks.patterns {
			lists["needs "+pattern] = n.blocks
		}
	}
	for list, set := range lists {
		for name := range set.exact {
			if !somewhere(t, names(name)) {
				t.Errorf("%s: there is no %s", list, name)
			}
		}
		for _, pattern := range set.patterns {
			if !somewhere(t, names(pattern)) {
				t.Errorf("%s: nothing is called %s", list, pattern)
			}
		}
	}
}

func somewhere(t *testing.T, set nameSet) bool {
	t.Helper()
	for _, version := range Versions() {
		for name := range pack(t, version).kinds {
			if set.has(name) {
				return true
			}
		}
	}
	return false
}
