package serial

import (
	"fmt"

	"github.com/pharos-mcp/pharos/services/world/geom"
)

// view is a Reader of a box.
type view struct {
	world *World
	box   geom.Box
	area  Area
	ended bool
}

// At implements host.Reader.
func (v *view) At(p geom.Pos) string {
	v.check(p)
	if !v.world.inHeight(p) {
		return Air
	}
	return v.area.At(p)
}

// Occupied implements host.Reader.
func (v *view) Occupied(p geom.Pos) string {
	v.check(p)
	if !v.world.inHeight(p) {
		return ""
	}
	return v.area.Occupied(p)
}

// Revision implements host.Reader.
func (v *view) Revision() uint64 { return v.world.revision }

func (v *view) check(p geom.Pos) {
	if v.ended {
		panic("a view or an edit is used after its end")
	}
	if !v.box.Contains(p) {
		panic(fmt.Sprintf("%s is outside the box from %s to %s", p, v.box.Min, v.box.Max))
	}
}
