package plan

import (
	"context"
	"strconv"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// Column is all positions with one x and one z.
type Column struct{ X, Z int32 }

// HeightMap is the highest block of each column that is not air: a row for each
// z, in each the heights along x as "64*3 65", and null for a column of air.
type HeightMap struct {
	Min, Max Column
	Rows     []string
}

// Heights reads the columns between two corners of the project's area, from the
// bottom of the world to its top.
func Heights(ctx context.Context, h host.Host, p Project, a, b Column) (HeightMap, error) {
	info := h.Info()
	box := geom.NewBox(geom.Pos{X: a.X, Y: info.MinY, Z: a.Z}, geom.Pos{X: b.X, Y: info.MaxY, Z: b.Z})
	nx, _, nz := box.Size()
	if n := (geom.Box{Min: geom.Pos{X: box.Min.X, Z: box.Min.Z}, Max: geom.Pos{X: box.Max.X, Z: box.Max.Z}}).Volume(); n > MaxInspect {
		return HeightMap{}, fault.Newf(BudgetExceeded, "the rectangle has %d columns; read at most %d at a time", n, MaxInspect)
	}
	for _, corner := range []geom.Pos{box.Min, box.Max} {
		if corner.X < p.Area.Min.X || corner.X > p.Area.Max.X || corner.Z < p.Area.Min.Z || corner.Z > p.Area.Max.Z {
			return HeightMap{}, fault.Newf(OutOfBounds, "the column x %d, z %d is outside the project's area, which is from %s to %s",
				corner.X, corner.Z, p.Area.Min, p.Area.Max)
		}
	}
	heights, err := h.Heights(ctx, box)
	if err != nil {
		return HeightMap{}, HostFault(err)
	}
	m := HeightMap{Min: Column{box.Min.X, box.Min.Z}, Max: Column{box.Max.X, box.Max.Z}, Rows: make([]string, nz)}
	var r runs
	for z := range nz {
		for _, y := range heights[z*nx : (z+1)*nx] {
			if y < info.MinY {
				r.add("null")
			} else {
				r.add(strconv.Itoa(int(y)))
			}
		}
		m.Rows[z] = r.row()
	}
	return m, nil
}
