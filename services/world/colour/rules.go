package colour

import "strings"

// dyes are the sixteen, the longer names first where one ends with another.
var dyes = []struct {
	name  string
	plain RGBA
}{
	{"light_blue", solid(0x3aaad8)}, {"light_gray", solid(0x8e8e86)}, {"white", solid(0xe8ecec)}, {"orange", solid(0xee7614)},
	{"magenta", solid(0xbc44b2)}, {"yellow", solid(0xf6c528)}, {"lime", solid(0x70b81a)}, {"pink", solid(0xec8cac)},
	{"gray", solid(0x3e4448)}, {"cyan", solid(0x158890)}, {"purple", solid(0x782aac)}, {"blue", solid(0x353a9c)},
	{"brown", solid(0x724828)}, {"green", solid(0x546c1c)}, {"red", solid(0xa02722)}, {"black", solid(0x16161a)},
}

// dyed is about what is made in sixteen colours.
func dyed(name string) (RGBA, bool) {
	for _, d := range dyes {
		thing, ok := strings.CutPrefix(name, d.name+"_")
		if !ok {
			continue
		}
		switch thing {
		case "wool", "carpet", "bed", "banner", "wall_banner":
			return d.plain, true
		case "concrete":
			return shade(d.plain, 92), true
		case "concrete_powder":
			return mix(d.plain, solid(0xffffff), 14), true
		case "terracotta":
			return mix(d.plain, solid(0x985e44), 62), true
		case "glazed_terracotta":
			return mix(d.plain, solid(0xd8d0b8), 25), true
		case "stained_glass", "stained_glass_pane":
			c := d.plain
			c.A = 120
			return c, true
		case "shulker_box":
			return shade(d.plain, 95), true
		case "candle", "candle_cake":
			return mix(d.plain, solid(0xffffff), 10), true
		}
	}
	switch name {
	case "terracotta":
		return solid(0x985e44), true
	case "shulker_box":
		return solid(0x8e648e), true
	case "candle", "candle_cake":
		return solid(0xe8caa0), true
	}
	return RGBA{}, false
}

// woods are the planks and the barks.
var woods = []struct {
	name         string
	planks, bark RGBA
}{
	{"dark_oak", solid(0x44301a), solid(0x3c2e1a)}, {"pale_oak", solid(0xe4dad8), solid(0x584e4a)}, {"oak", solid(0xa4844e), solid(0x6d5532)},
	{"spruce", solid(0x735530), solid(0x3b2511)}, {"birch", solid(0xc4b27a), solid(0xd8d8d2)}, {"jungle", solid(0xa27452), solid(0x554419)},
	{"acacia", solid(0xaa5c34), solid(0x686058)}, {"mangrove", solid(0x773731), solid(0x544529)}, {"cherry", solid(0xe4b4ae), solid(0x37212c)},
	{"bamboo", solid(0xc2ae52), solid(0x8a9238)}, {"crimson", solid(0x66324a), solid(0x5e1e20)}, {"warped", solid(0x2c6a64), solid(0x3a3a4e)},
}

// wooden is about trees and what is made of them.
func wooden(name string) (RGBA, bool) {
	name, stripped := strings.CutPrefix(name, "stripped_")
	for _, w := range woods {
		thing, ok := strings.CutPrefix(name, w.name+"_")
		if !ok {
			continue
		}
		switch thing {
		case "log", "wood", "stem", "hyphae", "block":
			if stripped {
				return mix(w.planks, solid(0xffffff), 6), true
			}
			return w.bark, true
		case "roots":
			return mix(w.bark, solid(0x4a5a30), 25), true
		case "nylium":
			return mix(w.bark, w.planks, 60), true
		case "fungus":
			return shade(w.planks, 125), true
		case "sapling", "propagule":
			return solid(0x4c7a2c), true
		}
		return w.planks, true
	}
	if name == "muddy_mangrove_roots" {
		return solid(0x46382e), true
	}
	return RGBA{}, false
}

