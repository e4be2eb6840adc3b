package schem

import (
	"math"
	"slices"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// Place returns the blocks with the anchor on target, turned by 0, 90, 180 or
// 270 degrees around it, clockwise seen from above: what is east of the anchor
// comes to its south. They are sorted by position. Air is among them; what is to
// be left as it is, is not.
func (s *Schematic) Place(target geom.Pos, rotation int, pack *blocks.Pack) ([]geom.Placement, error) {
	quarters := rotation / 90
	if rotation < 0 || rotation > 270 || rotation%90 != 0 {
		return nil, fault.Newf(fault.Invalid, "rotation is %d, not 0, 90, 180 or 270", rotation)
	}
	turned, err := s.turned(quarters, pack)
	if err != nil {
		return nil, err
	}
	placed := make([]geom.Placement, 0, len(s.blocks))
	for i, index := range s.blocks {
		if s.leaves(s.palette[index]) {
			continue
		}
		x, z := i%s.Width, i/s.Width%s.Length
		y := i / s.Width / s.Length
		dx, dz := turn(int64(s.Offset.X)+int64(x), int64(s.Offset.Z)+int64(z), quarters)
		at := [3]int64{int64(target.X) + dx, int64(target.Y) + int64(s.Offset.Y) + int64(y), int64(target.Z) + dz}
		for _, v := range at {
			if v < math.MinInt32 || v > math.MaxInt32 {
				return nil, fault.Newf("out_of_bounds", "with the offset %s it would lie outside of any world: %d %d %d",
					s.Offset, at[0], at[1], at[2])
			}
		}
		p := geom.Pos{X: int32(at[0]), Y: int32(at[1]), Z: int32(at[2])}
		placed = append(placed, geom.Placement{Pos: p, Block: turned[index]})
	}
	slices.SortFunc(placed, func(a, b geom.Placement) int { return a.Pos.Compare(b.Pos) })
	return placed, nil
}

// turned is the palette with every state turned.
func (s *Schematic) turned(quarters int, pack *blocks.Pack) ([]string, error) {
	turned := make([]string, len(s.palette))
	for i, state := range s.palette {
		turned[i] = blocks.Rotate(state, quarters)
		if !pack.Known(turned[i]) {
			return nil, fault.Newf(BadBlock, "%s turned by %d degrees is no block of %s", state, 90*quarters, pack.Version())
		}
	}
	return turned, nil
}

// turn takes x, z around 0, 0 by quarters of a full turn.
func turn(x, z int64, quarters int) (int64, int64) {
	for range quarters {
		x, z = -z, x
	}
	return x, z
}
