package geom

func around(center Pos, radius int32) (low, high [3]int64) {
	low, high = wide(center), wide(center)
	for axis := range low {
		low[axis] -= int64(radius)
		high[axis] += int64(radius)
	}
	return low, high
}

// row is one row of a round shape along x: the positions up to out from the
// middle, without those up to in, -1 for none.
type row struct{ out, in int64 }

func (r row) count() int64 {
	switch {
	case r.out < 0:
		return 0
	case r.in < 0:
		return 2*r.out + 1
	default:
		return 2 * (r.out - r.in)
	}
}

func (r row) each(x int32, yield func(x int32)) {
	for d := -r.out; d <= r.out; d++ {
		if d == -r.in && r.in >= 0 {
			d = r.in + 1 // over the inner part; there is always something beyond it
		}
		yield(x + int32(d))
	}
}

func (c Cylinder) bounds() (low, high [3]int64) {
	low, high = around(c.Center, c.Radius)
	low[1] = int64(c.Center.Y)
	high[1] = low[1] + int64(c.Height) - 1
	return low, high
}

func (c Cylinder) rows() int64 { return 2*int64(c.Radius) + 1 }

func (c Cylinder) row(z int64) row {
	r := row{reach(c.Radius, z*z), -1}
	if c.Hollow {
		r.in = min(r.out-1, reach(c.Radius, (z-1)*(z-1)), reach(c.Radius, (z+1)*(z+1)))
	}
	return r
}

func (c Cylinder) count() int64 {
	var layer int64
	for z := -int64(c.Radius); z <= int64(c.Radius); z++ {
		layer += c.row(z).count()
	}
	return layer * int64(c.Height)
}

func (c Cylinder) each(yield func(Pos)) {
	for z := -int64(c.Radius); z <= int64(c.Radius); z++ {
		r := c.row(z)
		for y := range c.Height {
			r.each(c.Center.X, func(x int32) { yield(Pos{x, c.Center.Y + y, c.Center.Z + int32(z)}) })
		}
	}
}

func (s Sphere) bounds() (low, high [3]int64) { return around(s.Center, s.Radius) }

func (s Sphere) rows() int64 { side := 2*int64(s.Radius) + 1; return side * side }

func (s Sphere) row(y, z int64) row {
	at := func(y, z int64) int64 { return reach(s.Radius, y*y+z*z) }
	r := row{at(y, z), -1}
	if s.Hollow {
		r.in = min(r.out-1, at(y-1, z), at(y+1, z), at(y, z-1), at(y, z+1))
	}
	return r
}

func (s Sphere) eachRow(f func(y, z int64, r row)) {
	for y := -int64(s.Radius); y <= int64(s.Radius); y++ {
		for z := -int64(s.Radius); z <= int64(s.Radius); z++ {
			f(y, z, s.row(y, z))
		}
	}
}

func (s Sphere) count() (n int64) {
	s.eachRow(func(_, _ int64, r row) { n += r.count() })
	return n
}

func (s Sphere) each(yield func(Pos)) {
	s.eachRow(func(y, z int64, r row) {
		r.each(s.Center.X, func(x int32) { yield(Pos{x, s.Center.Y + int32(y), s.Center.Z + int32(z)}) })
	})
}
