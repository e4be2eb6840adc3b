package engine

import (
	"fmt"

	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// truck is a fire engine. Its id is truck-<n> and its label Engine <n>.
type truck struct {
	id, label   string
	place       city.Place
	way         *way // nil where it stands, and else its course
	course      way
	legs        []city.Leg // the room of its course
	target      int        // building that it fights, or -1
	incident    string
	rationale   string
	hasIncident bool
}

func newTruck(n int, at city.Place) truck {
	return truck{id: fmt.Sprintf("truck-%d", n), label: fmt.Sprintf("Engine %d", n), place: at, target: -1}
}

// way is a route that is being driven, from where the truck is.
type way struct {
	requested, snapped geo.Point
	legs               []city.Leg // the first begins at the truck
	total, remaining   int64
}

// start sets a truck off.
func (t *truck) start(c *Command) {
	t.legs = append(t.legs[:0], c.Route.Legs...)
	t.course = way{c.Requested, c.Snapped, t.legs, c.Route.Total, c.Route.Total}
	t.way, t.target = &t.course, -1
	t.incident, t.rationale, t.hasIncident = c.IncidentID, c.Rationale, true
}

// Ticks is how many ticks a distance takes.
func Ticks(distance int64) int64 { return (distance + Speed - 1) / Speed }

// drive moves a truck for a tick, and says whether it has arrived.
func (t *truck) drive() (arrived bool) {
	w := t.way
	left := min(int64(Speed), w.remaining)
	w.remaining -= left
	for {
		leg := &w.legs[0]
		part := min(left, leg.Length())
		if leg.To < leg.From {
			leg.From -= part
		} else {
			leg.From += part
		}
		left -= part
		t.place = city.Place{Edge: leg.Edge, Offset: leg.From}
		if leg.Length() > 0 || len(w.legs) == 1 {
			break
		}
		w.legs = w.legs[1:]
	}
	if w.remaining == 0 {
		t.way = nil
		return true
	}
	return false
}

// status is what a truck is doing.
func (t *truck) status() string {
	switch {
	case t.way != nil:
		return "moving"
	case t.target >= 0:
		return "firefighting"
	default:
		return "idle"
	}
}
