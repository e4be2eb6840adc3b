package blocks

import (
	"slices"
	"strings"
)

// Class is a group of blocks that a policy allows or not.
type Class string

// The classes of the contract's building blocks, then those of extensions. A
// block is in one class or in none.
const (
	Cube   Class = "cube"   // fills its position and has no properties
	Pillar Class = "pillar" // fills its position and has an axis: logs, basalt, quartz pillars
	Stairs Class = "stairs"
	Slab   Class = "slab"
	Leaves Class = "leaves" // only where persistent
	Snowy  Class = "snowy"  // grass blocks, podzol, mycelium
	Air    Class = "air"

	Connecting Class = "connecting" // walls, fences, panes and bars
	Attached   Class = "attached"   // trapdoors, doors, ladders and carpets
)

// Building are the classes that are allowed unless somebody says otherwise.
func Building() []Class { return []Class{Cube, Pillar, Stairs, Slab, Leaves, Snowy, Air} }

// Extensions are the classes that somebody has to ask for.
func Extensions() []Class { return []Class{Connecting, Attached} }

// Cubes and pillars that are no building blocks: what cannot be broken, what
// hides an animal, and what powers or grows into its neighbours.
var notBuilding = names("bedrock redstone_block budding_amethyst infested_*")

// What has data beside its state, kept in a block entity.
var withEntity = names(`
	chest trapped_chest ender_chest barrel shulker_box *_shulker_box hopper dispenser dropper crafter
	furnace blast_furnace smoker brewing_stand enchanting_table beacon conduit bell lectern jukebox campfire soul_campfire
	*_sign *_banner *_bed skeleton_skull wither_skeleton_skull *_wall_skull zombie_head player_head
	creeper_head dragon_head piglin_head *_wall_head
	spawner trial_spawner vault beehive bee_nest chiseled_bookshelf decorated_pot suspicious_sand suspicious_gravel
	comparator daylight_detector sculk_sensor calibrated_sculk_sensor sculk_catalyst sculk_shrieker creaking_heart
	command_block repeating_command_block chain_command_block structure_block jigsaw end_portal end_gateway moving_piston
`)

// What falls when nothing is below.
var falling = names(`
	sand red_sand gravel suspicious_sand suspicious_gravel *_concrete_powder anvil chipped_anvil damaged_anvil dragon_egg
`)

// What is or holds a fluid whatever its properties are.
var fluid = names("water lava bubble_column seagrass tall_seagrass kelp kelp_plant")

var (
	connecting = names("*_wall *_fence *_pane iron_bars")
	attached   = names("*_trapdoor *_door ladder *_carpet")
	airs       = names("air cave_air void_air")
)

// classOf decides a kind's class.
func (p *Pack) classOf(k *kind) Class {
	full := p.full(k)
	var properties []string
	for _, c := range k.properties {
		properties = append(properties, c.name)
	}
	has := func(names ...string) bool { return slices.Equal(properties, names) }
	switch {
	case airs.has(k.name):
		return Air
	case withEntity.has(k.name), falling.has(k.name), fluid.has(k.name), notBuilding.has(k.name):
		return ""
	case full && has():
		return Cube
	case full && has("axis"):
		return Pillar
	case full && has("snowy"):
		return Snowy
	case has("facing", "half", "shape", "waterlogged"):
		return Stairs
	case has("type", "waterlogged"):
		return Slab
	case has("distance", "persistent", "waterlogged"):
		return Leaves
	case connecting.has(k.name):
		return Connecting
	case attached.has(k.name):
		return Attached
	}
	return ""
}

// full reports whether all states of a kind fill their position.
func (p *Pack) full(k *kind) bool {
	return !slices.ContainsFunc(k.form, func(shape int32) bool { return !isFull(p.shapes[shape]) })
}

// nameSet is a set of block names.
type nameSet struct {
	exact    map[string]bool
	patterns []string // *_x or x_*
}

// names reads a list of names without namespace; a star stands for the begin or
// the end of many.
func names(list string) nameSet {
	s := nameSet{exact: map[string]bool{}}
	for name := range strings.FieldsSeq(list) {
		if strings.Contains(name, "*") {
			s.patterns = append(s.patterns, name)
		} else {
			s.exact[name] = true
		}
	}
	return s
}

// has takes a name with the namespace of all blocks.
func (s nameSet) has(name string) bool {
	name = strings.TrimPrefix(name, namespace)
	if s.exact[name] {
		return true
	}
	for _, pattern := range s.patterns {
		if end, ok := strings.CutPrefix(pattern, "*"); ok && strings.HasSuffix(name, end) {
			return true
		}
		if begin, ok := strings.CutSuffix(pattern, "*"); ok && strings.HasPrefix(name, begin) {
			return true
		}
	}
	return false
}
