package geom_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pharos-mcp/pharos/services/world/geom"
)

// TestVolume does not overflow, however large a box is.
func TestVolume(t *testing.T) {
	t.Parallel()
	low, high := int32(math.MinInt32), int32(math.MaxInt32)
	for _, c := range []struct {
		box  geom.Box
		want int64
	}{
		{geom.Box{}, 1},
		{geom.NewBox(at(1, 2, 3), at(-1, 4, 3)), 9},
		{geom.NewBox(at(low, 0, 0), at(high, 0, 0)), 1 << 32},
		{geom.NewBox(at(low, low, 0), at(high, -1, 0)), math.MaxInt64},
		{geom.NewBox(at(low, low, 0), at(-1, -1, 0)), 1 << 62},
		{geom.NewBox(at(low, low, 0), at(-1, -1, 1)), math.MaxInt64},
		{geom.NewBox(at(low, low, low), at(high, high, high)), math.MaxInt64},
	} {
		if got := c.box.Volume(); got != c.want {
			t.Errorf("%v: %d, want %d", c.box, got, c.want)
		}
	}
}

// TestBoxes holds boxes to the positions that they have.
func TestBoxes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := geom.NewBox(drawPos(t, "a"), drawPos(t, "a")), geom.NewBox(drawPos(t, "b"), drawPos(t, "b"))
		of := func(b geom.Box) []geom.Pos { return slices.Collect(b.Positions()) }
		in := func(ps []geom.Pos) map[geom.Pos]bool {
			set := map[geom.Pos]bool{}
			for _, p := range ps {
				set[p] = true
			}
			return set
		}
		as, bs := of(a), of(b)
		if int64(len(as)) != a.Volume() || !slices.IsSortedFunc(as, geom.Pos.Compare) {
			t.Errorf("%v: %d positions of %d, or out of order", a, len(as), a.Volume())
		}
		meets, holds := false, true
		setA := in(as)
		for _, p := range bs {
			meets, holds = meets || setA[p], holds && setA[p]
			if a.Contains(p) != setA[p] {
				t.Errorf("%v contains %v: %v", a, p, a.Contains(p))
			}
		}
		if a.Intersects(b) != meets || a.Holds(b) != holds {
			t.Errorf("%v and %v: meets %v, holds %v", a, b, a.Intersects(b), a.Holds(b))
		}
		union := a.Union(b)
		if !union.Holds(a) || !union.Holds(b) || union != b.Union(a) {
			t.Errorf("the union of %v and %v: %v", a, b, union)
		}
		low, high := union.Min, union.Max
		for _, p := range append(as, bs...) {
			low = geom.Pos{X: max(low.X, p.X), Y: max(low.Y, p.Y), Z: max(low.Z, p.Z)}
			high = geom.Pos{X: min(high.X, p.X), Y: min(high.Y, p.Y), Z: min(high.Z, p.Z)}
		}
		if diff := cmp.Diff(geom.Box{Min: high, Max: low}, union); diff != "" {
			t.Errorf("the union is larger than it has to be:\n%s", diff)
		}
	})
}
