package render

import (
	"math"

	"github.com/pharos-mcp/pharos/services/world/colour"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// Cuboid is a part of a block's shape, in shares of the block: 0 to 1.
type Cuboid struct{ Min, Max [3]float32 }

// Whole is the shape of a full block.
var Whole = []Cuboid{{Max: [3]float32{1, 1, 1}}}

// Material is how a block looks.
type Material struct {
	Shape  []Cuboid // nothing is seen of a block without
	Colour colour.RGBA
}

// full reports whether nothing is seen past it and it fills its place.
func (m *Material) full() bool {
	return m.Colour.A == 255 && len(m.Shape) == 1 && m.Shape[0] == Whole[0]
}

// Missing is the cell of a position that nothing is known of.
const Missing = ^uint16(0)

// Scene is a box of blocks. It does not change while it is rendered.
type Scene struct {
	Box       geom.Box
	Materials []Material // of which the first is nothing: air
	// Cells are places in Materials, or Missing, in the order y, z, x.
	Cells []uint16

	width, length, height int
	kinds                 []kind
	bricks                []bool // those of 8×8×8 cells with anything in them
	bw, bl                int
}

type kind uint8

const (
	empty kind = iota
	shaped
	whole
	unknown
)

const brick = 3 // 8 cells

// Prepare makes what a march needs. It is called once, when the cells are set.
func (s *Scene) Prepare() {
	x, y, z := s.Box.Size()
	s.width, s.height, s.length = int(x), int(y), int(z)
	s.kinds = make([]kind, len(s.Materials))
	for i := range s.Materials {
		switch m := &s.Materials[i]; {
		case len(m.Shape) == 0 || m.Colour.A == 0:
			s.kinds[i] = empty
		case m.full():
			s.kinds[i] = whole
		default:
			s.kinds[i] = shaped
		}
	}
	s.bw, s.bl = (s.width+7)>>brick, (s.length+7)>>brick
	s.bricks = make([]bool, s.bw*s.bl*((s.height+7)>>brick))
	for i, cell := range s.Cells {
		if cell != Missing && s.kinds[cell] == empty {
			continue
		}
		row := i / s.width
		s.bricks[((row/s.length>>brick)*s.bl+row%s.length>>brick)*s.bw+i%s.width>>brick] = true
	}
}

// at is the cell at a place within the box, in cells from its smallest corner.
func (s *Scene) at(x, y, z int) uint16 { return s.Cells[(y*s.length+z)*s.width+x] }

// Within is the cell that a point of the world is in, where nothing is seen from
// there: a block fills it.
func (s *Scene) Within(point Vector) (cell uint16, ok bool) {
	var at [3]int
	for i, low := range [3]int32{s.Box.Min.X, s.Box.Min.Y, s.Box.Min.Z} {
		v := math.Floor(point[i]) - float64(low)
		if v < 0 || v >= float64([3]int{s.width, s.height, s.length}[i]) {
			return 0, false
		}
		at[i] = int(v)
	}
	cell = s.at(at[0], at[1], at[2])
	return cell, s.kind(cell) == whole
}

func (s *Scene) kind(cell uint16) kind {
	if cell == Missing {
		return unknown
	}
	return s.kinds[cell]
}
