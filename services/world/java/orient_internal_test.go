package java

import (
	"testing"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// nothing is a world of one block against which something is put.
type nothing struct{ against string }

func (n nothing) At(p geom.Pos) string {
	if p == (geom.Pos{}) {
		return n.against
	}
	return "minecraft:air"
}
func (nothing) Occupied(geom.Pos) string { return "" }
func (nothing) Revision() uint64         { return 0 }

// TestOriented: what is placed is turned as the game turns it.
func TestOriented(t *testing.T) {
	t.Parallel()
	pack, err := blocks.Load(blocks.Default)
	if err != nil {
		t.Fatal(err)
	}
	const down, up, north, south, west, east = 0, 1, 2, 3, 4, 5
	for _, test := range []struct {
		item       string
		face       int
		height     float32
		yaw, pitch float32
		want       string
	}{
		{"stone", up, 1, 0, 0, "stone"},
		{"oak_stairs", up, 1, 0, 0, "oak_stairs[facing=south,half=bottom,shape=straight,waterlogged=false]"},
		{"oak_stairs", down, 0, 90, 0, "oak_stairs[facing=west,half=top,shape=straight,waterlogged=false]"},
		{"oak_stairs", north, 0.4, 180, 0, "oak_stairs[facing=north,half=bottom,shape=straight,waterlogged=false]"},
		{"oak_stairs", north, 0.6, -90, 0, "oak_stairs[facing=east,half=top,shape=straight,waterlogged=false]"},
		{"oak_stairs", up, 1, 44.9, 0, "oak_stairs[facing=south,half=bottom,shape=straight,waterlogged=false]"},
		{"oak_stairs", up, 1, 45, 0, "oak_stairs[facing=west,half=bottom,shape=straight,waterlogged=false]"},
		{"oak_stairs", up, 1, -720 + 180, 0, "oak_stairs[facing=north,half=bottom,shape=straight,waterlogged=false]"},
		{"oak_log", up, 1, 0, 0, "oak_log[axis=y]"},
		{"oak_log", south, 0, 0, 0, "oak_log[axis=z]"},
		{"oak_log", west, 0, 0, 0, "oak_log[axis=x]"},
		{"oak_slab", up, 1, 0, 0, "oak_slab[type=bottom,waterlogged=false]"},
		{"oak_slab", down, 0, 0, 0, "oak_slab[type=top,waterlogged=false]"},
		{"oak_slab", east, 0.5, 0, 0, "oak_slab[type=bottom,waterlogged=false]"},
		{"oak_slab", east, 0.51, 0, 0, "oak_slab[type=top,waterlogged=false]"},
		{"oak_door", up, 1, 90, 0, "oak_door[facing=west,half=lower,hinge=left,open=false,powered=false]"},
		{"oak_trapdoor", up, 1, 0, 0, "oak_trapdoor[facing=north,half=bottom,open=false,powered=false,waterlogged=false]"},
		{"oak_trapdoor", down, 0, 0, 0, "oak_trapdoor[facing=north,half=top,open=false,powered=false,waterlogged=false]"},
		{"oak_trapdoor", east, 0.9, 0, 0, "oak_trapdoor[facing=east,half=top,open=false,powered=false,waterlogged=false]"},
		{"oak_fence_gate", up, 1, -90, 0, "oak_fence_gate[facing=east,in_wall=false,open=false,powered=false]"},
		{"ladder", west, 0.2, 90, 0, "ladder[facing=west,waterlogged=false]"},
		{"torch", up, 1, 0, 0, "torch"},
		{"torch", west, 0.2, 90, 0, "wall_torch[facing=west]"},
		{"carved_pumpkin", up, 1, 0, 0, "carved_pumpkin[facing=north]"},
		{"end_rod", down, 0, 0, 0, "end_rod[facing=down]"},
		{"end_rod", east, 0, 0, 0, "end_rod[facing=east]"},
		{"piston", up, 1, 0, 80, "piston[extended=false,facing=up]"},
		{"piston", up, 1, 0, 10, "piston[extended=false,facing=north]"},
		{"observer", up, 1, 0, -80, "observer[facing=up,powered=false]"},
		{"lever", up, 1, 90, 0, "lever[face=floor,facing=west,powered=false]"},
		{"lever", down, 0, 90, 0, "lever[face=ceiling,facing=west,powered=false]"},
		{"stone_button", north, 0.5, 90, 0, "stone_button[face=wall,facing=north,powered=false]"},
		{"oak_leaves", up, 1, 0, 0, "oak_leaves[distance=7,persistent=true,waterlogged=false]"},
	} {
		s := spot{face: faces[test.face], cursor: [3]float32{0.5, test.height, 0.5}, stand: stand{yaw: test.yaw, pitch: test.pitch}}
		sets, err := placed(pack, nothing{"minecraft:stone"}, test.item, s)
		if err != nil {
			t.Errorf("%s: %v", test.item, err)
			continue
		}
		if got := sets[0]; got.state != "minecraft:"+test.want || got.Pos != faces[test.face].to {
			t.Errorf("%s against %s, %v high, looking %v, %v: %s at %v, want %s", test.item, faces[test.face].name, test.height,
				test.yaw, test.pitch, got.state, got.Pos, test.want)
		}
	}
}

// TestEveryItem: every item that is a block is placed against every face as a
// state that the version has, or refused.
func TestEveryItem(t *testing.T) {
	t.Parallel()
	p := newTestPlayer(t)
	pack := p.server.world.Blocks()
	blocksSeen := 0
	for n := range int32(2000) {
		item, ok := p.server.table.Item(n)
		if !ok {
			continue
		}
		for _, f := range faces {
			for _, pitch := range []float32{-90, 0, 90} {
				sets, err := placed(pack, nothing{"minecraft:stone"}, item, spot{face: f, stand: stand{pitch: pitch}})
				if err == nil {
					blocksSeen++
				}
				for _, set := range sets {
					if !pack.Known(set.state) {
						t.Errorf("%s against %s is %q", item, f.name, set.state)
					}
				}
			}
		}
	}
	if blocksSeen < 700*18 {
		t.Errorf("%d of all items are placed", blocksSeen/18)
	}
}
