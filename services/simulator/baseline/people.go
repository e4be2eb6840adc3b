package baseline

import (
	"slices"

	"github.com/pharos-mcp/pharos/services/simulator/engine"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// people keeps a list of places, weighs each by what was heard and seen of it,
// and gives every free truck the place that is worth most for its way. Where
// the trucks at a fire are too few, it sends another.
type people struct {
	places []place
	sent   map[string]int // vehicle to place
}

// place is somewhere that may burn.
type place struct {
	at       geo.Point
	calls    int64
	denials  int64
	people   int64 // inside, the most that was said
	grave    int64
	last     int64 // tick of the last word of it
	empty    bool  // a truck has looked since, and nothing burned
	burning  bool  // a truck sees it burn
	losing   bool  // and too few fight it
	building bool  // it was seen to burn: the point is the building's
}

// The numbers that the policy weighs with, found by trying. Worths are tenths
// of a unit of way.
var (
	perPerson  int64 = 400
	perCall    int64 = 200
	perGrave   int64 = 300
	ofFire     int64 = 1500 // that is seen
	another    int64 = 5000 // truck where one is, less
	patience   int64 = 60   // ticks that a word is believed
	mostThere  int64 = 3    // trucks at one place
	oneFire    int64 = 300  // how near two reports are taken for one fire
	aroundHere int64 = 300  // of a place, where a fire that is seen is its own
)

func (p *people) play(g *game) {
	if p.sent == nil {
		p.sent = map[string]int{}
	}
	p.hear(g)
	p.see(g)
	there := make([]int64, len(p.places)) // trucks at a place, or on their way
	coming := make([]bool, len(p.places)) // some are on their way
	var free []string
	for _, v := range g.view.Vehicles {
		if i, ok := p.sent[v.ID]; ok && v.Status != "idle" {
			there[i]++
			coming[i] = coming[i] || v.Status == "moving"
			continue
		}
		delete(p.sent, v.ID)
		free = append(free, v.ID)
	}
	for len(free) > 0 {
		best, truck, least := -1, -1, int64(0)
		for i := range p.places {
			worth, ok := p.places[i].worth(g.episode.Tick(), there[i])
			if !ok || coming[i] {
				continue
			}
			for j, id := range free {
				if d, ok := g.distance(id, p.places[i].at); ok && (best < 0 || d-worth < least) {
					best, truck, least = i, j, d-worth
				}
			}
		}
		if best < 0 {
			return
		}
		g.send(free[truck], p.places[best].at, "the place where most is at stake for the way there")
		p.sent[free[truck]] = best
		there[best]++
		coming[best] = true
		free = slices.Delete(free, truck, truck+1)
	}
}

// worth is what a place is worth to one more truck, in way, and whether it is
// worth anything.
func (p *place) worth(tick, there int64) (int64, bool) {
	stake := perPerson*min(p.people, 4) + perGrave*p.grave
	switch {
	case there >= mostThere:
		return 0, false
	case p.burning && there > 0:
		return ofFire + stake - another*there, p.losing
	case p.burning:
		return ofFire + stake, true
	default:
		return stake + perCall*min(p.calls, 4), there == 0 && !p.empty && tick-p.last <= patience && p.denials < p.calls
	}
}

// hear adds what was reported.
func (p *people) hear(g *game) {
	for i := range g.view.Contacts {
		c := &g.view.Contacts[i]
		if c.Source == engine.VehicleSensor {
			continue
		}
		h := listen(c)
		at := p.around(g.where(c), oneFire)
		at.last, at.empty = g.episode.Tick(), false
		if h.nothing {
			at.denials++
			continue
		}
		at.calls++
		at.people, at.grave = max(at.people, h.people), max(at.grave, h.grave)
	}
}

// around is the place that is nearest to a point within a distance, or a new
// one.
func (p *people) around(at geo.Point, within int64) *place {
	best, nearest := -1, within*within+1
	for i := range p.places {
		if d2 := geo.D2(p.places[i].at, at); d2 < nearest {
			best, nearest = i, d2
		}
	}
	if best < 0 {
		p.places = append(p.places, place{at: at})
		best = len(p.places) - 1
	}
	return &p.places[best]
}

// see takes in what the trucks saw: fires where they are, and that nothing
// burns around a place that one of them looks at.
func (p *people) see(g *game) {
	for i := range p.places {
		p.places[i].burning = false
	}
	for i := range g.view.Contacts {
		c := &g.view.Contacts[i]
		if c.Source != engine.VehicleSensor {
			continue
		}
		for _, b := range c.Payload.Buildings {
			if b.Status != "burning" {
				continue
			}
			at, err := g.episode.BuildingPoint(b.Building)
			if err != nil {
				panic("baseline: a building was seen and is unknown")
			}
			fire := p.around(at, aroundHere)
			fire.at, fire.building, fire.burning, fire.empty, fire.last = at, true, true, false, g.episode.Tick()
			fire.losing = b.Collapse != nil
		}
		here := c.Location.Point.geo()
		for j := range p.places {
			known := &p.places[j]
			if !known.burning && geo.Dist(here, known.at) <= engine.Suppression {
				known.empty = true
			}
		}
	}
}
