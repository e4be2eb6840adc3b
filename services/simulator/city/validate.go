package city

import (
	"fmt"

	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// Validate reports everything that is wrong with a map: what a game relies on
// must hold of each.
func (m *Map) Validate() (problems []string) {
	report := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if m.Width < 1 || m.Height < 1 || m.Width > maxSide || m.Height > maxSide {
		report("the map is %d × %d tenths, not 1 to %d each way", m.Width, m.Height, maxSide)
		return problems
	}
	if len(m.Edges) == 0 || len(m.Buildings) == 0 || len(m.Depots) == 0 {
		report("the map has %d roads, %d buildings and %d depots, and needs all three", len(m.Edges), len(m.Buildings), len(m.Depots))
		return problems
	}
	m.validateRoads(report)
	if len(problems) > 0 {
		return problems // what follows needs roads
	}
	for i, d := range m.Depots {
		if d.Edge < 0 || d.Edge >= len(m.Edges) || d.Offset < 0 || d.Offset > m.Edges[d.Edge].Length {
			report("depot %d is not on a road", i+1)
		}
	}
	m.validateBuildings(report)
	return problems
}

func (m *Map) validateRoads(report func(string, ...any)) {
	for i, n := range m.Nodes {
		if !m.Contains(n) {
			report("node %d is outside of the map", i)
		}
	}
	reached := make([]int, len(m.Nodes)) // the group of a node
	for i := range reached {
		reached[i] = i
	}
	for i, e := range m.Edges {
		if e.A < 0 || e.B < 0 || e.A >= len(m.Nodes) || e.B >= len(m.Nodes) || e.A == e.B {
			report("e%d does not join two nodes", i+1)
			return
		}
		if e.Length < 1 || e.Length > MaxEdge {
			report("e%d is %d long, not 1 to %d", i+1, e.Length, MaxEdge)
		}
		a, b := reached[e.A], reached[e.B]
		for n := range reached {
			if reached[n] == b {
				reached[n] = a
			}
		}
	}
	for n := range reached {
		if reached[n] != reached[0] {
			report("node %d has no way to node 0", n)
			return
		}
	}
}

func (m *Map) validateBuildings(report func(string, ...any)) {
	for i, b := range m.Buildings {
		id := i + 1
		for _, p := range append([]geo.Point{b.Point}, b.Footprint...) {
			if !m.Contains(p) {
				report("l%d is not wholly on the map", id)
				break
			}
		}
		if !convex(b.Footprint) {
			report("the footprint of l%d is not convex, or not counter-clockwise", id)
			continue
		}
		if b.Area < 1 {
			report("l%d covers no ground", id)
		}
		if b.Floors < 1 || b.Floors > 20 {
			report("l%d has %d floors, not 1 to 20", id, b.Floors)
		}
		if _, distance := m.Snap(b.Point); distance > MaxAccess {
			report("l%d is %d from a road, more than %d", id, distance, MaxAccess)
		}
	}
	m.pairs(SpreadGap, func(i, j int) {
		if !Disjoint(m.Buildings[i].Footprint, m.Buildings[j].Footprint) {
			report("l%d and l%d overlap", i+1, j+1)
		}
	})
}

// pairs gives every two buildings whose footprints could be within a distance,
// each pair once, in order.
func (m *Map) pairs(distance int64, use func(i, j int)) {
	boxes := make([]box, len(m.Buildings))
	for i, b := range m.Buildings {
		boxes[i] = boxOf(b.Footprint)
	}
	for i := range boxes {
		for j := i + 1; j < len(boxes); j++ {
			if boxes[i].within(boxes[j], distance) {
				use(i, j)
			}
		}
	}
}

// box is the smallest upright rectangle around a polygon.
type box struct{ low, high geo.Point }

func boxOf(polygon []geo.Point) box {
	if len(polygon) == 0 {
		return box{}
	}
	b := box{polygon[0], polygon[0]}
	for _, p := range polygon {
		b.low = geo.Point{X: min(b.low.X, p.X), Y: min(b.low.Y, p.Y)}
		b.high = geo.Point{X: max(b.high.X, p.X), Y: max(b.high.Y, p.Y)}
	}
	return b
}

func (b box) within(c box, distance int64) bool {
	return b.low.X-c.high.X <= distance && c.low.X-b.high.X <= distance &&
		b.low.Y-c.high.Y <= distance && c.low.Y-b.high.Y <= distance
}
