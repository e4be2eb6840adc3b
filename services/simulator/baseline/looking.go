package baseline

import (
	"slices"

	"github.com/pharos-mcp/pharos/services/simulator/engine"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// How far a report can be from its fire, and in ticks from the first of it, and
// from where a place can be looked at.
const (
	oneFire  = 700
	oneTime  = 8
	lookFrom = 500
)

// hear adds what was reported.
func (p *people) hear(g *game) {
	for i := range g.view.Contacts {
		c := &g.view.Contacts[i]
		if c.Source == engine.VehicleSensor {
			continue
		}
		at := p.reported(g.where(c), c.Occurred)
		if at == nil {
			continue
		}
		at.since = min(at.since, c.Occurred)
		if c.Source == engine.AutomaticAlarm {
			at.alarms++
			continue
		}
		h := listen(c)
		if h.nothing {
			at.denials++
			continue
		}
		at.calls++
		if h.heads > at.heads {
			at.heads, at.headsAge = h.heads, c.Occurred-at.since+seenAge
		}
	}
}

// reported is the place that a report of a tick is about, or nil where a truck
// has looked at it. All reports of one fire tell of its first ticks.
func (p *people) reported(at geo.Point, occurred int64) *place {
	var found *place
	nearest := int64(oneFire*oneFire) + 1
	for _, known := range p.places {
		apart := max(occurred-known.since, known.since-occurred)
		if d2 := geo.D2(known.at, at); d2 < nearest && apart <= oneTime {
			found, nearest = known, d2
		}
	}
	switch {
	case found == nil:
		found = &place{at: at, since: occurred, heads: -1}
		p.places = append(p.places, found)
	case found.over:
		return nil
	}
	return found
}

// see takes in what the trucks saw.
func (p *people) see(g *game) {
	for _, at := range p.places {
		at.burning, at.crew = false, 0
	}
	for i := range g.view.Contacts {
		if c := &g.view.Contacts[i]; c.Source == engine.VehicleSensor {
			p.burn(g, c)
		}
	}
	for i := range g.view.Contacts {
		if c := &g.view.Contacts[i]; c.Source == engine.VehicleSensor {
			p.miss(c)
		}
	}
	for i := range g.view.Vehicles {
		if v := &g.view.Vehicles[i]; v.Status == "firefighting" {
			if at := p.fighting(v.Position.geo()); at != nil {
				at.fought++
				at.crew++
			}
		}
	}
}

// burn takes in the fires that a truck sees.
func (p *people) burn(g *game, c *contact) {
	for _, b := range c.Payload.Buildings {
		if b.Status != "burning" {
			continue
		}
		point, err := g.episode.BuildingPoint(b.Building)
		if err != nil {
			panic("baseline: a building was seen and is unknown")
		}
		at := p.fire(b.Building, point, g.episode.Tick())
		at.burning, at.outIn, at.fallsIn = true, -1, -1
		if b.Extinguish != nil {
			at.outIn = *b.Extinguish
		}
		if b.Collapse != nil {
			at.fallsIn = *b.Collapse
		}
	}
}

// miss takes in which places do not burn that a truck sees.
func (p *people) miss(c *contact) {
	here := c.Location.Point.geo()
	for _, at := range p.places {
		if at.burning || at.over {
			continue
		}
		if at.building == "" {
			at.over = geo.Dist(here, at.at) <= lookFrom
		} else {
			at.over = slices.ContainsFunc(c.Payload.Buildings, func(s sighting) bool { return s.Building == at.building })
		}
	}
}

// fire is the place of a building that burns: its own, else the nearest that
// was only reported, else a new one.
func (p *people) fire(building string, point geo.Point, tick int64) *place {
	var found *place
	nearest := int64(oneFire*oneFire) + 1
	for _, known := range p.places {
		if known.building == building {
			return known
		}
		if d2 := geo.D2(known.at, point); known.building == "" && !known.over && d2 < nearest {
			found, nearest = known, d2
		}
	}
	if found == nil {
		found = &place{since: tick, heads: -1}
		p.places = append(p.places, found)
	}
	found.at, found.building = point, building
	return found
}

// fighting is the fire that a truck fights who stands at a point, as it seems.
func (p *people) fighting(here geo.Point) *place {
	var found *place
	nearest := int64(engine.Suppression*engine.Suppression) + 1
	for _, at := range p.places {
		if d2 := geo.D2(at.at, here); at.burning && d2 < nearest {
			found, nearest = at, d2
		}
	}
	return found
}
