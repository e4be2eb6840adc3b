package plan

import (
	"context"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// MaxInspect is how many positions one read may have, and how many columns.
const MaxInspect = 4096

// Region is what stands in a box, at one moment.
type Region struct {
	Box       geom.Box
	Positions int
	Palette   []Count // the most frequent first
	// Layers are all positions, where they were asked for: layers by y, in each a row
	// for each z, in each the places in the palette along x, as "0*16 3 0*2".
	Layers   []Layer
	Revision uint64
}

// Inspect reads a box of the project's area, with every position or in sum. It
// generates nothing.
func Inspect(ctx context.Context, h host.Host, p Project, box geom.Box, positions bool) (Region, error) {
	if n := box.Volume(); n > MaxInspect {
		return Region{}, fault.Newf(BudgetExceeded, "the box has %d positions; read at most %d at a time", n, MaxInspect)
	}
	for _, corner := range []geom.Pos{box.Min, box.Max} {
		if err := inside(h, p.Area, "the corner", corner); err != nil {
			return Region{}, err
		}
	}
	region := Region{Box: box}
	states := make([]string, 0, box.Volume())
	err := h.View(ctx, box, func(r host.Reader) error {
		region.Revision = r.Revision()
		for at := range box.Positions() {
			states = append(states, r.At(at))
		}
		return nil
	})
	if err != nil {
		return Region{}, HostFault(err)
	}
	region.Positions = len(states)
	found := palette{}
	for _, state := range states {
		found[state]++
	}
	region.Palette = found.counts()
	if positions {
		region.Layers = layers(box, states, places(region.Palette))
	}
	return region, nil
}

// layers writes the states of a box, which are in the order of its positions.
func layers(box geom.Box, states []string, places map[string]string) []Layer {
	nx, ny, nz := box.Size()
	written := make([]Layer, ny)
	var r runs
	for y := range ny {
		written[y] = Layer{Y: box.Min.Y + int32(y), Rows: make([]string, nz)}
		for z := range nz {
			for _, state := range states[:nx] {
				r.add(places[state])
			}
			states = states[nx:]
			written[y].Rows[z] = r.row()
		}
	}
	return written
}
