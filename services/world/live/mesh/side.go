package mesh

import "github.com/pharos-mcp/pharos/services/world/blocks"

// Side is the direction that a face looks to.
type Side uint8

// The sides, two for each axis, the smaller coordinate first.
const (
	West, East   Side = 0, 1 // x
	Down, Up     Side = 2, 3 // y
	North, South Side = 4, 5 // z
)

// axis is 0 for x, 1 for y, 2 for z.
func (s Side) axis() int { return int(s >> 1) }

// positive reports whether it looks to where the coordinate grows.
func (s Side) positive() bool { return s&1 == 1 }

// plane is where the face of a box on a side lies, on the side's axis.
func (s Side) plane(box blocks.AABB) int8 {
	if s.positive() {
		return box.Max[s.axis()]
	}
	return box.Min[s.axis()]
}

// outer reports whether a box reaches the border of its block on a side.
func (s Side) outer(box blocks.AABB) bool {
	if s.positive() {
		return s.plane(box) == blocks.Whole
	}
	return s.plane(box) == 0
}

// over reports whether a face is no larger than the section of a box across the
// side's axis, and lies within it.
func (s Side) over(box, face blocks.AABB) bool {
	for axis := range 3 {
		if axis != s.axis() && (box.Min[axis] > face.Min[axis] || box.Max[axis] < face.Max[axis]) {
			return false
		}
	}
	return true
}

// hidden reports whether nothing is seen of the face of a box of a block, whose
// neighbour on that side is next.
func (s Side) hidden(block, next *look, box blocks.AABB) bool {
	if !s.outer(box) {
		return s.inside(block, box)
	}
	if next == nil || !next.opaque() && next.colour != block.colour {
		return false
	}
	for _, other := range next.boxes {
		if (s ^ 1).outer(other) && s.over(other, box) {
			return true
		}
	}
	return false
}

// inside reports whether another box of the block is right before the face.
func (s Side) inside(block *look, box blocks.AABB) bool {
	plane, axis := s.plane(box), s.axis()
	for _, other := range block.boxes {
		begins := other.Min[axis] <= plane && other.Max[axis] > plane
		if !s.positive() {
			begins = other.Min[axis] < plane && other.Max[axis] >= plane
		}
		if begins && s.over(other, box) {
			return true
		}
	}
	return false
}
