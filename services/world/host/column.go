package host

import "context"

// Columns is a host that gives whole chunks at once, to those who show them.
type Columns interface {
	// Column returns a chunk as it is at one moment, or *NotGenerated or
	// *Unreadable. It belongs to the caller.
	Column(ctx context.Context, at ChunkPos) (*Column, error)
}

// Column is a chunk from the bottom of the world to its top.
type Column struct {
	Pos      ChunkPos
	MinY     int32
	Sections []Section // of 16 layers each, from the lowest
	Revision uint64    // of the world when it was read
}

// Section is 16×16×16 positions.
type Section struct {
	Palette []string // canonical states; none is air alone
	// Cells are places in the palette in the order y, z, x. Nil is the first
	// everywhere.
	Cells []uint16
}

// At is the state at a place in the section: y, z and x from 0 to 15.
func (s *Section) At(x, y, z int) string {
	switch {
	case len(s.Palette) == 0:
		return "minecraft:air"
	case s.Cells == nil:
		return s.Palette[0]
	default:
		return s.Palette[s.Cells[y<<8|z<<4|x]]
	}
}

// Heights are the y of the highest block that is not air in each of the 256
// columns, in the order z, x; MinY-1 for a column of air.
func (c *Column) Heights() []int32 {
	heights := make([]int32, 256)
	for i := range heights {
		heights[i] = c.MinY - 1
	}
	left := len(heights)
	done := make([]bool, 256)
	for n := len(c.Sections) - 1; n >= 0 && left > 0; n-- {
		s := &c.Sections[n]
		if s.Empty() {
			continue
		}
		for y := 15; y >= 0 && left > 0; y-- {
			for i := range heights {
				if !done[i] && !IsAir(s.At(i&15, y, i>>4)) {
					heights[i], done[i] = c.MinY+int32(n*16+y), true
					left--
				}
			}
		}
	}
	return heights
}

// Empty reports whether a section is air alone.
func (s *Section) Empty() bool {
	for _, state := range s.Palette {
		if !IsAir(state) {
			return false
		}
	}
	return true
}