// leaf is about what grows on trees; it is asked before the wood.
func leaf(name string) (RGBA, bool) {
	switch {
	case !strings.HasSuffix(name, "leaves"):
		return RGBA{}, false
	case strings.HasPrefix(name, "cherry"):
		return solid(0xe6b0c4), true
	case strings.HasPrefix(name, "spruce"):
		return solid(0x3c5c3c), true
	case strings.HasPrefix(name, "birch"):
		return solid(0x5e8038), true
	case strings.HasPrefix(name, "azalea"):
		return solid(0x5a722c), true
	case strings.HasPrefix(name, "flowering"):
		return solid(0x7e7a5c), true
	case strings.HasPrefix(name, "pale"):
		return solid(0x767a74), true
	case strings.HasPrefix(name, "dark_oak"), strings.HasPrefix(name, "jungle"):
		return solid(0x3e6e20), true
	default:
		return solid(0x4a7a2a), true
	}
}

// stones are the rocks, by what their names begin or end with, the longer first.
var stones = []struct {
	word  string
	plain RGBA
}{
	{"polished_blackstone", solid(0x34303a)}, {"gilded_blackstone", solid(0x3c3026)}, {"blackstone", solid(0x2a2329)},
	{"red_sandstone", solid(0xb4622c)}, {"sandstone", solid(0xd8ca9c)}, {"end_stone", solid(0xdcdea4)}, {"dripstone", solid(0x866a5c)},
	{"mossy_cobblestone", solid(0x6c7660)}, {"mossy_stone", solid(0x727868)}, {"cobblestone", solid(0x7e7e7e)}, {"cobbled_deepslate", solid(0x4e4e52)},
	{"deepslate", solid(0x505054)}, {"smooth_stone", solid(0x9e9e9e)}, {"granite", solid(0x966a58)}, {"diorite", solid(0xbcbcbe)},
	{"andesite", solid(0x888889)}, {"tuff", solid(0x6c6e66)}, {"calcite", solid(0xdedfda)}, {"basalt", solid(0x4c4c50)},
	{"dark_prismarine", solid(0x345c4c)}, {"prismarine_brick", solid(0x64aa9e)}, {"prismarine", solid(0x64988e)}, {"purpur", solid(0xa87ca8)},
	{"quartz", solid(0xebe5de)}, {"red_nether_brick", solid(0x460709)}, {"nether_brick", solid(0x2c1519)}, {"mud_brick", solid(0x8a6a4e)},
	{"amethyst", solid(0x8662bc)}, {"infested", solid(0x7c7c7c)}, {"stone", solid(0x7e7e7e)}, {"brick", solid(0x965a48)},
}

// stone is about rocks and what is hewn of them.
func stone(name string) (RGBA, bool) {
	for _, s := range stones {
		if strings.Contains(name, s.word) && !strings.HasPrefix(name, "redstone") && !strings.HasPrefix(name, "glowstone") && name != "lodestone" {
			return s.plain, true
		}
	}
	return RGBA{}, false
}

// minerals are what ores hold.
var minerals = []struct {
	name  string
	plain RGBA
}{
	{"coal", solid(0x2a2a2a)}, {"iron", solid(0xd8af93)}, {"copper", solid(0xc06c50)}, {"gold", solid(0xf0cc3c)}, {"redstone", solid(0xa81808)},
	{"emerald", solid(0x2acb58)}, {"lapis", solid(0x24489c)}, {"diamond", solid(0x64e0da)}, {"quartz", solid(0xe4d8d0)},
}

// ore is about rock with something in it.
func ore(name string) (RGBA, bool) {
	mineral, ok := strings.CutSuffix(name, "_ore")
	if !ok {
		return RGBA{}, false
	}
	rock := solid(0x7e7e7e)
	switch {
	case strings.HasPrefix(mineral, "deepslate_"):
		rock = solid(0x505054)
	case strings.HasPrefix(mineral, "nether_"):
		rock = solid(0x622828)
	}
	for _, m := range minerals {
		if strings.HasSuffix(mineral, m.name) {
			return mix(rock, m.plain, 30), true
		}
	}
	return rock, true
}

