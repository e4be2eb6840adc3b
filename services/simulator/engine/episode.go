package engine

import (
	"slices"

	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
	"github.com/pharos-mcp/pharos/services/simulator/stream"
)

// MaxSeed is the largest seed; the least is 0.
const MaxSeed = 1<<53 - 1

// Episode is one game from its first tick to its end. It is not safe for
// concurrent use.
type Episode struct {
	scenario Scenario
	city     *city.Map
	seed     int64
	runID    string

	tick   int64
	over   string // "", "resolved" or "tick_limit"
	houses []house
	blazes []int // that burn, by number
	warmed []int // that have heat or get flux, by number
	wind   Wind
	turned Wind // from the template's Turn on
	due    []ignition

	trucks   []truck
	pending  []*Command // by truck; nil for none
	given    []*Command // since the last tick, in order
	commands int64

	casualties, lost int64

	calls       calls
	result      Result // of the last tick
	observation []byte
	sightings   []city.Sighting
}

// house is a building in an episode.
type house struct {
	status Status
	burned bool // at some time
	fire   fire
	began  int64 // tick of the ignition
	heat   int64
	flux   int64
	people []person
	crew   int
	size   int64

	left     Countdown // while it burns
	foreseen int       // the crew of which that holds, or nobody
}

// ignition is a fire that is going to begin.
type ignition struct {
	tick     int64
	building int
}

// Event is what a tick made public of the trucks.
type Event struct {
	Type    string // "arrival"
	Vehicle string
}

// Result is what a tick did.
type Result struct {
	Commands  []*Command // that were given in it, in order
	Committed []*Command // of them, those that nothing took the place of
	Events    []Event
	Changes   []Change
}

// Change is a change of the truth, for the log.
type Change struct {
	Kind     string // "ignited", "skipped", "extinguished", "collapsed", "rescued", "walked_out", "casualty"
	Building int
	Count    int64
}

// New begins an episode. The same scenario and seed make the same one whatever
// its run is called; the id of the run stands in its observations.
func New(s Scenario, seed int64, runID string) (*Episode, error) {
	m, ok := city.Load(s.MapID)
	if !ok || s.Template == nil {
		return nil, errorf(UnknownScenario, "there is no scenario %q", s.ID)
	}
	return On(m, s, seed, runID)
}

// On begins an episode of a scenario's template on a map of one's own. It is no
// game of the catalogue, and its log cannot be replayed.
func On(m *city.Map, s Scenario, seed int64, runID string) (*Episode, error) {
	if seed < 0 || seed > MaxSeed {
		return nil, errorf(InvalidArgument, "seed is not from 0 to %d", int64(MaxSeed))
	}
	e := &Episode{scenario: s, city: m, seed: seed, runID: runID, houses: make([]house, len(m.Buildings))}
	e.sightings = make([]city.Sighting, 0, usualView)
	for i := range e.houses {
		e.houses[i].size = size(&m.Buildings[i])
	}
	e.station()
	e.blow()
	e.schedule()
	e.prepareCalls()
	e.begin(&e.result)
	e.aim()
	e.foresee()
	e.deliver()
	e.observe()
	return e, nil
}

// usualView is more than a truck sees on most maps.
const usualView = 64

// station puts the trucks into depots.
func (e *Episode) station() {
	depots := slices.Clone(e.city.Depots)
	stream.New(e.seed, "stations", 0, 0).Shuffle(len(depots), func(i, j int) { depots[i], depots[j] = depots[j], depots[i] })
	for i := range e.scenario.Template.Trucks {
		e.trucks = append(e.trucks, newTruck(i+1, depots[i%len(depots)]))
	}
	e.pending = make([]*Command, len(e.trucks))
}

// blow draws the wind, and the one that it turns to.
func (e *Episode) blow() {
	s := stream.New(e.seed, "wind", 0, 0)
	strength := e.scenario.Template.Wind
	e.wind = Wind{winds[s.N(int64(len(winds)))], strength}
	e.turned = Wind{winds[s.N(int64(len(winds)))], strength}
}

// The distance between fires that begin by themselves, and how many places are
// tried for them at most.
const (
	fireDistance = 2000
	fireTries    = 10000
)

// schedule draws the fires that begin by themselves: apart from each other, the
// first at once.
func (e *Episode) schedule() {
	t := e.scenario.Template
	s := stream.New(e.seed, "schedule", 0, 0)
	for tries := 0; len(e.due) < t.Fires && tries < fireTries; tries++ {
		building, tick := int(s.N(int64(len(e.houses)))), s.Range(t.Window[0], t.Window[1])
		point := e.city.Buildings[building].Point
		if slices.ContainsFunc(e.due, func(i ignition) bool {
			return geo.D2(point, e.city.Buildings[i.building].Point) < fireDistance*fireDistance
		}) {
			continue
		}
		if len(e.due) == 0 {
			tick = 0
		}
		e.due = append(e.due, ignition{tick, building})
	}
	slices.SortStableFunc(e.due, func(a, b ignition) int { return int(a.tick - b.tick) })
}

