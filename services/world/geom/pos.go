package geom

import (
	"cmp"
	"fmt"
	"iter"
)

// Pos is the position of a block: x to the east, y up, z to the south.
type Pos struct{ X, Y, Z int32 }

// Add returns p moved by d.
func (p Pos) Add(d Pos) Pos { return Pos{p.X + d.X, p.Y + d.Y, p.Z + d.Z} }

// Sub returns the way from q to p.
func (p Pos) Sub(q Pos) Pos { return Pos{p.X - q.X, p.Y - q.Y, p.Z - q.Z} }

// Compare orders positions by y, then z, then x: the order of layers and rows.
func (p Pos) Compare(q Pos) int {
	return cmp.Or(cmp.Compare(p.Y, q.Y), cmp.Compare(p.Z, q.Z), cmp.Compare(p.X, q.X))
}

// String writes "x y z".
func (p Pos) String() string { return fmt.Sprintf("%d %d %d", p.X, p.Y, p.Z) }

// Box is all positions from Min to Max, both among them. Min is at most Max on
// each axis.
type Box struct{ Min, Max Pos }

// NewBox returns the box between any two opposite corners.
func NewBox(a, b Pos) Box {
	return Box{
		Pos{min(a.X, b.X), min(a.Y, b.Y), min(a.Z, b.Z)},
		Pos{max(a.X, b.X), max(a.Y, b.Y), max(a.Z, b.Z)},
	}
}

// Contains reports whether p is in the box.
func (b Box) Contains(p Pos) bool {
	return p.X >= b.Min.X && p.X <= b.Max.X && p.Y >= b.Min.Y && p.Y <= b.Max.Y && p.Z >= b.Min.Z && p.Z <= b.Max.Z
}

// Holds reports whether all of c is in the box.
func (b Box) Holds(c Box) bool { return b.Contains(c.Min) && b.Contains(c.Max) }

// Intersects reports whether the boxes have a position in common.
func (b Box) Intersects(c Box) bool {
	return b.Min.X <= c.Max.X && c.Min.X <= b.Max.X && b.Min.Y <= c.Max.Y && c.Min.Y <= b.Max.Y &&
		b.Min.Z <= c.Max.Z && c.Min.Z <= b.Max.Z
}

// Union is the smallest box that holds both.
func (b Box) Union(c Box) Box {
	return Box{
		Pos{min(b.Min.X, c.Min.X), min(b.Min.Y, c.Min.Y), min(b.Min.Z, c.Min.Z)},
		Pos{max(b.Max.X, c.Max.X), max(b.Max.Y, c.Max.Y), max(b.Max.Z, c.Max.Z)},
	}
}

// Size is the number of positions along each axis. It does not overflow.
func (b Box) Size() (x, y, z int64) {
	return int64(b.Max.X) - int64(b.Min.X) + 1, int64(b.Max.Y) - int64(b.Min.Y) + 1, int64(b.Max.Z) - int64(b.Min.Z) + 1
}

// Volume is the number of positions, or the largest int64 where that is more.
func (b Box) Volume() int64 {
	x, y, z := b.Size()
	return times(times(x, y), z)
}

// Positions are all positions in the order y, z, x.
func (b Box) Positions() iter.Seq[Pos] {
	return func(yield func(Pos) bool) {
		for y := int64(b.Min.Y); y <= int64(b.Max.Y); y++ {
			for z := int64(b.Min.Z); z <= int64(b.Max.Z); z++ {
				for x := int64(b.Min.X); x <= int64(b.Max.X); x++ {
					if !yield(Pos{int32(x), int32(y), int32(z)}) {
						return
					}
				}
			}
		}
	}
}
