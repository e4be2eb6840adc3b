package osm

import (
	"slices"

	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// roads is a net of straight pieces.
type roads struct {
	nodes []geo.Point
	at    map[geo.Point]int
	edges [][2]int
	known map[[2]int]bool
}

func newRoads() *roads { return &roads{at: map[geo.Point]int{}, known: map[[2]int]bool{}} }

func (r *roads) node(p geo.Point) int {
	n, ok := r.at[p]
	if !ok {
		n = len(r.nodes)
		r.nodes, r.at[p] = append(r.nodes, p), n
	}
	return n
}

// join adds a straight road, in pieces where it is longer than a map has them.
func (r *roads) join(from, to geo.Point) {
	pieces := (geo.Dist(from, to) + longestPiece - 1) / longestPiece
	last := r.node(from)
	for i := int64(1); i <= pieces; i++ {
		next := r.node(geo.Between(from, to, i, pieces))
		pair := [2]int{min(last, next), max(last, next)}
		if last != next && !r.known[pair] {
			r.known[pair] = true
			r.edges = append(r.edges, pair)
		}
		last = next
	}
}

// longestPiece leaves room for the rounding of a piece's ends.
const longestPiece = city.MaxEdge - 10

// straight is how far a bend may be from the straight way past it to be left
// out, in tenths.
const straight = 20

// simplify leaves out the bends of roads that are nearly straight, in the order
// of the nodes.
func (r *roads) simplify() {
	next := make([][]int, len(r.nodes))
	for _, e := range r.edges {
		next[e[0]], next[e[1]] = append(next[e[0]], e[1]), append(next[e[1]], e[0])
	}
	for n := range next {
		if len(next[n]) != 2 {
			continue
		}
		a, b := next[n][0], next[n][1]
		if a == b || slices.Contains(next[a], b) || geo.Dist(r.nodes[a], r.nodes[b]) > longestPiece ||
			away(r.nodes[n], r.nodes[a], r.nodes[b]) > straight {
			continue
		}
		next[a][slices.Index(next[a], n)], next[b][slices.Index(next[b], n)] = b, a
		next[n] = nil
	}
	r.edges = r.edges[:0]
	for n, others := range next {
		for _, other := range others {
			if n < other {
				r.edges = append(r.edges, [2]int{n, other})
			}
		}
	}
}

// away is how far a point is from the straight line over two others.
func away(p, a, b geo.Point) int64 {
	area := turn(a, b, p)
	return max(area, -area) / max(1, geo.Dist(a, b))
}

// main gives the largest connected part as the nodes and edges of a map, and how
// many edges are in others. Of equally large ones it is the first.
func (r *roads) main() (nodes []geo.Point, edges []city.Edge, others int) {
	part := make([]int, len(r.nodes))
	for i := range part {
		part[i] = i
	}
	root := func(n int) int {
		for part[n] != n {
			part[n] = part[part[n]]
			n = part[n]
		}
		return n
	}
	for _, e := range r.edges {
		a, b := root(e[0]), root(e[1])
		part[max(a, b)] = min(a, b)
	}
	sizes := make([]int, len(r.nodes))
	for _, e := range r.edges {
		sizes[root(e[0])]++
	}
	largest := 0
	for n, size := range sizes {
		if size > sizes[largest] {
			largest = n
		}
	}
	renamed := map[int]int{}
	rename := func(n int) int {
		if _, ok := renamed[n]; !ok {
			renamed[n] = len(nodes)
			nodes = append(nodes, r.nodes[n])
		}
		return renamed[n]
	}
	for _, e := range r.edges {
		if root(e[0]) != largest {
			others++
			continue
		}
		a, b := rename(e[0]), rename(e[1])
		edges = append(edges, city.Edge{A: a, B: b, Length: geo.Dist(r.nodes[e[0]], r.nodes[e[1]])})
	}
	return nodes, edges, others
}
