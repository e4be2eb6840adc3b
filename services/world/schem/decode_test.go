package schem_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/nbt"
	"github.com/pharos-mcp/pharos/services/world/schem"
)

// allowed are the first states of the version that a plan may place.
func allowed(t testing.TB, n int) []string {
	t.Helper()
	p, states := pack(t), []string{}
	for id := range int32(p.Count()) {
		state, _ := p.State(id)
		if p.Allowed(building, state) == nil {
			states = append(states, state)
		}
		if len(states) == n {
			return states
		}
	}
	t.Fatalf("%d states are allowed, not %d", len(states), n)
	return nil
}

// dense is the compound of a schematic with a palette of its own order.
func dense(width, height, length int, palette []string, indexes []int) *nbt.Compound {
	entries, data := &nbt.Compound{}, []byte{}
	for i, state := range palette {
		entries.Set(state, nbt.Int(i))
	}
	for _, i := range indexes {
		data = binary.AppendUvarint(data, uint64(i))
	}
	r := root()
	r.Set("Width", nbt.Short(width))
	r.Set("Height", nbt.Short(height))
	r.Set("Length", nbt.Short(length))
	r.Set("PaletteMax", nbt.Int(len(palette)))
	r.Set("Palette", entries)
	r.Set("BlockData", nbt.ByteArray(data))
	return r
}

// clause: W-33
func TestLargePalettes(t *testing.T) {
	t.Parallel()
	for name, n := range map[string]int{"one byte": 128, "two bytes": 129, "every position another": 2700} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			palette, indexes := allowed(t, n), rand.New(rand.NewPCG(1, 2)).Perm(n)
			s, err := schem.Decode(file(t, dense(1, 1, n, palette, indexes)), pack(t), schem.Options{Policy: building})
			if err != nil {
				t.Fatal(err)
			}
			want := make([]string, n)
			for at, i := range indexes {
				want[at] = palette[i]
			}
			if diff := cmp.Diff(want, shapeOf(s).States); diff != "" {
				t.Errorf("other states (-want +got):\n%s", diff)
			}
		})
	}
}

// clause: W-32, W-33
func TestOffset(t *testing.T) {
	t.Parallel()
	plain, worldEdit := nbt.IntArray{1, -2, 3}, compound("WEOffsetX", nbt.Int(-4), "WEOffsetY", nbt.Int(5), "WEOffsetZ", nbt.Int(-6))
	for name, c := range map[string]struct {
		offset nbt.Tag
		meta   *nbt.Compound
		want   geom.Pos
	}{
		"none":               {nil, nil, geom.Pos{}},
		"the format's":       {plain, nil, geom.Pos{X: 1, Y: -2, Z: 3}},
		"WorldEdit's":        {nil, worldEdit, geom.Pos{X: -4, Y: 5, Z: -6}},
		"both":               {nbt.IntArray{30137, 145, 20760}, worldEdit, geom.Pos{X: -4, Y: 5, Z: -6}},
		"WorldEdit's is cut": {plain, compound("WEOffsetX", nbt.Int(-4), "WEOffsetZ", nbt.Int(-6)), geom.Pos{X: 1, Y: -2, Z: 3}},
		"other metadata":     {plain, compound("Author", nbt.String("somebody")), geom.Pos{X: 1, Y: -2, Z: 3}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := root()
			if c.offset != nil {
				r.Set("Offset", c.offset)
			}
			if c.meta != nil {
				r.Set("Metadata", c.meta)
			}
			s, err := schem.Decode(file(t, r), pack(t), schem.Options{Policy: building})
			if err != nil {
				t.Fatal(err)
			}
			if s.Offset != c.want {
				t.Errorf("offset %v, want %v", s.Offset, c.want)
			}
		})
	}
}

