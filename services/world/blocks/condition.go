package blocks

import "github.com/pharos-mcp/pharos/services/world/geom"

// condition reports whether a block is content with the state that stands at
// one of its sides.
type condition func(self, other standing, side geom.Pos) bool

// Names of leaves, which bear nothing though they fill their position, and of
// what is lower than a cube and bears everything.
var (
	bearsNothing = names("*_leaves")
	bearsAll     = names("soul_sand mud")
)

// sturdy: the other's face towards the block is filled.
func sturdy(_, other standing, side geom.Pos) bool {
	return bears(other, side, 0, Whole)
}

// centre: the middle of the other's face towards the block is filled.
func centre(_, other standing, side geom.Pos) bool {
	return bears(other, side, Whole*7/16, Whole*9/16)
}

// bears reports whether the square from low to high of the face towards the
// block, which side leads away from, is filled.
func bears(other standing, side geom.Pos, low, high int8) bool {
	switch {
	case bearsAll.has(other.kind.name):
		return true
	case bearsNothing.has(other.kind.name):
		return false
	}
	return covers(other.shape(), opposite(side), low, high)
}

// massive: the other is large enough for signs and cakes, whatever its form: two
// thirds of a block and more, or as high as one.
func massive(_, other standing, _ geom.Pos) bool {
	shape := other.shape()
	if len(shape) == 0 {
		return false
	}
	bounds := shape[0]
	for _, b := range shape[1:] {
		for axis := range 3 {
			bounds.Min[axis] = min(bounds.Min[axis], b.Min[axis])
			bounds.Max[axis] = max(bounds.Max[axis], b.Max[axis])
		}
	}
	size := 0
	for axis := range 3 {
		size += int(bounds.Max[axis] - bounds.Min[axis])
	}
	return size >= 3*Whole*35/48 || bounds.Max[1]-bounds.Min[1] >= Whole
}

// body: things that fall do not fall through the other.
func body(_, other standing, _ geom.Pos) bool { return len(other.shape()) > 0 }

// present: the other is anything but air.
func present(_, other standing, _ geom.Pos) bool { return !airs.has(other.kind.name) }

// one of: the other's name is in the list.
func oneOf(list string) condition {
	set := names(list)
	return func(_, other standing, _ geom.Pos) bool { return set.has(other.kind.name) }
}

func not(c condition) condition {
	return func(self, other standing, side geom.Pos) bool { return !c(self, other, side) }
}

func either(a, b condition) condition {
	return func(self, other standing, side geom.Pos) bool { return a(self, other, side) || b(self, other, side) }
}

func both(conditions ...condition) condition {
	return func(self, other standing, side geom.Pos) bool {
		for _, c := range conditions {
			if !c(self, other, side) {
				return false
			}
		}
		return true
	}
}

// same: the other is the same block.
func same(self, other standing, _ geom.Pos) bool { return self.kind == other.kind }

// with: a property of the other has the value.
func with(property, value string) condition {
	return func(_, other standing, _ geom.Pos) bool { return other.property(property) == value }
}

// agrees: a property is the same on both.
func agrees(property string) condition {
	return func(self, other standing, _ geom.Pos) bool {
		return self.property(property) == other.property(property)
	}
}

// covers reports whether boxes fill the square from low to high in both
// directions of a face. The face is named by the step out of it.
func covers(shape []AABB, face geom.Pos, low, high int8) bool {
	axis, positive := axisOf(face)
	a, b := (axis+1)%3, (axis+2)%3 // the two directions within the face
	var at []AABB
	for _, box := range shape {
		low, high := box.Min[axis], box.Max[axis]
		if positive && low < Whole && high >= Whole || !positive && low <= 0 && high > 0 {
			at = append(at, box)
		}
	}
	for i := low; i < high; i++ {
	square:
		for j := low; j < high; j++ {
			for _, box := range at {
				if box.Min[a] <= i && i < box.Max[a] && box.Min[b] <= j && j < box.Max[b] {
					continue square
				}
			}
			return false
		}
	}
	return true
}

func axisOf(step geom.Pos) (axis int, positive bool) {
	switch {
	case step.X != 0:
		return 0, step.X > 0
	case step.Y != 0:
		return 1, step.Y > 0
	}
	return 2, step.Z > 0
}
