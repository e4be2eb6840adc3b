package chunk_test

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/chunk"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/nbt"
)

const (
	stone = "minecraft:stone"
	air   = "minecraft:air"
	log   = "minecraft:oak_log[axis=x]"
)

// roomy reads every tree of these tests.
var roomy = nbt.Limits{Bytes: 64 << 20, Depth: 64, Tags: 1 << 20, Alloc: 1 << 30}

func pack(t testing.TB) *blocks.Pack {
	t.Helper()
	p, err := blocks.Load(blocks.Default)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// of makes a compound of names and tags in turn.
func of(members ...any) *nbt.Compound {
	c := &nbt.Compound{}
	for i := 0; i < len(members); i += 2 {
		c.Set(members[i].(string), members[i+1].(nbt.Tag))
	}
	return c
}

func list(items ...nbt.Tag) nbt.List {
	l := nbt.List{Items: items}
	if len(items) > 0 {
		l.Of = items[0].Kind()
	}
	return l
}

// state is an entry of a palette.
func state(text string) *nbt.Compound {
	name, properties := blocks.Split(text)
	c := of("Name", nbt.String(name))
	if len(properties) > 0 {
		members := of()
		for _, p := range slices.Backward(properties) { // the game's order is any
			members.Set(p.Name, nbt.String(p.Value))
		}
		c.Set("Properties", members)
	}
	return c
}

// states makes block_states whose cell i is of the palette's entry i%n.
func states(palette ...string) *nbt.Compound {
	entries := make([]nbt.Tag, len(palette))
	for i, text := range palette {
		entries[i] = state(text)
	}
	c := of("palette", list(entries...))
	if n := len(palette); n > 1 {
		c.Set("data", longs(n, func(i int) int { return i % n }))
	}
	return c
}

// longs packs cells slowly and plainly, by the words of the format.
func longs(n int, at func(i int) int) nbt.LongArray {
	width := max(4, bits.Len(uint(n-1)))
	each := 64 / width
	data := make(nbt.LongArray, (4096+each-1)/each)
	for i := range 4096 {
		data[i/each] |= int64(at(i)) << (i % each * width)
	}
	return data
}

// distinct are n states of the pack, each another one.
func distinct(t testing.TB, n int) []string {
	t.Helper()
	all := make([]string, n)
	for i := range all {
		all[i], _ = pack(t).State(int32(i + 1))
	}
	return all
}

// rich is the tree of chunk (-3, 5) with something of everything: sections of
// many palettes, with light alone, without blocks (7), none (8 and up), and tags
// that nobody knows.
func rich(t testing.TB) *nbt.Compound {
	t.Helper()
	light := func(b byte) nbt.ByteArray { return slices.Repeat(nbt.ByteArray{b}, 2048) }
	biomes := of("palette", list(nbt.String("minecraft:plains"), nbt.String("mod:🌋")), "data", nbt.LongArray{0x55, -1})
	sections := []nbt.Tag{of("Y", nbt.Byte(-5), "SkyLight", light(1), "mod:extra", nbt.Short(3))}
	for y, palette := range [][]string{
		{stone}, {stone, log}, distinct(t, 16), distinct(t, 17), distinct(t, 33), distinct(t, 300), {air, "create:shaft[axis=x]", stone},
		{"minecraft:cave_air"}, {air, "minecraft:chest[facing=north,type=single,waterlogged=false]"}, {air, stone, air}, {air},
	} {
		sections = append(sections, of("Y", nbt.Byte(y-4), "block_states", states(palette...), "biomes", biomes,
			"BlockLight", light(2), "SkyLight", light(3), "starlight.blocklight_state", nbt.Int(1), "starlight.skylight_state", nbt.Int(1)))
	}
	sections = append(sections, of("Y", nbt.Byte(7), "biomes", biomes, "SkyLight", light(4)), of("Y", nbt.Byte(20), "SkyLight", light(5)))
	return of(
		"DataVersion", nbt.Int(3578), "xPos", nbt.Int(-3), "yPos", nbt.Int(-4), "zPos", nbt.Int(5),
		"Status", nbt.String("minecraft:full"), "LastUpdate", nbt.Long(12345), "InhabitedTime", nbt.Long(-1),
		"blending_data", of("min_section", nbt.Int(-4)),
		"Heightmaps", of("MOTION_BLOCKING", nbt.LongArray{1, 2, 3}, "WORLD_SURFACE", nbt.LongArray{4}),
		"sections", list(sections...),
		"block_entities", list(
			of("id", nbt.String("minecraft:chest"), "x", nbt.Int(-47), "y", nbt.Int(64), "z", nbt.Int(80), "keepPacked", nbt.Byte(0),
				"Items", list(of("Slot", nbt.Byte(3), "Count", nbt.Byte(64)))),
			of("x", nbt.Int(-46), "y", nbt.Int(64), "z", nbt.Int(80)),
			of("id", nbt.String("mod:lost")),
		),
		"block_ticks", list(of("i", nbt.String("minecraft:redstone_wire"), "x", nbt.Int(-48))), "fluid_ticks", nbt.List{Of: nbt.KindCompound},
		"PostProcessing", list(list(nbt.Short(7)), nbt.List{}), "structures", of("starts", of("mod:castle", of("id", nbt.String("INVALID")))),
		"isLightOn", nbt.Byte(1), "starlight.light_version", nbt.Int(9), "mod:unknown", nbt.IntArray{1, -1}, "entities", nbt.List{},
		"CarvingMasks", of(), "ForgeCaps", of("a", nbt.Double(0.1), "b", nbt.Float(-0)),
	)
}

// at is a position in the rich chunk.
func at(x, y, z int32) geom.Pos { return geom.Pos{X: -48 + x, Y: y, Z: 80 + z} }

func parse(t testing.TB, root *nbt.Compound) *chunk.Chunk {
	t.Helper()
	c, err := chunk.Parse(nbt.Encode("", root), pack(t))
	must(t, err)
	return c
}

func decode(t testing.TB, data []byte) *nbt.Compound {
	t.Helper()
	_, root, err := nbt.Decode(data, roomy)
	must(t, err)
	return root
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sectionTag is a section of a tree.
func sectionTag(root *nbt.Compound, y int) *nbt.Compound {
	sections, _ := nbt.Get[nbt.List](root, "sections")
	for _, s := range sections.Items {
		if got, _ := nbt.Get[nbt.Byte](s.(*nbt.Compound), "Y"); int(got) == y {
			return s.(*nbt.Compound)
		}
	}
	return nil
}
