package operation_test

import (
	"testing"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/operation"
)

// clause: W-18
func TestRevocations(t *testing.T) {
	t.Parallel()
	in := func(s, x int32) geom.Pos { return geom.Pos{X: -16 + 16*s + x, Y: -64, Z: -1} } // block x of section s
	o, r := operation.Revocations(2, 2)
	change := func(kind host.Kind, at ...geom.Pos) {
		var all []host.Change
		for _, p := range at {
			all = append(all, host.Change{Pos: p, Cause: host.Cause{Kind: kind}})
		}
		o.OnBlocks(all)
	}
	check := func(step string, has, not []geom.Pos) {
		t.Helper()
		for _, p := range has {
			if !operation.Has(r, p) {
				t.Errorf("%s: %s may be taken back", step, p)
			}
		}
		for _, p := range not {
			if operation.Has(r, p) {
				t.Errorf("%s: %s may not be taken back", step, p)
			}
		}
	}
	change(host.ByPlayer, in(0, 1), in(0, 15))
	change(host.ByOther, in(1, 2))
	check("changed by others", []geom.Pos{in(0, 1), in(0, 15), in(1, 2)}, []geom.Pos{in(0, 2), in(1, 1), in(2, 1), {X: -15, Y: -63, Z: -1}})
	change(host.ByOperation, in(0, 1), in(1, 2))
	check("written", []geom.Pos{in(0, 15)}, []geom.Pos{in(0, 1), in(1, 2)})

	change(host.ByPlayer, in(1, 3), in(2, 0)) // section 2 is beyond those with details
	check("coarse", []geom.Pos{in(1, 3), in(2, 0), in(2, 9)}, []geom.Pos{in(1, 2), in(3, 0)})
	change(host.ByOperation, in(2, 0))
	check("coarse and written", []geom.Pos{in(2, 0)}, nil)
	change(host.ByPlayer, in(3, 0))
	check("the last coarse one", []geom.Pos{in(3, 7)}, []geom.Pos{in(0, 1), in(4, 0)})
	change(host.ByPlayer, in(4, 0))
	check("all", []geom.Pos{in(0, 1), in(0, 15), in(4, 0), in(9, 9)}, nil)
	change(host.ByOperation, in(0, 1))
	change(host.ByPlayer, in(0, 1))
	check("all and written", []geom.Pos{in(0, 1)}, nil)
}
