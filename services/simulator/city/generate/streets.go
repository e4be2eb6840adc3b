package generate

import (
	"slices"

	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
	"github.com/pharos-mcp/pharos/services/simulator/stream"
)

// builder makes one map.
type builder struct {
	plan   plan
	city   *city.Map
	chance *stream.Stream
	bridge map[city.Edge]bool
}

func newBuilder(id string, p plan) *builder {
	return &builder{
		plan: p, chance: stream.New(0, "map/"+id, 0, 0), bridge: map[city.Edge]bool{},
		city: &city.Map{
			ID: id, Width: 2*p.margin + (p.columns-1)*p.pitch, Height: 2*p.margin + (p.rows-1)*p.pitch,
		},
	}
}

// streets lays out the crossings and every road between neighbours, but over
// the river the bridges alone.
func (b *builder) streets() {
	p := b.plan
	for row := range p.rows {
		for column := range p.columns {
			b.city.Nodes = append(b.city.Nodes, geo.Point{
				X: p.margin + column*p.pitch + b.chance.Range(-p.jitter, p.jitter),
				Y: p.margin + row*p.pitch + b.chance.Range(-p.jitter, p.jitter),
			})
		}
	}
	for row := range p.rows {
		for column := range p.columns {
			at := int(row*p.columns + column)
			if column+1 < p.columns {
				b.road(at, at+1)
			}
			switch {
			case row+1 == p.rows:
			case p.river == 0 || row != p.river:
				b.road(at, at+int(p.columns))
			case slices.Contains(p.bridges, column):
				b.bridge[b.road(at, at+int(p.columns))] = true
			}
		}
	}
}

func (b *builder) road(from, to int) city.Edge {
	e := city.Edge{A: from, B: to, Length: geo.Dist(b.city.Nodes[from], b.city.Nodes[to])}
	b.city.Edges = append(b.city.Edges, e)
	return e
}

// close takes roads away by chance, none without which a crossing has fewer
// than two or the city falls apart, and no bridge.
func (b *builder) close() {
	order := make([]int, len(b.city.Edges))
	for i := range order {
		order[i] = i
	}
	b.chance.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	gone := map[int]bool{}
	for _, i := range order {
		if len(gone) == b.plan.closed {
			break
		}
		gone[i] = true
		if b.bridge[b.city.Edges[i]] || !b.holds(gone) {
			delete(gone, i)
		}
	}
	var left []city.Edge
	for i, e := range b.city.Edges {
		if !gone[i] {
			left = append(left, e)
		}
	}
	b.city.Edges = left
}

// holds reports whether every crossing has two roads and is reached without
// those that are gone.
func (b *builder) holds(gone map[int]bool) bool {
	next := make([][]int, len(b.city.Nodes))
	for i, e := range b.city.Edges {
		if !gone[i] {
			next[e.A], next[e.B] = append(next[e.A], e.B), append(next[e.B], e.A)
		}
	}
	seen := make([]bool, len(next))
	seen[0] = true
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		for _, n := range next[queue[0]] {
			if !seen[n] {
				seen[n] = true
				queue = append(queue, n)
			}
		}
	}
	return !slices.Contains(seen, false) && !slices.ContainsFunc(next, func(roads []int) bool { return len(roads) < 2 })
}

// stations puts the depots on different roads.
func (b *builder) stations() {
	order := make([]int, len(b.city.Edges))
	for i := range order {
		order[i] = i
	}
	b.chance.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for _, i := range order {
		e := b.city.Edges[i]
		if len(b.city.Depots) < depots && !b.bridge[e] {
			b.city.Depots = append(b.city.Depots, city.Place{Edge: i, Offset: b.chance.Range(e.Length/4, e.Length*3/4)})
		}
	}
}
