package serial

import (
	"context"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// Sections is an area that gives 16×16×16 positions at once.
type Sections interface {
	// Section is what At has from low on in each direction. It belongs to the
	// caller.
	Section(low geom.Pos) host.Section
}

// Column implements host.Columns.
func (w *World) Column(ctx context.Context, at host.ChunkPos) (*host.Column, error) {
	box := geom.Box{Min: geom.Pos{X: at.X << 4, Y: w.low, Z: at.Z << 4}, Max: geom.Pos{X: at.X<<4 | 15, Y: w.high, Z: at.Z<<4 | 15}}
	c := &host.Column{Pos: at, MinY: w.low, Sections: make([]host.Section, (w.high-w.low+1)/16)}
	err := w.Columns(ctx, box, func(a Area) error {
		c.Revision = w.revision
		read := func(low geom.Pos) host.Section { return section(a, low) }
		if sections, ok := a.(Sections); ok {
			read = sections.Section
		}
		for i := range c.Sections {
			c.Sections[i] = read(geom.Pos{X: box.Min.X, Y: w.low + int32(16*i), Z: box.Min.Z})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// section reads 16×16×16 positions from the smallest.
func section(a Area, low geom.Pos) host.Section {
	places := map[string]uint16{}
	var s host.Section
	cells := make([]uint16, 4096)
	last, place := "", uint16(0)
	for i := range cells {
		state := a.At(low.Add(geom.Pos{X: int32(i & 15), Y: int32(i >> 8), Z: int32(i >> 4 & 15)}))
		if state != last {
			known, ok := places[state]
			if !ok {
				known = uint16(len(s.Palette))
				places[state] = known
				s.Palette = append(s.Palette, state)
			}
			last, place = state, known
		}
		cells[i] = place
	}
	if len(s.Palette) > 1 {
		s.Cells = cells
	}
	return s
}