// Step lives through one tick. The episode must not be over. The slices of what
// it gives are used again by the next one.
func (e *Episode) Step() Result {
	r := &e.result
	r.Committed, r.Events, r.Changes = r.Committed[:0], r.Events[:0], r.Changes[:0]
	e.commit(r)
	e.drive(r)
	e.fight(r)
	catching := e.spread()
	e.tick++
	if turn := e.scenario.Template.Turn; turn > 0 && e.tick == turn {
		e.wind = e.turned
	}
	for _, building := range catching {
		e.ignite(building, r)
	}
	e.begin(r)
	e.aim()
	e.foresee()
	e.deliver()
	switch {
	case len(e.blazes) == 0 && len(e.due) == 0:
		e.over = "resolved"
	case e.tick == TickLimit:
		e.over = "tick_limit"
	}
	e.observe()
	return *r
}

// commit starts the ways that were ordered.
func (e *Episode) commit(r *Result) {
	r.Commands, e.given = e.given, r.Commands[:0]
	for i, c := range e.pending {
		if c == nil {
			continue
		}
		e.trucks[i].start(c)
		r.Committed = append(r.Committed, c)
		e.pending[i] = nil
	}
	slices.SortFunc(r.Committed, func(a, b *Command) int { return int(a.number - b.number) })
}

// drive moves the trucks and counts the crews of those that stay.
func (e *Episode) drive(r *Result) {
	for i := range e.blazes {
		e.houses[e.blazes[i]].crew = 0
	}
	for i := range e.trucks {
		t := &e.trucks[i]
		switch {
		case t.way != nil:
			if t.drive() {
				r.Events = append(r.Events, Event{"arrival", t.id})
			}
		case t.target >= 0:
			e.houses[t.target].crew++
		}
	}
}

// fight lets every fire burn for a tick.
func (e *Episode) fight(r *Result) {
	burning := e.blazes[:0]
	for _, n := range e.blazes {
		h := &e.houses[n]
		h.fire.age++
		r.changed("rescued", n, int64(rescue(h.people, h.crew)))
		h.status = h.fire.step(e.city.Buildings[n].Class, h.size, h.crew)
		if h.left = h.left.passed(); h.crew != h.foreseen {
			h.foreseen = nobody
		}
		before := heads(h.people)
		dead := suffer(h.people, h.fire, h.status)
		r.changed("casualty", n, dead)
		r.changed("walked_out", n, before-dead-heads(h.people))
		e.casualties += dead
		switch h.status {
		case Burning:
			burning = append(burning, n)
		case Collapsed:
			e.lost++
			r.changed("collapsed", n, 1)
		case Normal:
			r.changed("extinguished", n, 1)
		}
	}
	e.blazes = burning
}

// changed keeps a change, if it is one.
func (r *Result) changed(kind string, building int, count int64) {
	if count > 0 {
		r.Changes = append(r.Changes, Change{kind, building, count})
	}
}

// spread warms the neighbours of what burns, and gives those that catch fire,
// by number. What has burned, or burns, catches nothing.
func (e *Episode) spread() (catching []int) {
	for _, n := range e.blazes {
		intensity := e.houses[n].fire.intensity
		for i := range e.city.Buildings[n].Neighbours {
			next := &e.city.Buildings[n].Neighbours[i]
			h := &e.houses[next.Building]
			if h.burned {
				continue
			}
			if h.flux == 0 && h.heat == 0 {
				e.warmed = append(e.warmed, next.Building)
			}
			h.flux += intensity * (weight(next.Gap) * e.wind.factor(next.Offset, next.Distance)) / 1000000
		}
	}
	slices.Sort(e.warmed)
	e.warmed = slices.Compact(e.warmed) // a flux of nothing may have been noted twice
	warm := e.warmed[:0]
	for _, n := range e.warmed {
		h := &e.houses[n]
		h.heat = warmer(h.heat, h.flux, e.city.Buildings[n].Class)
		h.flux = 0
		switch {
		case h.burned: // since it was warmed
		case h.heat >= materials[e.city.Buildings[n].Class].ignition:
			catching = append(catching, n)
		case h.heat > 0:
			warm = append(warm, n)
		}
	}
	e.warmed = warm
	return catching
}

// begin ignites what is due.
func (e *Episode) begin(r *Result) {
	for len(e.due) > 0 && e.due[0].tick <= e.tick {
		e.ignite(e.due[0].building, r)
		e.due = e.due[1:]
	}
}

// ignite begins a fire, unless the building burns or has burned.
func (e *Episode) ignite(n int, r *Result) {
	h, b := &e.houses[n], &e.city.Buildings[n]
	if h.burned {
		r.changed("skipped", n, 1)
		return
	}
	h.status, h.burned, h.began, h.heat = Burning, true, e.tick, 0
	h.fire, h.foreseen = ignite(b.Class), nobody
	h.people = occupants(e.seed, int64(n)+1, b.Class)
	at, _ := slices.BinarySearch(e.blazes, n)
	e.blazes = slices.Insert(e.blazes, at, n)
	r.changed("ignited", n, 1)
	e.called(n)
}

// aim gives every truck that stands its target: the one that it has while it
// burns, else the nearest that burns within reach, by number where several are
// equally near.
func (e *Episode) aim() {
	for i := range e.trucks {
		t := &e.trucks[i]
		if t.way != nil {
			t.target = -1
			continue
		}
		if t.target >= 0 && e.houses[t.target].status == Burning {
			continue
		}
		t.target = -1
		at, best := e.city.At(t.place), int64(Suppression*Suppression)+1
		for _, n := range e.blazes {
			if d2 := geo.D2(at, e.city.Buildings[n].Point); d2 < best {
				t.target, best = n, d2
			}
		}
	}
}
