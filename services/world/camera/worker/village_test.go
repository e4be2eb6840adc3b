package worker_test

import (
	"math/rand/v2"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/camera/snapshot"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/memory"
)

// village is a flat world, whose ground ends at y 64, with a house by 0, 0, a
// stairway to a platform east of it and a forest to the south-west.
type village struct {
	*memory.Host
	t    testing.TB
	pack *blocks.Pack
}

// box puts a state everywhere in a box.
func (v *village) box(x, y, z, x2, y2, z2 int32, state string) {
	v.t.Helper()
	canonical, err := v.pack.Parse(state)
	if err != nil {
		v.t.Fatal(err)
	}
	box := geom.NewBox(geom.Pos{X: x, Y: y, Z: z}, geom.Pos{X: x2, Y: y2, Z: z2})
	_, err = v.Edit(v.t.Context(), host.Cause{Kind: host.ByOther}, box, func(w host.Writer) error {
		for p := range box.Positions() {
			if err := w.Set(p, canonical); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		v.t.Fatal(err)
	}
}

func settle(t testing.TB) *village {
	t.Helper()
	pack, err := blocks.Load(blocks.Default)
	if err != nil {
		t.Fatal(err)
	}
	v := &village{Host: memory.New(memory.Config{Pack: pack}), t: t, pack: pack}
	v.house()
	v.stairway()
	r := rand.New(rand.NewPCG(3, 9))
	for range 90 {
		v.tree(-58+r.Int32N(46), 14+r.Int32N(44), 5+r.Int32N(4), []string{"oak", "birch", "spruce"}[r.IntN(3)])
	}
	for _, at := range [][2]int32{{-16, -10}, {12, -14}, {-12, 8}, {2, -20}} {
		v.tree(at[0], at[1], 5, "oak")
	}
	return v
}

func (v *village) house() {
	v.box(-6, 64, -6, 6, 64, 6, "stone_bricks")
	v.box(-5, 65, -5, 5, 69, 5, "oak_planks")
	v.box(-4, 65, -4, 4, 69, 4, "air")
	for _, x := range []int32{-5, 5} {
		for _, z := range []int32{-5, 5} {
			v.box(x, 65, z, x, 69, z, "dark_oak_log[axis=y]")
		}
	}
	v.box(0, 65, 5, 0, 66, 5, "air")
	v.box(-3, 66, 5, -2, 67, 5, "glass")
	v.box(2, 66, 5, 3, 67, 5, "glass")
	v.box(5, 66, -2, 5, 67, 2, "glass")
	for i := range int32(6) {
		v.box(-6, 69+i, 6-i, 6, 69+i, 6-i, "brick_stairs[facing=north]")
		v.box(-6, 69+i, i-6, 6, 69+i, i-6, "brick_stairs[facing=south]")
		if i > 0 {
			for _, x := range []int32{-5, 5} {
				v.box(x, 69+i, i-5, x, 69+i, 5-i, "oak_planks")
			}
		}
	}
	v.box(-6, 75, 0, 6, 75, 0, "brick_slab[type=bottom]")
	v.box(0, 64, 7, 0, 64, 12, "gravel")
	for x := int32(-8); x <= 8; x++ {
		if x != 0 {
			v.box(x, 65, 12, x, 65, 12, "oak_fence[east=true,west=true]")
		}
	}
	v.box(-8, 65, 12, -8, 66, 12, "cobblestone_wall[up=true]")
	v.box(8, 65, 12, 8, 66, 12, "cobblestone_wall[up=true]")
}

func (v *village) stairway() {
	for i := range int32(6) {
		v.box(16+i, 65, -2, 16+i, 64+i, 2, "stone_bricks")
		v.box(16+i, 65+i, -2, 16+i, 65+i, 2, "stone_brick_stairs[facing=east]")
	}
	v.box(22, 65, -2, 27, 69, 2, "stone_bricks")
	v.box(22, 70, -2, 27, 70, 2, "polished_andesite")
	for _, z := range []int32{-2, 2} {
		v.box(22, 71, z, 27, 71, z, "stone_brick_slab[type=bottom]")
		v.box(27, 71, z, 27, 74, z, "quartz_pillar[axis=y]")
		v.box(16, 65, z*2, 24, 65, z*2, "stone_brick_slab[type=top]")
	}
	v.box(27, 75, -2, 27, 75, 2, "quartz_stairs[facing=east,half=top]")
	v.box(24, 71, 0, 24, 71, 0, "gold_block")
}

func (v *village) tree(x, z, height int32, wood string) {
	leaves := wood + "_leaves[persistent=true]"
	top := 64 + height
	if wood == "spruce" {
		v.box(x-2, top-2, z-2, x+2, top-2, z+2, leaves)
		v.box(x-1, top-1, z-1, x+1, top, z+1, leaves)
		v.box(x, top+1, z, x, top+2, z, leaves)
	} else {
		v.box(x-2, top-1, z-2, x+2, top, z+2, leaves)
		v.box(x-1, top+1, z-1, x+1, top+2, z+1, leaves)
	}
	v.box(x, 65, z, x, top, z, wood+"_log[axis=y]")
}

// shot is the village as it is seen from a middle.
func (v *village) shot(middle geom.Pos, around int32) *snapshot.Snapshot {
	v.t.Helper()
	s, err := snapshot.Take(v.t.Context(), v, middle, around)
	if err != nil {
		v.t.Fatal(err)
	}
	return s
}
