package snapshot

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// MaxCells bounds a snapshot: 321 × 384 × 321 positions fit.
const MaxCells = 40_000_000

// Unknown is the cell of a position that is not in the world's files.
const Unknown = ^uint16(0)

// Snapshot is the blocks of a box at one moment.
type Snapshot struct {
	Revision uint64
	Box      geom.Box
	Palette  []string // canonical states, of which the first is air
	Cells    []uint16 // places in the palette, or Unknown, in the order y, z, x
}

const air = "minecraft:air"

// World is where a snapshot is taken.
type World interface {
	host.Columns
	Info() host.Info
	Observe(host.Observer) (stop func())
}

// Take reads what lies within so many blocks of a middle, from the lowest block
// that is not air to the highest, with room for an eye. Columns are read one
// after the other; what changes meanwhile is put in, so that all is of one
// revision: the latest that was read or heard of.
func Take(ctx context.Context, w World, middle geom.Pos, around int32) (*Snapshot, error) {
	heard := &ear{}
	stop := w.Observe(heard)
	defer stop() // it may be called twice
	flat := geom.NewBox(geom.Pos{X: middle.X - around, Z: middle.Z - around}, geom.Pos{X: middle.X + around, Z: middle.Z + around})
	columns, err := read(ctx, w, flat)
	if err != nil {
		return nil, err
	}
	stop()
	low, high := middle.Y-2, middle.Y+2
	var revision uint64
	for _, c := range columns {
		revision = max(revision, c.Revision)
		for i := range c.Sections {
			if !c.Sections[i].Empty() {
				low, high = min(low, c.MinY+int32(i)*16), max(high, c.MinY+int32(i)*16+15)
			}
		}
	}
	info := w.Info()
	flat.Min.Y, flat.Max.Y = max(low, info.MinY), min(high, info.MaxY)
	if flat.Min.Y > flat.Max.Y { // an eye far above or below the world
		flat.Min.Y, flat.Max.Y = info.MinY, info.MaxY
	}
	if n := flat.Volume(); n > MaxCells {
		return nil, fmt.Errorf("a snapshot of %d positions: at most %d are made", n, MaxCells)
	}
	s := &Snapshot{Revision: revision, Box: flat, Palette: []string{air}, Cells: make([]uint16, flat.Volume())}
	s.fill(columns)
	var missed []Change
	for _, c := range heard.changes {
		s.Revision = max(s.Revision, c.Revision)
		if at := columns[host.ChunkPos{X: c.X >> 4, Z: c.Z >> 4}]; at != nil && c.Revision > at.Revision {
			missed = append(missed, Change{Pos: c.Pos, State: c.After})
		}
	}
	if len(missed) == 0 {
		return s, nil
	}
	return s.With(missed)
}

// read reads the columns of a box that there are.
func read(ctx context.Context, w World, flat geom.Box) (map[host.ChunkPos]*host.Column, error) {
	columns := map[host.ChunkPos]*host.Column{}
	for _, at := range host.ChunksOf(flat) {
		c, err := w.Column(ctx, at)
		if absent, unusable := new(host.NotGenerated), new(host.Unreadable); errors.As(err, &absent) || errors.As(err, &unusable) {
			continue
		}
		if err != nil {
			return nil, err
		}
		columns[at] = c
	}
	return columns, nil
}

// fill puts the columns in. What has none is unknown.
func (s *Snapshot) fill(columns map[host.ChunkPos]*host.Column) {
	places := map[string]uint16{air: 0}
	width, length, _ := s.sizes()
	for _, at := range host.ChunksOf(s.Box) {
		c := columns[at]
		x0, x1 := max(s.Box.Min.X, at.X<<4), min(s.Box.Max.X, at.X<<4|15)
		z0, z1 := max(s.Box.Min.Z, at.Z<<4), min(s.Box.Max.Z, at.Z<<4|15)
		var section *host.Section
		var own []uint16 // the palette of the section in that of the snapshot
		for y := s.Box.Min.Y; y <= s.Box.Max.Y; y++ {
			if c != nil && (section == nil || (y-c.MinY)&15 == 0) {
				section = &c.Sections[(y-c.MinY)>>4]
				own = s.translate(section, places)
			}
			if c != nil && section.Cells == nil && own[0] == 0 {
				continue
			}
			for z := z0; z <= z1; z++ {
				row := s.Cells[(int(y-s.Box.Min.Y)*length+int(z-s.Box.Min.Z))*width+int(x0-s.Box.Min.X):][:x1-x0+1]
				for i := range row {
					switch x := x0 + int32(i); {
					case c == nil:
						row[i] = Unknown
					case section.Cells == nil:
						row[i] = own[0]
					default:
						row[i] = own[section.Cells[(y-c.MinY)&15<<8|z&15<<4|x&15]]
					}
				}
			}
		}
	}
}

// translate has the palette of a section in the snapshot's.
func (s *Snapshot) translate(section *host.Section, places map[string]uint16) []uint16 {
	if len(section.Palette) == 0 {
		return []uint16{0}
	}
	own := make([]uint16, len(section.Palette))
	for i, state := range section.Palette {
		own[i] = s.place(state, places)
	}
	return own
}

func (s *Snapshot) place(state string, places map[string]uint16) uint16 {
	place, ok := places[state]
	if !ok {
		place = uint16(len(s.Palette))
		places[state] = place
		s.Palette = append(s.Palette, state)
	}
	return place
}

// Change is a block as it would be.
type Change struct {
	geom.Pos
	State string
}

// With returns the snapshot as it would be with changes; those outside of its
// box grow it as far as the world goes.
func (s *Snapshot) With(changes []Change) (*Snapshot, error) {
	box := s.Box
	for _, c := range changes {
		if c.X >= box.Min.X && c.X <= box.Max.X && c.Z >= box.Min.Z && c.Z <= box.Max.Z {
			box.Min.Y, box.Max.Y = min(box.Min.Y, c.Y), max(box.Max.Y, c.Y)
		}
	}
	if box.Volume() > MaxCells {
		return nil, fmt.Errorf("a snapshot of %d positions: at most %d are made", box.Volume(), MaxCells)
	}
	width, length, _ := s.sizes()
	layer := width * length
	below, above := int(s.Box.Min.Y-box.Min.Y), int(box.Max.Y-s.Box.Max.Y)
	changed := &Snapshot{Revision: s.Revision, Box: box, Palette: slices.Clone(s.Palette)}
	empty := make([]uint16, layer) // what a layer without blocks is: unknown where the columns are
	for i, cell := range s.Cells[:layer] {
		if cell == Unknown {
			empty[i] = Unknown
		}
	}
	changed.Cells = slices.Concat(slices.Repeat(empty, below), s.Cells, slices.Repeat(empty, above))
	places := map[string]uint16{}
	for i, state := range changed.Palette {
		places[state] = uint16(i)
	}
	for _, c := range changes {
		if box.Contains(c.Pos) {
			i := (int(c.Y-box.Min.Y)*length+int(c.Z-box.Min.Z))*width + int(c.X-box.Min.X)
			changed.Cells[i] = changed.place(c.State, places)
		}
	}
	return changed, nil
}

func (s *Snapshot) sizes() (width, length, height int) {
	x, y, z := s.Box.Size()
	return int(x), int(z), int(y)
}