// metal is about what is cast, raw, and how copper ages.
func metal(name string) (RGBA, bool) {
	name = strings.TrimPrefix(name, "waxed_")
	if strings.Contains(name, "copper") {
		switch {
		case strings.HasPrefix(name, "raw"):
			return solid(0x9a6a50), true
		case strings.HasPrefix(name, "exposed"):
			return solid(0xa27e68), true
		case strings.HasPrefix(name, "weathered"):
			return solid(0x6c9a6e), true
		case strings.HasPrefix(name, "oxidized"):
			return solid(0x52a284), true
		default:
			return solid(0xc06c50), true
		}
	}
	for _, m := range []struct {
		word  string
		plain RGBA
	}{
		{"raw_iron", solid(0xa6886c)}, {"raw_gold", solid(0xdca830)}, {"iron", solid(0xdcdcdc)}, {"gold", solid(0xf6d03e)},
		{"light_weighted", solid(0xf6d03e)}, {"heavy_weighted", solid(0xdcdcdc)}, {"diamond", solid(0x62ede4)}, {"emerald", solid(0x2acb58)},
		{"lapis", solid(0x1f438c)}, {"redstone", solid(0xb01a06)}, {"coal", solid(0x101010)}, {"netherite", solid(0x433d40)},
	} {
		if strings.HasPrefix(name, m.word) {
			return m.plain, true
		}
	}
	return RGBA{}, false
}

// plants are what grows, by a word of its name, the more particular first.
var plants = []struct {
	word  string
	plain RGBA
}{
	{"dead_", solid(0x8a7a60)}, {"tube_coral", solid(0x3256ce)}, {"brain_coral", solid(0xcf5b9f)}, {"bubble_coral", solid(0xa51aa2)},
	{"fire_coral", solid(0xa4232f)}, {"horn_coral", solid(0xd8c842)}, {"mushroom_stem", solid(0xcbc4b9)}, {"red_mushroom", solid(0xc82e2d)},
	{"brown_mushroom", solid(0x957051)}, {"mushroom", solid(0x957051)}, {"nether_wart", solid(0x700c0c)}, {"nether_sprouts", solid(0x14857c)},
	{"weeping_vines", solid(0x7a0404)}, {"twisting_vines", solid(0x148c7c)}, {"cave_vines", solid(0x5a6d29)}, {"glow_lichen", solid(0x70837a)},
	{"hanging_roots", solid(0xa1735c)}, {"spore_blossom", solid(0xcf619f)}, {"poppy", solid(0xc83020)}, {"tulip", solid(0xd86a4a)},
	{"rose", solid(0xa82a24)}, {"dandelion", solid(0xf0d830)}, {"sunflower", solid(0xf0c828)}, {"torchflower", solid(0xe8902c)},
	{"pitcher", solid(0x7aa0b4)}, {"orchid", solid(0x2fa8d0)}, {"allium", solid(0xb07ad8)}, {"bluet", solid(0xd8dcd8)}, {"daisy", solid(0xdce0d8)},
	{"cornflower", solid(0x466aeb)}, {"lily_of", solid(0xe8f0e8)}, {"lilac", solid(0xb494bc)}, {"peony", solid(0xd8a8d0)},
	{"eyeblossom", solid(0xb8a89c)}, {"pink_petals", solid(0xf0b4d0)}, {"wildflowers", solid(0xe8c848)}, {"wheat", solid(0xb8a44a)},
	{"beetroots", solid(0x5d5b2e)}, {"sweet_berry", solid(0x4a6a34)}, {"azalea", solid(0x667c30)}, {"dripleaf", solid(0x708e34)},
	{"sugar_cane", solid(0x92be68)}, {"kelp", solid(0x577a1e)}, {"seagrass", solid(0x327e08)}, {"sea_pickle", solid(0x5a6128)},
	{"lily_pad", solid(0x20802f)}, {"frogspawn", solid(0x6a5a52)}, {"fern", solid(0x6a9a45)}, {"grass", solid(0x6a9a45)}, {"vine", solid(0x4a7a2a)},
	{"bush", solid(0x6f5028)}, {"stem", solid(0x7a8a30)}, {"crop", solid(0x5a8a34)}, {"carrots", solid(0x5a8a34)}, {"potatoes", solid(0x5a8a34)},
	{"bamboo", solid(0x6e9a2c)}, {"sapling", solid(0x4c7a2c)}, {"moss", solid(0x5a6e2e)}, {"potted", solid(0x7c4434)}, {"petals", solid(0xf0b4d0)},
}

// plant is about what grows.
func plant(name string) (RGBA, bool) {
	for _, p := range plants {
		if strings.Contains(name, p.word) {
			return p.plain, true
		}
	}
	return RGBA{}, false
}
