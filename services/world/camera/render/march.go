package render

import (
	"math"

	"github.com/pharos-mcp/pharos/services/world/geom"
)

// Vector is a point or a way: x, y, z.
type Vector [3]float64

// Hit is what a ray meets first.
type Hit struct {
	Pos      geom.Pos // of the block
	Distance float64  // from the origin, in blocks
	Axis     int      // of the face that is met: 0 x, 1 y, 2 z
	Sign     int      // the side of the axis that the face looks to: -1 or 1
	Cell     uint16   // place in Materials, or Missing

	point Vector // where the face is met, in the scene's own cells
}

// Cast follows a ray from an origin in the world's coordinates for most blocks.
// Direction has length 1. What lets light through is met like anything else.
// Without a hit, ok is false: the ray leaves the box, or is long enough.
func (s *Scene) Cast(origin, direction Vector, most float64) (h Hit, ok bool) {
	m := s.start(origin, direction, most)
	return m.next()
}

// march is one ray on its way through cells.
type march struct {
	scene     *Scene
	origin    Vector // in the scene's own cells
	direction Vector
	most      float64

	cell   [3]int
	step   [3]int
	border [3]float64 // how far the next border is, on each axis
	delta  [3]float64
	at     float64 // how far the ray has come
	axis   int     // of the border that it came over
	out    bool
	size   [3]int
}

// start places a ray in the box, at its border where it comes from outside.
func (s *Scene) start(origin, direction Vector, most float64) march {
	m := march{scene: s, direction: direction, most: most, size: [3]int{s.width, s.height, s.length}, axis: -1}
	low := Vector{float64(s.Box.Min.X), float64(s.Box.Min.Y), float64(s.Box.Min.Z)}
	enter := 0.0
	for i := range 3 {
		m.origin[i] = origin[i] - low[i]
		if direction[i] == 0 {
			if m.origin[i] < 0 || m.origin[i] >= float64(m.size[i]) {
				m.out = true
			}
			continue
		}
		near := -m.origin[i] / direction[i]
		far := (float64(m.size[i]) - m.origin[i]) / direction[i]
		if near > far {
			near, far = far, near
		}
		if near > enter {
			enter, m.axis = near, i
		}
		most = min(most, far)
	}
	if enter >= most {
		m.out = true
	}
	m.most, m.at = most, enter
	if !m.out {
		m.place(enter)
	}
	return m
}

// place sets the march to where the ray is after a way.
func (m *march) place(way float64) {
	for i := range 3 {
		at := m.origin[i] + m.direction[i]*way
		m.cell[i] = min(max(int(math.Floor(at)), 0), m.size[i]-1)
		switch {
		case m.direction[i] > 0:
			m.step[i], m.delta[i] = 1, 1/m.direction[i]
			m.border[i] = (float64(m.cell[i]+1) - m.origin[i]) * m.delta[i]
		case m.direction[i] < 0:
			m.step[i], m.delta[i] = -1, -1/m.direction[i]
			m.border[i] = (m.origin[i] - float64(m.cell[i])) * m.delta[i]
		default:
			m.step[i], m.delta[i], m.border[i] = 0, math.Inf(1), math.Inf(1)
		}
	}
}

// advance goes over the nearest border.
func (m *march) advance() {
	i := 0
	if m.border[1] < m.border[i] {
		i = 1
	}
	if m.border[2] < m.border[i] {
		i = 2
	}
	m.at, m.axis = m.border[i], i
	m.border[i] += m.delta[i]
	m.cell[i] += m.step[i]
	if m.cell[i] < 0 || m.cell[i] >= m.size[i] || m.at >= m.most {
		m.out = true
	}
}

// leap goes out of a brick with nothing in it.
func (m *march) leap() {
	x, y, z := m.cell[0]>>brick, m.cell[1]>>brick, m.cell[2]>>brick
	for !m.out && m.cell[0]>>brick == x && m.cell[1]>>brick == y && m.cell[2]>>brick == z {
		m.advance()
	}
}

// next is the next thing that is met.
func (m *march) next() (h Hit, ok bool) {
	s := m.scene
	for !m.out {
		x, y, z := m.cell[0], m.cell[1], m.cell[2]
		if !s.bricks[((y>>brick)*s.bl+z>>brick)*s.bw+x>>brick] {
			m.leap()
			continue
		}
		cell := s.at(x, y, z)
		switch s.kind(cell) {
		case whole, unknown:
			h, ok = m.hit(cell, m.at, m.axis), true
		case shaped:
			h, ok = m.shaped(cell)
		}
		m.advance()
		if ok {
			return h, true
		}
	}
	return Hit{}, false
}

// hit is the hit of the present cell. A ray that begins inside of it meets it at
// once, from where it looks.
func (m *march) hit(cell uint16, way float64, axis int) Hit {
	if axis < 0 {
		axis = 0
		for i := range 3 {
			if math.Abs(m.direction[i]) > math.Abs(m.direction[axis]) {
				axis = i
			}
		}
	}
	low := m.scene.Box.Min
	h := Hit{
		Pos:      geom.Pos{X: low.X + int32(m.cell[0]), Y: low.Y + int32(m.cell[1]), Z: low.Z + int32(m.cell[2])},
		Distance: way, Axis: axis, Sign: 1, Cell: cell,
	}
	if m.direction[axis] > 0 {
		h.Sign = -1
	}
	for i := range 3 {
		h.point[i] = m.origin[i] + m.direction[i]*way
	}
	return h
}

// shaped looks where the ray meets the cuboids of the present cell.
func (m *march) shaped(cell uint16) (h Hit, ok bool) {
	best, axis := m.most, -1
	for i := range m.scene.Materials[cell].Shape {
		if way, a, met := m.cuboid(&m.scene.Materials[cell].Shape[i]); met && way < best {
			best, axis, ok = way, a, true
		}
	}
	if !ok {
		return Hit{}, false
	}
	return m.hit(cell, best, axis), true
}

// cuboid tells how far the ray goes before it meets a cuboid of the present
// cell, and over which axis. A ray that begins within does not meet it.
func (m *march) cuboid(c *Cuboid) (way float64, axis int, met bool) {
	near, far := 0.0, m.most
	axis = -1
	for i := range 3 {
		low := float64(m.cell[i]) + float64(c.Min[i]) - m.origin[i]
		high := float64(m.cell[i]) + float64(c.Max[i]) - m.origin[i]
		if m.direction[i] == 0 {
			if low > 0 || high < 0 {
				return 0, 0, false
			}
			continue
		}
		a, b := low/m.direction[i], high/m.direction[i]
		if a > b {
			a, b = b, a
		}
		if a > near {
			near, axis = a, i
		}
		far = min(far, b)
		if near > far {
			return 0, 0, false
		}
	}
	return near, axis, axis >= 0
}