// clause: W-33
func TestReads(t *testing.T) {
	t.Parallel()
	slab := "minecraft:oak_slab[waterlogged=false,type=top]"
	for name, c := range map[string]struct {
		change func(*nbt.Compound)
		want   func(*shape)
	}{
		"an older DataVersion": {
			func(r *nbt.Compound) { r.Set("DataVersion", nbt.Int(2586)) },
			func(s *shape) { s.DataVersion = 2586 },
		},
		"the oldest DataVersion": {
			func(r *nbt.Compound) { r.Set("DataVersion", nbt.Int(1)) },
			func(s *shape) { s.DataVersion = 1 },
		},
		"a name": {
			func(r *nbt.Compound) { r.Set("Metadata", compound("Name", nbt.String("Haus am See"))) },
			func(s *shape) { s.Name = "Haus am See" },
		},
		"a name that is too long, as none": {
			func(r *nbt.Compound) { r.Set("Metadata", compound("Name", nbt.String(strings.Repeat("ä", 65)))) },
			func(*shape) {},
		},
		"no mods, no entities": {
			func(r *nbt.Compound) {
				r.Set("Metadata", compound("RequiredMods", nbt.List{Of: nbt.KindString}))
				r.Set("Entities", nbt.List{})
				r.Set("BlockEntities", nbt.List{Of: nbt.KindCompound})
			},
			func(*shape) {},
		},
		"a state written twice": {
			func(r *nbt.Compound) {
				r.Set("Palette", compound(slab, nbt.Int(1), "minecraft:oak_slab[type=top,waterlogged=false]", nbt.Int(0)))
			},
			func(s *shape) {
				s.States = slices.Repeat([]string{"minecraft:oak_slab[type=top,waterlogged=false]"}, 4)
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := root()
			c.change(r)
			want := &shape{Width: 2, Height: 1, Length: 2, DataVersion: 3578, States: []string{
				"minecraft:air", "minecraft:stone", "minecraft:stone", "minecraft:air",
			}}
			c.want(want)
			s, err := schem.Decode(file(t, r), pack(t), schem.Options{Policy: building})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, shapeOf(s)); diff != "" {
				t.Errorf("other content (-want +got):\n%s", diff)
			}
			again, err := schem.Encode(s)
			if err != nil {
				t.Fatal(err)
			}
			if s, err = schem.Decode(again, pack(t), schem.Options{Policy: building}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, shapeOf(s)); diff != "" {
				t.Errorf("other content after writing it (-want +got):\n%s", diff)
			}
		})
	}
}

// clause: W-33
func TestRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*nbt.Compound)
		code   fault.Code
		says   string
	}{
		"a palette index that is no int": {
			func(r *nbt.Compound) { r.Set("Palette", compound("minecraft:air", nbt.Short(0))) },
			schem.BadPalette, `the palette index of "minecraft:air" has type short, not int`,
		},
		"BlockData that is missing": {
			func(r *nbt.Compound) { r.Delete("BlockData") }, schem.BadBlocks, "BlockData is missing",
		},
		"Height that is missing": {
			func(r *nbt.Compound) { r.Delete("Height") }, schem.BadField, "Height is missing",
		},
		"Length as an int": {
			func(r *nbt.Compound) { r.Set("Length", nbt.Int(2)) }, schem.BadField, "Length has type int, not short",
		},
		"Entities as a compound": {
			func(r *nbt.Compound) { r.Set("Entities", compound()) }, schem.BadField, "Entities has type compound, not list",
		},
		"Metadata as a string": {
			func(r *nbt.Compound) { r.Set("Metadata", nbt.String("")) }, schem.BadField, "Metadata has type string, not compound",
		},
		"RequiredMods as a string": {
			func(r *nbt.Compound) { r.Set("Metadata", compound("RequiredMods", nbt.String("create"))) },
			schem.BadField, "RequiredMods has type string, not list",
		},
		"a WorldEdit offset that is no int": {
			func(r *nbt.Compound) { r.Set("Metadata", compound("WEOffsetY", nbt.Double(1))) },
			schem.BadOffset, "WEOffsetY has type double, not int",
		},
		"a DataVersion of 0": {
			func(r *nbt.Compound) { r.Set("DataVersion", nbt.Int(0)) }, schem.BadDataVersion, "DataVersion 0, server 3578",
		},
		"the next DataVersion": {
			func(r *nbt.Compound) { r.Set("DataVersion", nbt.Int(3579)) }, schem.BadDataVersion, "DataVersion 3579, server 3578",
		},
		"an unused state that is not allowed": {
			func(r *nbt.Compound) {
				r.Set("Palette", compound("minecraft:air", nbt.Int(0), "minecraft:stone", nbt.Int(1), "minecraft:tnt", nbt.Int(2)))
			},
			schem.BadBlock, "1 of 3 palette entries not allowed, e.g. minecraft:tnt",
		},
		"several states, of which it names the first": {
			func(r *nbt.Compound) {
				r.Set("Palette", compound("minecraft:tnt", nbt.Int(1), "minecraft:lava[level=0]", nbt.Int(0)))
			},
			schem.BadBlock, "2 of 2 palette entries not allowed, e.g. minecraft:lava[level=0]",
		},
		"text that does not print": {
			func(r *nbt.Compound) { r.Set("\x1b[31m\n", nbt.Int(1)) }, schem.UnknownField, `"�[31m�"`,
		},
		"a long text": {
			func(r *nbt.Compound) { r.Set(strings.Repeat("x", 60_000), nbt.Int(1)) },
			schem.UnknownField, `"` + strings.Repeat("x", 120) + `…"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := root()
			c.change(r)
			_, err := schem.Decode(file(t, r), pack(t), schem.Options{Policy: building})
			if got := fault.CodeOf(err); got != c.code || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q: %v, want %q: …%s…", got, err, c.code, c.says)
			}
			if len(err.Error()) > 1000 {
				t.Errorf("the message has %d bytes", len(err.Error()))
			}
		})
	}
}
