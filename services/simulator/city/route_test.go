package city_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// square is the road of the mechanics' vectors: e1 (10,10)-(110,10), e2 to
// (110,110), e3 to (10,110), e4 back.
func square(t *testing.T) *city.Map {
	t.Helper()
	m, err := city.Read([]byte(`{"id":"square","width":2000,"height":2000,
		"nodes":[[100,100],[1100,100],[1100,1100],[100,1100]],"edges":[[0,1],[1,2],[2,3],[3,0]],"depots":[[0,0]],
		"buildings":[{"point":[500,200],"footprint":[[450,150],[550,150],[550,250],[450,250]],"floors":1,"class":"mixed"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func edges(legs []city.Leg) (names []int) {
	for _, l := range legs {
		names = append(names, l.Edge+1)
	}
	return names
}

// The vectors of the mechanics.
func TestRouteVectors(t *testing.T) {
	t.Parallel()
	m := square(t)
	for name, c := range map[string]struct {
		from, to city.Place
		total    int64
		over     []int
	}{
		"round the corner":         {city.Place{Edge: 0, Offset: 0}, city.Place{Edge: 1, Offset: 1000}, 2000, []int{1, 2}},
		"two equal ways":           {city.Place{Edge: 3, Offset: 500}, city.Place{Edge: 1, Offset: 500}, 2000, []int{4, 1, 2}},
		"along one road":           {city.Place{Edge: 0, Offset: 200}, city.Place{Edge: 0, Offset: 900}, 700, []int{1}},
		"back along one road":      {city.Place{Edge: 0, Offset: 900}, city.Place{Edge: 0, Offset: 200}, 700, []int{1}},
		"no way at all":            {city.Place{Edge: 2, Offset: 300}, city.Place{Edge: 2, Offset: 300}, 0, []int{3}},
		"the same node, two roads": {city.Place{Edge: 0, Offset: 1000}, city.Place{Edge: 1, Offset: 0}, 0, []int{2}},
		"from a node":              {city.Place{Edge: 0, Offset: 1000}, city.Place{Edge: 1, Offset: 10}, 10, []int{2}},
		"on the way back":          {city.Place{Edge: 0, Offset: 800}, city.Place{Edge: 3, Offset: 700}, 1100, []int{1, 4}},
	} {
		r := m.Route(c.from, c.to)
		if diff := cmp.Diff(c.over, edges(r.Legs)); r.Total != c.total || diff != "" {
			t.Errorf("%s: %d over %v, want %d over %v", name, r.Total, edges(r.Legs), c.total, c.over)
		}
	}
	r := m.Route(city.Place{Edge: 3, Offset: 500}, city.Place{Edge: 1, Offset: 500})
	want := []geo.Point{{X: 100, Y: 600}, {X: 100, Y: 100}, {X: 1100, Y: 100}, {X: 1100, Y: 600}}
	if diff := cmp.Diff(want, m.Polyline(r.Legs)); diff != "" {
		t.Error(diff)
	}
}

func TestSnapVectors(t *testing.T) {
	t.Parallel()
	m := square(t)
	for _, c := range []struct {
		p        geo.Point
		at       city.Place
		point    geo.Point
		distance int64
	}{
		{geo.Point{X: 613, Y: 131}, city.Place{Edge: 0, Offset: 513}, geo.Point{X: 613, Y: 100}, 31},
		{geo.Point{X: 600, Y: 600}, city.Place{Edge: 0, Offset: 500}, geo.Point{X: 600, Y: 100}, 500},
		{geo.Point{X: 1500, Y: 600}, city.Place{Edge: 1, Offset: 500}, geo.Point{X: 1100, Y: 600}, 400},
		{geo.Point{X: 1100, Y: 1100}, city.Place{Edge: 1, Offset: 1000}, geo.Point{X: 1100, Y: 1100}, 0},
		{geo.Point{X: 1900, Y: 1900}, city.Place{Edge: 1, Offset: 1000}, geo.Point{X: 1100, Y: 1100}, 1131},
	} {
		at, distance := m.Snap(c.p)
		if at != c.at || distance != c.distance || m.At(at) != c.point {
			t.Errorf("Snap(%v) = %v at %v, %d away, want %v at %v, %d", c.p, at, m.At(at), distance, c.at, c.point, c.distance)
		}
	}
	if !m.Contains(geo.Point{X: 2000, Y: 0}) || m.Contains(geo.Point{X: 2001, Y: 600}) || m.Contains(geo.Point{X: 0, Y: -1}) {
		t.Error("the border of the map is not where it is")
	}
}

// Every way is one: it begins and ends where it should, its pieces meet, and it
// is as long as the shortest that another algorithm finds.
func TestRoutes(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for _, id := range city.IDs() {
		m, _ := city.Load(id)
		any := func() city.Place {
			e := r.IntN(len(m.Edges))
			return city.Place{Edge: e, Offset: r.Int64N(m.Edges[e].Length + 1)}
		}
		for range 3000 {
			from, to := any(), any()
			route := m.Route(from, to)
			if want := shortest(m, from, to); route.Total != want {
				t.Fatalf("%s: from %v to %v: %d, want %d", id, from, to, route.Total, want)
			}
			sum := int64(0)
			at := m.At(from)
			for i, leg := range route.Legs {
				if m.At(city.Place{Edge: leg.Edge, Offset: leg.From}) != at || (leg.Length() == 0 && len(route.Legs) > 1) {
					t.Fatalf("%s: from %v to %v: piece %d of %v does not follow", id, from, to, i, route.Legs)
				}
				at = m.At(city.Place{Edge: leg.Edge, Offset: leg.To})
				sum += leg.Length()
			}
			if at != m.At(to) || sum != route.Total {
				t.Fatalf("%s: from %v to %v: %v ends at %v after %d", id, from, to, route, at, sum)
			}
		}
	}
}

// shortest is the distance by relaxing every road until nothing gets shorter.
func shortest(m *city.Map, from, to city.Place) int64 {
	const far = 1 << 40
	d := make([]int64, len(m.Nodes))
	for i := range d {
		d[i] = far
	}
	s, g := m.Edges[from.Edge], m.Edges[to.Edge]
	d[s.A], d[s.B] = from.Offset, s.Length-from.Offset
	for changed := true; changed; {
		changed = false
		for _, e := range m.Edges {
			if d[e.A]+e.Length < d[e.B] {
				d[e.B], changed = d[e.A]+e.Length, true
			}
			if d[e.B]+e.Length < d[e.A] {
				d[e.A], changed = d[e.B]+e.Length, true
			}
		}
	}
	least := min(d[g.A]+to.Offset, d[g.B]+g.Length-to.Offset)
	if from.Edge == to.Edge {
		least = min(least, max(from.Offset-to.Offset, to.Offset-from.Offset))
	}
	return least
}

// What the index finds is what a look at every building finds.
func TestNear(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for _, id := range city.IDs() {
		m, _ := city.Load(id)
		for range 300 {
			p := geo.Point{X: r.Int64N(m.Width + 1), Y: r.Int64N(m.Height + 1)}
			distance := r.Int64N(2000)
			found := m.Near(nil, p, distance)
			for i, s := range found {
				if s.D2 != geo.D2(p, m.Buildings[s.Building].Point) || s.D2 > distance*distance {
					t.Fatalf("%s: %v is no sighting", id, s)
				}
				if i > 0 && (found[i-1].D2 > s.D2 || (found[i-1].D2 == s.D2 && found[i-1].Building >= s.Building)) {
					t.Fatalf("%s: %v is out of order", id, found)
				}
			}
			count := 0
			for _, b := range m.Buildings {
				if geo.D2(p, b.Point) <= distance*distance {
					count++
				}
			}
			if count != len(found) {
				t.Fatalf("%s: %d buildings within %d of %v, found %d", id, count, distance, p, len(found))
			}
		}
	}
}

func BenchmarkRoute(b *testing.B) {
	m, _ := city.Load("portside")
	for i := range b.N {
		m.Route(city.Place{Edge: i % len(m.Edges)}, city.Place{Edge: i * 31 % len(m.Edges), Offset: 5})
	}
}
