package geom

import "math"

// shape is the positions of one operation.
type shape interface {
	// bounds are its corners, which may lie outside what a Pos holds.
	bounds() (low, high [3]int64)
	// rows is what it costs to count the positions or to go over them, beside
	// one for each; it is known without either.
	rows() int64
	count() int64
	each(yield func(Pos))
}

func wide(p Pos) [3]int64 { return [3]int64{int64(p.X), int64(p.Y), int64(p.Z)} }

func (c Cuboid) box() Box { return NewBox(c.Min, c.Max) }

func (c Cuboid) bounds() (low, high [3]int64) { b := c.box(); return wide(b.Min), wide(b.Max) }

func (c Cuboid) rows() int64 { return 0 }

func (c Cuboid) count() int64 {
	b := c.box()
	all := b.Volume()
	x, y, z := b.Size()
	if !c.Hollow || min(x, y, z) < 3 || all == math.MaxInt64 {
		return all
	}
	return all - (x-2)*(y-2)*(z-2)
}

func (c Cuboid) each(yield func(Pos)) {
	b := c.box()
	if !c.Hollow {
		for p := range b.Positions() {
			yield(p)
		}
		return
	}
	for y := b.Min.Y; y <= b.Max.Y; y++ {
		for z := b.Min.Z; z <= b.Max.Z; z++ {
			step := int32(1)
			if y != b.Min.Y && y != b.Max.Y && z != b.Min.Z && z != b.Max.Z {
				step = max(1, b.Max.X-b.Min.X) // the two ends of the row
			}
			for x := b.Min.X; x <= b.Max.X; x += step {
				yield(Pos{x, y, z})
			}
		}
	}
}

func (r Replace) cuboid() Cuboid { return Cuboid{Min: r.Min, Max: r.Max} }

func (r Replace) bounds() (low, high [3]int64) { return r.cuboid().bounds() }
func (r Replace) rows() int64                  { return 0 }
func (r Replace) count() int64                 { return r.cuboid().count() }
func (r Replace) each(yield func(Pos))         { r.cuboid().each(yield) }

func (l Line) bounds() (low, high [3]int64) {
	b := NewBox(l.From, l.To)
	return wide(b.Min), wide(b.Max)
}

func (l Line) rows() int64 { return 0 }

func (l Line) count() int64 { x, y, z := NewBox(l.From, l.To).Size(); return max(x, y, z) }

func (l Line) each(yield func(Pos)) {
	from, to, n := wide(l.From), wide(l.To), l.count()-1
	for i := range n + 1 {
		var p [3]int64
		for axis := range p {
			p[axis] = from[axis]
			if n > 0 {
				p[axis] += floorDiv(2*i*(to[axis]-from[axis])+n, 2*n) // to the nearest, halves upwards
			}
		}
		yield(Pos{int32(p[0]), int32(p[1]), int32(p[2])})
	}
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// reach is how far a row lies to either side of the middle, where the squares
// of the row's other distances sum up to d; -1 for no row.
func reach(radius int32, d int64) int64 {
	left := int64(radius)*int64(radius) - d
	if left < 0 {
		return -1
	}
	return int64(math.Sqrt(float64(left))) // exact: left is far below 2^52
}
