package mesh

import (
	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/colour"
)

// Quad is a face, or a run of faces in a row that look the same: two corners in
// units of 1/32 of a block from the smallest corner of the section, which differ
// on the two axes that are not the side's.
type Quad struct {
	Min, Max [3]uint16
	Side     Side
	Colour   colour.RGBA
}

// Section is what is seen of 16×16×16 positions.
type Section struct {
	Y      int32  // of the lowest
	Opaque []Quad // nothing is seen through them
	Clear  []Quad // the others
}

// Mesh finds the faces of a column, of each section of which something is seen,
// from the lowest. Faces of a block are left out that a neighbour covers whose
// box is as large and hides, or has the same colour.
func (c *Column) Mesh(around Around) []Section {
	var sections []Section
	for i, looks := range c.looks {
		if looks == nil {
			continue
		}
		var opaque, clear run
		for cell := range 4096 {
			x, y, z := cell&15, i<<4|cell>>8, cell>>4&15
			block := c.at(x, y, z)
			if block == nil {
				continue
			}
			quads := &clear
			if block.opaque() {
				quads = &opaque
			}
			for side := West; side <= South; side++ {
				next := around.next(c, x, y, z, side)
				for _, box := range block.boxes {
					if !side.hidden(block, next, box) {
						quads.add(face(x, y&15, z, side, box, block.colour))
					}
				}
			}
		}
		if len(opaque.quads)+len(clear.quads) > 0 {
			sections = append(sections, Section{c.column.MinY + int32(i<<4), opaque.quads, clear.quads})
		}
	}
	return sections
}

// face is the face of a box of the block at a place of a section.
func face(x, y, z int, s Side, box blocks.AABB, c colour.RGBA) Quad {
	box.Min[s.axis()], box.Max[s.axis()] = s.plane(box), s.plane(box)
	q := Quad{Side: s, Colour: c}
	for axis, at := range [3]int{x, y, z} {
		q.Min[axis] = uint16(at*blocks.Whole + int(box.Min[axis]))
		q.Max[axis] = uint16(at*blocks.Whole + int(box.Max[axis]))
	}
	return q
}

// run joins faces in a row as they come: those that look east and west along z,
// the others along x.
type run struct {
	quads []Quad
	last  [6][16]int // by side, and by x where the row goes along z: 1 + the place in quads
}

func (r *run) add(q Quad) {
	along, lane := 0, 0
	if q.Side.axis() == 0 {
		along, lane = 2, int(q.Min[0]/blocks.Whole)&15
	}
	last := &r.last[q.Side][lane]
	if *last > 0 {
		if before := &r.quads[*last-1]; before.joins(q, along) {
			before.Max[along] = q.Max[along]
			return
		}
	}
	r.quads = append(r.quads, q)
	*last = len(r.quads)
}

// joins reports whether q goes on where a quad of the same side ends.
func (before *Quad) joins(q Quad, along int) bool {
	if before.Max[along] != q.Min[along] || before.Colour != q.Colour {
		return false
	}
	for axis := range 3 {
		if axis != along && (before.Min[axis] != q.Min[axis] || before.Max[axis] != q.Max[axis]) {
			return false
		}
	}
	return true
}
