package blocks

const (
	// Ground that plants grow on.
	soil = `dirt grass_block podzol coarse_dirt mycelium rooted_dirt moss_block pale_moss_block mud muddy_mangrove_roots
		farmland `
	// Plants of two blocks on the ground.
	tall = "sunflower lilac rose_bush peony tall_grass large_fern pitcher_plant "
)

var (
	onSoil   = oneOf(soil)
	onClay   = oneOf(soil + "clay")
	onFields = oneOf("farmland")
	onSand   = oneOf(soil + "sand red_sand suspicious_sand terracotta *_terracotta")
	onBamboo = oneOf(soil + "bamboo bamboo_sapling gravel suspicious_gravel sand red_sand suspicious_sand")
	chorus   = oneOf("chorus_plant chorus_flower end_stone")
	onSnow   = both(not(oneOf("ice packed_ice barrier")), either(sturdy, both(same, with("layers", "8"))))
)

// needs is what breaks without what. A block may be in several lines and has
// then all of these needs; what is neither here nor in perhaps stands by itself.
var needs = []need{
	// What falls.
	{falling, below, body},
	{names("scaffolding"), where("distance", "0", below), either(sturdy, same)},

	// What is on the floor.
	{names("*_door"), where("half", "lower", below), sturdy},
	{names("rail *_rail"), below, sturdy},
	{names("rail *_rail"), uphill, sturdy},
	{names("repeater comparator redstone_wire"), below, sturdy},
	{names("*_pressure_plate torch soul_torch redstone_torch candle *_candle"), below, centre},
	{names("*_carpet"), below, present},
	{names("pale_moss_carpet"), where("bottom", "false", below), both(same, with("bottom", "true"))},
	{names("snow"), below, onSnow},
	{names("*_sign *_banner"), upright, massive},
	{names("cake candle_cake *_candle_cake"), below, massive},
	{names("soul_fire"), below, oneOf("soul_sand soul_soil")},

	// What is on a wall, below a ceiling, or on either.
	{names("ladder wall_torch *_wall_torch tripwire_hook"), behind, sturdy},
	{names("*_wall_sign *_wall_banner"), behind, massive},
	{names("lever *_button"), mounted, sturdy},
	{names("*_hanging_sign"), hung, centre},
	{names("lantern soul_lantern"), where("hanging", "true", above), centre},
	{names("lantern soul_lantern"), where("hanging", "false", below), centre},
	{names("bell"), where("attachment", "floor", below), sturdy},
	{names("bell"), where("attachment", "ceiling", above), centre},
	{names("bell"), where("attachment", "single_wall", ahead), sturdy},
	{names("bell"), where("attachment", "double_wall", ahead), sturdy},
	{names("bell"), where("attachment", "double_wall", behind), sturdy},
	{names("amethyst_cluster *_amethyst_bud"), behind, sturdy},
	{names("glow_lichen sculk_vein resin_clump"), connected, sturdy},
	{names("pointed_dripstone"), where("vertical_direction", "up", below), either(sturdy, same)},
	{names("pointed_dripstone"), where("vertical_direction", "down", above), either(sturdy, same)},

	// What consists of two blocks.
	{names(tall + "*_door small_dripleaf tall_seagrass"),
		where("half", "lower", above), both(same, with("half", "upper"))},
	{names(tall + "*_door small_dripleaf tall_seagrass pitcher_crop"),
		where("half", "upper", below), both(same, with("half", "lower"))},
	{names("*_bed"), where("part", "foot", ahead), both(same, with("part", "head"), agrees("facing"))},
	{names("*_bed"), where("part", "head", behind), both(same, with("part", "foot"), agrees("facing"))},
	{names("piston_head"), behind, both(oneOf("piston sticky_piston"), with("extended", "true"), agrees("facing"))},
	{names("piston sticky_piston"), where("extended", "true", ahead),
		both(oneOf("piston_head moving_piston"), agrees("facing"))},
	{names("nether_portal"), frame, oneOf("nether_portal obsidian")},

	// What grows on the ground.
	{names(`grass short_grass fern dandelion torchflower poppy blue_orchid allium azure_bluet red_tulip orange_tulip
		white_tulip pink_tulip oxeye_daisy cornflower lily_of_the_valley open_eyeblossom closed_eyeblossom pink_petals
		sweet_berry_bush oak_sapling spruce_sapling birch_sapling jungle_sapling acacia_sapling cherry_sapling
		dark_oak_sapling pale_oak_sapling`), below, onSoil},
	{names(tall), where("half", "lower", below), onSoil},
	{names("small_dripleaf"), where("half", "lower", below), onClay},
	{names("azalea flowering_azalea"), below, onClay},
	{names("mangrove_propagule"), where("hanging", "false", below), onClay},
	{names("mangrove_propagule"), where("hanging", "true", above), oneOf("mangrove_leaves")},
	{names("dead_bush"), below, both(onSand, not(oneOf("*_glazed_terracotta")))},
	{names("wither_rose"), below, oneOf(soil + "netherrack soul_sand soul_soil")},
	{names("crimson_fungus warped_fungus crimson_roots warped_roots nether_sprouts"), below,
		oneOf(soil + "crimson_nylium warped_nylium soul_soil")},
	{names("brown_mushroom red_mushroom"), below, sturdy},
	{names(`wheat carrots potatoes beetroots torchflower_crop pumpkin_stem melon_stem attached_pumpkin_stem
		attached_melon_stem`), below, onFields},
	{names("pitcher_crop"), where("half", "lower", below), onFields},
	{names("attached_pumpkin_stem"), ahead, oneOf("pumpkin")},
	{names("attached_melon_stem"), ahead, oneOf("melon")},
	{names("farmland dirt_path"), above, not(massive)},
	{names("nether_wart"), below, oneOf("soul_sand")},
	{names("cocoa"), ahead, oneOf("jungle_log jungle_wood stripped_jungle_log stripped_jungle_wood")},
	{names("cactus"), below, oneOf("cactus sand red_sand suspicious_sand")},
	{names("cactus"), level, not(either(massive, oneOf("lava")))},
	{names("sugar_cane"), below, oneOf(soil + "sugar_cane sand red_sand suspicious_sand")},
	{names("bamboo bamboo_sapling"), below, onBamboo},
	{names("big_dripleaf big_dripleaf_stem"), below, oneOf(soil + "clay big_dripleaf_stem")},
	{names("big_dripleaf_stem"), above, oneOf("big_dripleaf big_dripleaf_stem")},
	{names("chorus_plant"), connected, chorus},

	// What climbs and hangs.
	{names("cave_vines cave_vines_plant"), above, either(sturdy, oneOf("cave_vines_plant"))},
	{names("cave_vines_plant"), below, oneOf("cave_vines cave_vines_plant")},
	{names("weeping_vines weeping_vines_plant"), above, either(sturdy, oneOf("weeping_vines_plant"))},
	{names("weeping_vines_plant"), below, oneOf("weeping_vines weeping_vines_plant")},
	{names("twisting_vines twisting_vines_plant"), below, either(sturdy, oneOf("twisting_vines_plant"))},
	{names("twisting_vines_plant"), above, oneOf("twisting_vines twisting_vines_plant")},
	{names("pale_hanging_moss"), above, either(sturdy, same)},
	{names("hanging_roots"), above, sturdy},
	{names("spore_blossom"), above, centre},

	// What lives in water or on it.
	{names("kelp kelp_plant"), below, either(sturdy, oneOf("kelp_plant"))},
	{names("kelp_plant"), above, oneOf("kelp kelp_plant")},
	{names("seagrass sea_pickle *_coral *_coral_fan"), below, sturdy},
	{names("tall_seagrass"), where("half", "lower", below), sturdy},
	{names("*_coral_wall_fan"), behind, sturdy},
	{names("lily_pad frogspawn"), below, oneOf("water ice frosted_ice")},
	{names("sponge *_concrete_powder"), about, not(oneOf("water"))},
	{names("bubble_column"), below, oneOf("bubble_column soul_sand magma_block")},
}

// perhaps is what one side of several has to give, so that a look at one of them
// decides nothing: vines hang from a block or from a vine above, fire burns on
// the floor or at what it eats, scaffolding reaches out from any side, and a
// chorus flower is on top of its plant or beside it.
var perhaps = []need{
	{names("vine"), connected, sturdy},
	{names("vine"), above, either(sturdy, same)},
	{names("fire"), about, sturdy},
	{names("scaffolding"), overhang, same},
	{names("chorus_flower"), on(down, north, east, south, west), chorus},
}
