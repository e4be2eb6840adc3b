package blocks

// Growth that a plan may clear away: it stands for nothing that somebody made,
// and setting its state again brings it back.
var growth = names(`
	grass short_grass fern dead_bush tall_grass large_fern vine glow_lichen snow cobweb moss_block
	dandelion poppy blue_orchid allium azure_bluet red_tulip orange_tulip white_tulip pink_tulip
	oxeye_daisy cornflower wither_rose lily_of_the_valley torchflower
	sunflower lilac rose_bush peony pitcher_plant pink_petals open_eyeblossom closed_eyeblossom spore_blossom
	oak_sapling spruce_sapling birch_sapling jungle_sapling acacia_sapling cherry_sapling dark_oak_sapling pale_oak_sapling
	mangrove_propagule azalea flowering_azalea mangrove_roots hanging_roots
	brown_mushroom red_mushroom brown_mushroom_block red_mushroom_block mushroom_stem
	crimson_fungus warped_fungus crimson_roots warped_roots nether_sprouts weeping_vines weeping_vines_plant
	twisting_vines twisting_vines_plant cave_vines cave_vines_plant pale_hanging_moss pale_moss_carpet resin_clump
	cactus sugar_cane bamboo bamboo_sapling sweet_berry_bush lily_pad chorus_plant chorus_flower
	big_dripleaf big_dripleaf_stem small_dripleaf pointed_dripstone amethyst_cluster *_amethyst_bud sculk_vein
`)

// Ground that is no building block and may be replaced.
var ground = names(`
	sand red_sand gravel *_concrete_powder infested_* redstone_ore deepslate_redstone_ore soul_sand mud dirt_path
	budding_amethyst redstone_block
`)

// Replaceable returns nil where a plan may overwrite the canonical state in a
// world, else an *Error. What somebody may have made or filled, what flows and
// what cannot be broken is never overwritten: block entities, water and lava and
// what they fill, machines, beds, bedrock, portals. All classes, the ground and
// what grows on it may be replaced, natural leaves among them; so may what the
// policy would not let a plan place. An undo may therefore place every state
// that Replaceable accepts.
func (p *Pack) Replaceable(state string) error {
	k, _ := p.kindOf(state)
	refuse := func(reason string) error { return &Error{State: shown(state), Reason: reason} }
	switch {
	case k == nil:
		return refuse("no such block")
	case withEntity.has(k.name):
		return refuse("block entity")
	case fluid.has(k.name):
		return refuse("fluid")
	case Get(state, "waterlogged") == "true":
		return refuse("property waterlogged")
	case k.class == "" && !growth.has(k.name) && !ground.has(k.name):
		return refuse("not supported")
	}
	return nil
}
