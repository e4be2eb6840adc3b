package city

import "github.com/pharos-mcp/pharos/services/simulator/geo"

// Snap finds the place on a road that is nearest to a point, the first edge
// where several are, and how far it is.
func (m *Map) Snap(p geo.Point) (at Place, distance int64) {
	best := int64(-1)
	for i := range m.Edges {
		place := m.nearest(i, p)
		if d2 := geo.D2(p, m.At(place)); best < 0 || d2 < best {
			at, best = place, d2
		}
	}
	return at, geo.Dist(p, m.At(at))
}

// nearest is the place on one edge that is nearest to a point.
func (m *Map) nearest(edge int, p geo.Point) Place {
	e := m.Edges[edge]
	a := m.Nodes[e.A]
	along := m.Nodes[e.B].Sub(a)
	offset := geo.Rdiv(p.Sub(a).Dot(along)*e.Length, along.Dot(along))
	return Place{edge, min(max(offset, 0), e.Length)}
}
