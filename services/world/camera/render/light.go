package render

import "math"

// light is a colour while it is reckoned with: 0 to 1, more where it is brighter.
type light [3]float64

func (c light) bytes() (r, g, b, a uint8) {
	to := func(v float64) uint8 { return uint8(min(max(v, 0), 1)*255 + 0.5) }
	return to(c[0]), to(c[1]), to(c[2]), 255
}

// toward is the light between two, by a share of the second.
func (c light) toward(d light, share float64) light {
	for i := range 3 {
		c[i] += (d[i] - c[i]) * share
	}
	return c
}

func (c light) times(by float64) light {
	for i := range 3 {
		c[i] *= by
	}
	return c
}

// The sun, by the way to it, and how much light faces get: those to the east
// and west, above, below, north and south.
var sun = normal(Vector{0.5, 0.78, 0.37})

const (
	ambient = 0.56 // of the light, in a shadow
	reach   = 96   // blocks that a shadow falls over
	lift    = 1e-4 // blocks that a shadow's ray begins off its face
)

func normal(v Vector) Vector {
	long := math.Sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2])
	return Vector{v[0] / long, v[1] / long, v[2] / long}
}

// sky is what a ray shows that meets nothing.
func sky(direction Vector) light {
	up := max(direction[1], 0)
	c := light{0.74, 0.84, 0.95}.toward(light{0.36, 0.58, 0.92}, math.Sqrt(up))
	if toSun := direction[0]*sun[0] + direction[1]*sun[1] + direction[2]*sun[2]; toSun > 0.9992 {
		return light{1, 0.97, 0.86}
	}
	return c
}

// layers bounds how many things that let light through are looked through.
const layers = 8

// look is what a ray shows, and how far it is known: less than view where it
// comes to a position that nothing is known of before anything hides it.
func (s *Scene) look(eye, direction Vector, view float64) (c light, known float64) {
	m := s.start(eye, direction, view)
	var seen light
	left := 1.0
	for range layers {
		h, ok := m.next()
		if !ok {
			break
		}
		if h.Cell == Missing {
			return seen.plus(light{0.5, 0, 0.5}, left), h.Distance
		}
		alpha := float64(s.Materials[h.Cell].Colour.A) / 255
		seen = seen.plus(s.face(h, direction, view), left*alpha)
		if left *= 1 - alpha; left < 0.02 {
			return seen, view
		}
		m.pass(h.Cell)
	}
	return seen.plus(sky(direction), left), view
}

func (c light) plus(d light, share float64) light {
	for i := range 3 {
		c[i] += d[i] * share
	}
	return c
}

// pass goes through the cells of the same material, which show no face between
// them.
func (m *march) pass(cell uint16) {
	for !m.out && m.scene.at(m.cell[0], m.cell[1], m.cell[2]) == cell {
		m.advance()
	}
}

// face is the light that comes from where a ray meets a block.
func (s *Scene) face(h Hit, direction Vector, view float64) light {
	c := s.Materials[h.Cell].Colour
	plain := light{float64(c.R) / 255, float64(c.G) / 255, float64(c.B) / 255}
	bright := [3]float64{0.80, 1, 0.90}[h.Axis]
	if h.Axis == 1 && h.Sign < 0 {
		bright = 0.62
	}
	if s.shadowed(h) {
		bright *= ambient
	}
	plain = plain.times(bright * grain(h) * edge(h))
	fog := h.Distance / view
	return plain.toward(sky(direction), fog*fog*fog)
}

// shadowed reports whether something stands between a face and the sun.
func (s *Scene) shadowed(h Hit) bool {
	if sun[h.Axis]*float64(h.Sign) <= 0 {
		return true
	}
	from := Vector{float64(s.Box.Min.X), float64(s.Box.Min.Y), float64(s.Box.Min.Z)}
	for i := range 3 {
		from[i] += h.point[i]
	}
	from[h.Axis] += lift * float64(h.Sign)
	m := s.start(from, sun, reach)
	for range layers {
		over, ok := m.next()
		if !ok || over.Cell == Missing {
			return false
		}
		if s.Materials[over.Cell].Colour.A > 200 {
			return true
		}
	}
	return false
}

// grain makes the sixteen by sixteen dots of a face a little different, the same
// ones from wherever they are seen.
func grain(h Hit) float64 {
	seed := uint32(h.Pos.X)*0x9e3779b1 ^ uint32(h.Pos.Y)*0x85ebca77 ^ uint32(h.Pos.Z)*0xc2b2ae3d ^ uint32(h.Axis)
	for i := range 3 {
		if i != h.Axis {
			seed = seed*31 + uint32((h.point[i]-math.Floor(h.point[i]))*16)
		}
	}
	seed ^= seed >> 15
	seed *= 0x2c1b3c6d
	seed ^= seed >> 12
	return 0.955 + 0.09*float64(seed&0xff)/255
}

// edge darkens the border of a block, so that one can be told from the next.
func edge(h Hit) float64 {
	near := 1.0
	for i := range 3 {
		if i == h.Axis {
			continue
		}
		in := h.point[i] - math.Floor(h.point[i])
		near = min(near, in, 1-in)
	}
	width := 0.03 + h.Distance*0.0006
	if near > width || h.Distance > 48 {
		return 1
	}
	return 0.86 + 0.14*h.Distance/48
}
