package engine

import (
	"strconv"
	"strings"

	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// Command is an order to a truck. It takes effect with the next tick, unless a
// later one for the same truck takes its place.
type Command struct {
	ID, VehicleID, IncidentID, Rationale string
	Requested, Snapped                   geo.Point
	Route                                city.Route
	SupersededBy                         string // "" for nothing

	number int64
}

// ETA is how many ticks the way takes.
func (c *Command) ETA() int64 { return Ticks(c.Route.Total) }

// Dispatch orders a truck to a point. It gives the command and those that it
// takes the place of.
func (e *Episode) Dispatch(vehicle, incident, rationale string, to geo.Point) (c *Command, superseded []string, err error) {
	if e.over != "" {
		return nil, nil, errorf(WrongLifecycle, "the episode is over")
	}
	t, at := e.truck(vehicle)
	if t == nil {
		return nil, nil, errorf(UnknownVehicle, "there is no vehicle of this id")
	}
	place, err := e.snap(to)
	if err != nil {
		return nil, nil, err
	}
	e.commands++
	c = &Command{
		ID: "cmd-" + strconv.FormatInt(e.commands, 10), VehicleID: t.id, IncidentID: incident, Rationale: rationale,
		Requested: to, Snapped: e.city.At(place), Route: e.city.Route(t.place, place), number: e.commands,
	}
	if old := e.pending[at]; old != nil {
		old.SupersededBy = c.ID
		superseded = append(superseded, old.ID)
	}
	e.pending[at] = c
	e.given = append(e.given, c)
	return c, superseded, nil
}

// Pending are the commands of this tick, in the order of the trucks.
func (e *Episode) Pending() (all []*Command) {
	for _, c := range e.pending {
		if c != nil {
			all = append(all, c)
		}
	}
	return all
}

func (e *Episode) truck(id string) (*truck, int) {
	for i := range e.trucks {
		if e.trucks[i].id == id {
			return &e.trucks[i], i
		}
	}
	return nil, 0
}

// snap finds the road of a point.
func (e *Episode) snap(p geo.Point) (city.Place, error) {
	if !e.city.Contains(p) {
		return city.Place{}, errorf(OutOfBounds, "the point is not on the map, which is %s wide and %s high",
			geo.AppendTenths(nil, e.city.Width), geo.AppendTenths(nil, e.city.Height))
	}
	place, distance := e.city.Snap(p)
	if distance > city.MaxSnap {
		return city.Place{}, errorf(SnapTooFar, "the nearest road is %s away, more than %s",
			geo.AppendTenths(nil, distance), geo.AppendTenths(nil, city.MaxSnap))
	}
	return place, nil
}

// Spot is one end of a way that is asked for: a vehicle where it is, or a point.
type Spot struct {
	Vehicle string // "" for a point
	Point   geo.Point
}

// TravelTime finds the way between two spots. It reserves nothing.
func (e *Episode) TravelTime(from, to Spot) (city.Route, error) {
	var ends [2]city.Place
	for i, s := range [...]Spot{from, to} {
		if s.Vehicle == "" {
			place, err := e.snap(s.Point)
			if err != nil {
				return city.Route{}, err
			}
			ends[i] = place
			continue
		}
		t, _ := e.truck(s.Vehicle)
		if t == nil {
			return city.Route{}, errorf(UnknownVehicle, "there is no vehicle of this id")
		}
		ends[i] = t.place
	}
	return e.city.Route(ends[0], ends[1]), nil
}

// Polyline is a way as points.
func (e *Episode) Polyline(r city.Route) []geo.Point { return e.city.Polyline(r.Legs) }

// BuildingPoint gives the point of a building that a delivered contact of this
// episode has named.
func (e *Episode) BuildingPoint(id string) (geo.Point, error) {
	digits, ok := strings.CutPrefix(id, "l")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || strconv.Itoa(n) != digits || n < 1 || n > len(e.houses) || !e.calls.named[n-1] {
		return geo.Point{}, errorf(UnknownBuilding, "no report has named a building of this id")
	}
	return e.city.Buildings[n-1].Point, nil
}

// AppendCommand appends a command as JSON, as the API and the log tell it.
func (e *Episode) AppendCommand(b []byte, c *Command) []byte {
	b = append(append(append(b, `{"command_id":"`...), c.ID...), `","vehicle_id":"`...)
	b = append(append(b, c.VehicleID...), `","incident_id":`...)
	b = appendText(b, c.IncidentID)
	b = appendText(append(b, `,"rationale":`...), c.Rationale)
	b = geo.AppendPoint(append(b, `,"destination":{"requested":`...), c.Requested)
	b = geo.AppendPoint(append(b, `,"snapped":`...), c.Snapped)
	b = strconv.AppendInt(append(b, `},"eta_ticks":`...), c.ETA(), 10)
	if c.SupersededBy == "" {
		return append(b, `,"status":"accepted","superseded_by":null}`...)
	}
	b = append(append(b, `,"status":"superseded","superseded_by":"`...), c.SupersededBy...)
	return append(b, `"}`...)
}

// AppendOrder appends a command as JSON, with the way that it will take.
func (e *Episode) AppendOrder(b []byte, c *Command) []byte {
	b = append(append(append(b, `{"command_id":"`...), c.ID...), `","vehicle_id":"`...)
	b = append(append(b, c.VehicleID...), `","incident_id":`...)
	b = appendText(b, c.IncidentID)
	b = appendText(append(b, `,"rationale":`...), c.Rationale)
	b = geo.AppendPoint(append(b, `,"requested":`...), c.Requested)
	b = geo.AppendPoint(append(b, `,"snapped":`...), c.Snapped)
	return append(e.AppendRoute(append(b, `,"route":`...), c.Route, c.Route.Total), '}')
}
