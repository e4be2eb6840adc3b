package city

import (
	"slices"

	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// Route is the one shortest way between two places that the rules name.
type Route struct {
	Legs  []Leg
	Total int64
}

// Leg is a piece of a way along one edge.
type Leg struct {
	Edge     int
	From, To int64 // offsets
}

// Length is how long the piece is.
func (l Leg) Length() int64 { return max(l.From-l.To, l.To-l.From) }

// ways are the distances between all nodes, along roads, and the roads at each.
type ways struct {
	nodes int
	apart []int64 // from node × to node; far where there is no way
	edges [][]int // of each node, in order
}

// far is no distance of a map.
const far = int64(1) << 40

func (w *ways) between(a, b int) int64 { return w.apart[a*w.nodes+b] }

// survey finds the distances between all nodes.
func survey(nodes int, edges []Edge) ways {
	w := ways{nodes: nodes, apart: make([]int64, nodes*nodes), edges: make([][]int, nodes)}
	for i := range w.apart {
		w.apart[i] = far
	}
	for n := range nodes {
		w.apart[n*nodes+n] = 0
	}
	for i, e := range edges {
		w.edges[e.A], w.edges[e.B] = append(w.edges[e.A], i), append(w.edges[e.B], i)
		shortest := min(e.Length, w.between(e.A, e.B))
		w.apart[e.A*nodes+e.B], w.apart[e.B*nodes+e.A] = shortest, shortest
	}
	for over := range nodes {
		for a := range nodes {
			first := w.between(a, over)
			if first == far {
				continue
			}
			for b := range nodes {
				if d := first + w.between(over, b); d < w.between(a, b) {
					w.apart[a*nodes+b] = d
				}
			}
		}
	}
	return w
}

// Route finds the shortest way between two places of a connected map. Where
// several are equally short it is this one: the piece of a common edge; else the
// one that reaches the destination's edge at its first node; and going back
// from there, at each node the edge that stands first among those of a shortest
// way, until a node that the source's edge leads to at its distance. Pieces
// without a length are left out, but one always stays.
func (m *Map) Route(from, to Place) Route {
	source := start{m, from}
	goal := m.Edges[to.Edge]
	overA := source.distance(goal.A) + to.Offset
	overB := source.distance(goal.B) + goal.Length - to.Offset
	last, total := Leg{to.Edge, 0, to.Offset}, overA
	node := goal.A
	if overB < overA {
		last, total, node = Leg{to.Edge, goal.Length, to.Offset}, overB, goal.B
	}
	if direct := (Leg{from.Edge, from.Offset, to.Offset}); from.Edge == to.Edge && direct.Length() <= total {
		return Route{Legs: []Leg{direct}, Total: direct.Length()}
	}
	legs := append(make([]Leg, 0, 16), last)
	for !source.leadsTo(node) {
		leg, before := source.back(node)
		legs = append(legs, leg)
		node = before
	}
	legs = append(legs, source.first(node))
	slices.Reverse(legs)
	return Route{Legs: trim(legs), Total: total}
}

// trim leaves out the ends that have no length.
func trim(legs []Leg) []Leg {
	if len(legs) > 1 && legs[0].Length() == 0 {
		legs = legs[1:]
	}
	if len(legs) > 1 && legs[len(legs)-1].Length() == 0 {
		legs = legs[:len(legs)-1]
	}
	return legs
}

// start is where a way begins.
type start struct {
	city  *Map
	place Place
}

// distance is that of a node.
func (s start) distance(node int) int64 {
	e, w := s.city.Edges[s.place.Edge], &s.city.way
	return min(s.place.Offset+w.between(e.A, node), e.Length-s.place.Offset+w.between(e.B, node))
}

// leadsTo reports whether the source's own edge leads to a node at its
// distance.
func (s start) leadsTo(node int) bool {
	return s.first(node).Length() == s.distance(node) && s.touches(node)
}

func (s start) touches(node int) bool {
	e := s.city.Edges[s.place.Edge]
	return node == e.A || node == e.B
}

// first is the piece of the source's own edge to a node at one of its ends.
func (s start) first(node int) Leg {
	e := s.city.Edges[s.place.Edge]
	if node == e.A {
		return Leg{s.place.Edge, s.place.Offset, 0}
	}
	return Leg{s.place.Edge, s.place.Offset, e.Length}
}

// back is the last edge of the way to a node, and the node before.
func (s start) back(node int) (Leg, int) {
	there := s.distance(node)
	for _, i := range s.city.way.edges[node] {
		e := s.city.Edges[i]
		if e.B == node && s.distance(e.A)+e.Length == there {
			return Leg{i, 0, e.Length}, e.A
		}
		if e.A == node && s.distance(e.B)+e.Length == there {
			return Leg{i, e.Length, 0}, e.B
		}
	}
	panic("city: a shortest way leads nowhere") // the map is connected
}

// Polyline is the way as points, where it begins and ends and every node
// between, none twice in a row.
func (m *Map) Polyline(legs []Leg) []geo.Point {
	points := make([]geo.Point, 0, len(legs)+1)
	for i, leg := range legs {
		if i == 0 {
			points = append(points, m.At(Place{leg.Edge, leg.From}))
		}
		if end := m.At(Place{leg.Edge, leg.To}); end != points[len(points)-1] {
			points = append(points, end)
		}
	}
	return points
}
