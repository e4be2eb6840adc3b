package baseline

import (
	"slices"

	"github.com/pharos-mcp/pharos/services/simulator/engine"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// policy decides about one tick.
type policy interface{ play(g *game) }

// none does nothing.
type none struct{}

func (none) play(*game) {}

// greedy sends the nearest free truck to each place as it is reported, the
// first first, once for each place.
type greedy struct {
	seen    []geo.Point
	waiting []geo.Point
}

// samePlace is how near two reported points are taken for one.
const samePlace = 300

func (p *greedy) play(g *game) {
	for i := range g.view.Contacts {
		c := &g.view.Contacts[i]
		if c.Source == engine.VehicleSensor {
			continue
		}
		at := g.where(c)
		if !slices.ContainsFunc(p.seen, func(q geo.Point) bool { return geo.Dist(q, at) <= samePlace }) {
			p.seen, p.waiting = append(p.seen, at), append(p.waiting, at)
		}
	}
	var free []string
	for _, v := range g.view.Vehicles {
		if v.Status == "idle" {
			free = append(free, v.ID)
		}
	}
	p.waiting = slices.DeleteFunc(p.waiting, func(at geo.Point) bool {
		id := g.nearest(free, at)
		if id == "" {
			return len(free) > 0 // no road leads there
		}
		g.send(id, at, "the nearest free engine to a place that was reported")
		free = slices.DeleteFunc(free, func(other string) bool { return other == id })
		return true
	})
}
