package anvil_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/nbt"
	"github.com/pharos-mcp/pharos/services/world/region"
)

func entity(id string, x, y, z float64, passengers ...nbt.Tag) *nbt.Compound {
	tag := &nbt.Compound{}
	tag.Set("id", nbt.String(id))
	tag.Set("Pos", nbt.List{Of: nbt.KindDouble, Items: []nbt.Tag{nbt.Double(x), nbt.Double(y), nbt.Double(z)}})
	if passengers != nil {
		tag.Set("Passengers", nbt.List{Of: nbt.KindCompound, Items: passengers})
	}
	return tag
}

func entityChunk(tags ...nbt.Tag) []byte {
	root := &nbt.Compound{}
	root.Set("DataVersion", nbt.Int(3578))
	root.Set("Entities", nbt.List{Of: nbt.KindCompound, Items: tags})
	return nbt.Encode("", root)
}

// TestForeign lists a chest, animals and a rider, and what is beyond the box not.
//
// clause: W-35
func TestForeign(t *testing.T) {
	t.Parallel()
	d := made(t)
	chest := geom.Pos{X: 3, Y: 65, Z: 3}
	alter(t, d, region.Pos{}, func(root *nbt.Compound) {
		tag := &nbt.Compound{}
		tag.Set("id", nbt.String("minecraft:chest"))
		tag.Set("x", nbt.Int(3))
		tag.Set("y", nbt.Int(65))
		tag.Set("z", nbt.Int(3))
		root.Set("block_entities", nbt.List{Of: nbt.KindCompound, Items: []nbt.Tag{tag}})
	})
	must(t, d.Mkdir("entities", 0o755))
	must(t, region.Rewrite(d, "entities/r.0.0.mca", map[region.Pos][]byte{
		{}: entityChunk(
			entity("minecraft:horse", 1.5, 65, 1.5, entity("minecraft:zombie", 1.5, 66.2, 1.5)),
			entity("minecraft:cow", 5.01, 65, 0),
		),
		{X: 1}: entityChunk(entity("minecraft:pig", 16.5, 65, 0.5)),
	}, now()))
	h := open(t, config(t, d))
	for _, test := range []struct {
		in   geom.Box
		want []host.Foreign
	}{
		{geom.NewBox(geom.Pos{Y: 65}, geom.Pos{X: 4, Y: 70, Z: 4}), []host.Foreign{
			{Pos: geom.Pos{X: 1, Y: 65, Z: 1}, Kind: "entity", ID: "minecraft:horse"},
			{Pos: chest, Kind: "block entity", ID: "minecraft:chest"},
			{Pos: geom.Pos{X: 1, Y: 66, Z: 1}, Kind: "entity", ID: "minecraft:zombie"},
		}},
		{geom.NewBox(geom.Pos{X: 5, Y: 65}, geom.Pos{X: 16, Y: 65, Z: 2}), []host.Foreign{
			{Pos: geom.Pos{X: 5, Y: 65}, Kind: "entity", ID: "minecraft:cow"},
			{Pos: geom.Pos{X: 16, Y: 65}, Kind: "entity", ID: "minecraft:pig"},
		}},
		{geom.NewBox(geom.Pos{X: -5, Y: 65}, geom.Pos{X: -1, Y: 70}), nil}, // no file of entities
	} {
		got, err := h.Foreign(t.Context(), test.in)
		must(t, err)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("Foreign in %v (-want +got):\n%s", test.in, diff)
		}
	}
	_, err := h.Edit(t.Context(), host.Cause{}, geom.Box{Min: chest, Max: chest}, func(w host.Writer) error {
		if got := w.Occupied(chest); got != "minecraft:chest" {
			t.Errorf("Occupied: %q", got)
		}
		return w.Set(chest, "minecraft:stone")
	})
	if err == nil {
		t.Error("a block is set where a chest is")
	}
}

func TestForeignUnreadable(t *testing.T) {
	t.Parallel()
	odd := &nbt.Compound{}
	odd.Set("id", nbt.String("minecraft:cow"))
	for name, raw := range map[string][]byte{
		"no tree": []byte("x"),
		"nowhere": entityChunk(odd),
		"a tower without an end": func() []byte {
			top := entity("minecraft:cow", 0, 0, 0)
			for range 300 {
				top = entity("minecraft:cow", 0, 0, 0, top)
			}
			return entityChunk(top)
		}(),
	} {
		d := made(t)
		must(t, d.Mkdir("entities", 0o755))
		must(t, region.Rewrite(d, "entities/r.0.0.mca", map[region.Pos][]byte{{}: raw}, now()))
		var bad *host.Unreadable
		if _, err := open(t, config(t, d)).Foreign(t.Context(), geom.Box{}); !errors.As(err, &bad) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
