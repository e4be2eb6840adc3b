package baseline

import (
	"encoding/json"
	"fmt"

	"github.com/pharos-mcp/pharos/services/simulator/engine"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// game is an episode as a controller has it.
type game struct {
	episode *engine.Episode
	view    view
	nth     int // of the incidents that the policy counts
}

// view is what a policy reads of an observation.
type view struct {
	Contacts []contact `json:"contacts"`
	Vehicles []vehicle `json:"vehicles"`
}

type contact struct {
	Source   string `json:"source_type"`
	Occurred int64  `json:"occurred_at"`
	Location struct {
		Building string `json:"building_id"`
		Point    point  `json:"point"`
	} `json:"reported_location"`
	Payload struct {
		Text  string `json:"text"`
		Claim *struct {
			Type     string `json:"incident_type"`
			Severity *struct {
				Value string `json:"value"`
			} `json:"severity"`
			Headcount *struct {
				Value     *int64 `json:"value"`
				Qualifier string `json:"qualifier"`
			} `json:"headcount"`
		} `json:"claim"`
		Observer  string     `json:"observer_id"`
		Buildings []sighting `json:"buildings"`
	} `json:"payload"`
}

type sighting struct {
	Building   string `json:"building_id"`
	Status     string `json:"status"`
	Extinguish *int64 `json:"ticks_to_extinguish"`
	Collapse   *int64 `json:"ticks_to_collapse"`
}

type vehicle struct {
	ID       string `json:"vehicle_id"`
	Position point  `json:"position"`
	Status   string `json:"status"`
}

// point is one as JSON has it.
type point struct {
	X json.Number `json:"x"`
	Y json.Number `json:"y"`
}

func (p point) geo() geo.Point {
	x, badX := geo.ParseTenths(p.X.String())
	y, badY := geo.ParseTenths(p.Y.String())
	if badX != nil || badY != nil {
		panic("baseline: an observation has a point that is none")
	}
	return geo.Point{X: x, Y: y}
}

// look reads the observation of the tick.
func (g *game) look() {
	g.view = view{}
	if err := json.Unmarshal(g.episode.Observation(), &g.view); err != nil {
		panic(fmt.Sprintf("baseline: an observation that cannot be read: %v", err))
	}
}

// where is the place that a contact reports.
func (g *game) where(c *contact) geo.Point {
	if c.Location.Building == "" {
		return c.Location.Point.geo()
	}
	p, err := g.episode.BuildingPoint(c.Location.Building)
	if err != nil {
		panic(fmt.Sprintf("baseline: %s was named: %v", c.Location.Building, err))
	}
	return p
}

// distance is the way of a vehicle to a point, or false where none leads there.
func (g *game) distance(id string, to geo.Point) (int64, bool) {
	route, err := g.episode.TravelTime(engine.Spot{Vehicle: id}, engine.Spot{Point: to})
	return route.Total, err == nil
}

// send dispatches a vehicle; the point has been asked for before.
func (g *game) send(id string, to geo.Point, why string) {
	g.nth++
	if _, _, err := g.episode.Dispatch(id, fmt.Sprintf("incident-%d", g.nth), why, to); err != nil {
		panic(fmt.Sprintf("baseline: %s cannot go to %v: %v", id, to, err))
	}
}

// nearest is the vehicle among some that has the shortest way to a point, or
// "".
func (g *game) nearest(among []string, to geo.Point) (id string) {
	best := int64(-1)
	for _, candidate := range among {
		if d, ok := g.distance(candidate, to); ok && (best < 0 || d < best) {
			id, best = candidate, d
		}
	}
	return id
}
