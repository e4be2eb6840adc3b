package baseline

import (
	"cmp"
	"slices"

	"github.com/pharos-mcp/pharos/services/simulator/engine"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// people keeps a list of places, judges of each who may still be alive in it
// and what else is at stake, and gives all trucks together the orders that are
// worth most: also those that are on their way, or that fight a fire out of
// which everybody is.
type people struct {
	places []*place
	sent   map[string]*place // by vehicle
}

// The numbers of the plan, in thousandths of a point of loss; found by trying
// on seeds that are not those of the table.
const (
	perTick = 1_000  // that a tick of driving costs
	keeping = 40_000 // that an order is worth which is given already
)

// mostPlaces are weighed at once.
const mostPlaces = 6

func (p *people) play(g *game) {
	if p.sent == nil {
		p.sent = map[string]*place{}
	}
	p.hear(g)
	p.see(g)
	w := p.plan(g)
	for i, v := range g.view.Vehicles {
		target, before := w.best[i], p.sent[v.ID]
		if target == nil {
			delete(p.sent, v.ID)
			continue
		}
		p.sent[v.ID] = target
		coming := target == before && target.told == target.at && v.Status != "idle"
		if coming || w.stays(i, target) {
			continue
		}
		target.told = target.at
		g.send(v.ID, target.at, "the place where most is at stake that can still be saved")
	}
}

// plan is every order of the vehicles, to be weighed.
type plan struct {
	tick    int64
	options []*place
	eta     [][]int64 // ticks, by vehicle and option; -1 where no road leads
	keeps   []int     // option that a vehicle has its order for, or -1
	there   [][]bool  // that it can fight from where it stands
	choice  []int
	highest int64
	best    []*place
}

// plan finds the orders that are worth most together.
func (p *people) plan(g *game) *plan {
	tick := g.episode.Tick()
	w := &plan{tick: tick, highest: -1, best: make([]*place, len(g.view.Vehicles)), choice: make([]int, len(g.view.Vehicles))}
	now := []int64{0}
	for _, at := range p.places {
		if at.worth(tick, now) > 0 {
			w.options = append(w.options, at)
		}
	}
	slices.SortStableFunc(w.options, func(a, b *place) int { return cmp.Compare(b.worth(tick, now), a.worth(tick, now)) })
	w.options = w.options[:min(len(w.options), mostPlaces)]
	for i := range g.view.Vehicles {
		w.reach(g, &g.view.Vehicles[i], p.sent[g.view.Vehicles[i].ID])
	}
	w.try(0, 0)
	return w
}

// reach adds what a vehicle can do.
func (w *plan) reach(g *game, v *vehicle, ordered *place) {
	eta, there := make([]int64, len(w.options)), make([]bool, len(w.options))
	here := v.Position.geo()
	for i, at := range w.options {
		there[i] = v.Status != "moving" && at.burning && geo.Dist(here, at.at) <= engine.Suppression
		if there[i] {
			continue
		}
		eta[i] = -1
		if d, ok := g.distance(v.ID, at.at); ok {
			eta[i] = max(1, engine.Ticks(d))
		}
	}
	w.eta, w.there, w.keeps = append(w.eta, eta), append(w.there, there), append(w.keeps, slices.Index(w.options, ordered))
}

// stays reports whether a vehicle serves a place from where it is.
func (w *plan) stays(vehicle int, at *place) bool {
	return w.there[vehicle][slices.Index(w.options, at)]
}

// try tries every order of the vehicles from one on, with what those before it
// cost.
func (w *plan) try(vehicle int, cost int64) {
	if vehicle == len(w.choice) {
		w.weigh(cost)
		return
	}
	w.choice[vehicle] = -1
	w.try(vehicle+1, cost)
	for i := range w.options {
		eta := w.eta[vehicle][i]
		if eta < 0 {
			continue
		}
		w.choice[vehicle] = i
		more := perTick * eta
		if w.keeps[vehicle] == i {
			more -= keeping
		}
		w.try(vehicle+1, cost+more)
	}
}

// weigh keeps an order of all vehicles if it is better than those before.
func (w *plan) weigh(cost int64) {
	total := -cost
	var arrivals []int64
	for i, at := range w.options {
		arrivals = arrivals[:0]
		for v, choice := range w.choice {
			if choice == i {
				arrivals = append(arrivals, w.eta[v][i])
			}
		}
		if len(arrivals) > 0 {
			slices.Sort(arrivals)
			total += at.worth(w.tick, arrivals)
		}
	}
	if total <= w.highest {
		return
	}
	w.highest = total
	for v, choice := range w.choice {
		w.best[v] = nil
		if choice >= 0 {
			w.best[v] = w.options[choice]
		}
	}
}
