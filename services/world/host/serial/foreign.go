package serial

import (
	"cmp"
	"math"
	"slices"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// Floor is the block that a point is in. Points beyond what a Pos holds, and
// those that are no numbers, are at its ends.
func Floor(point [3]float64) geom.Pos {
	whole := func(v float64) int32 {
		switch v = math.Floor(v); {
		case v >= math.MaxInt32:
			return math.MaxInt32
		case v >= math.MinInt32:
			return int32(v)
		default:
			return math.MinInt32
		}
	}
	return geom.Pos{X: whole(point[0]), Y: whole(point[1]), Z: whole(point[2])}
}

// Sort puts a list in the order of positions, kinds and ids.
func Sort(list []host.Foreign) {
	slices.SortStableFunc(list, func(a, b host.Foreign) int {
		return cmp.Or(a.Pos.Compare(b.Pos), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID))
	})
}
