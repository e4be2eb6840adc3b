package engine

import (
	"fmt"
	"strconv"

	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// Observation is what the player sees of this tick, as JSON. It is made once:
// reading it again gives the same bytes. The slice must not be changed and is
// that of this tick alone.
func (e *Episode) Observation() []byte { return e.observation }

// observe makes the observation of the tick.
func (e *Episode) observe() {
	b := make([]byte, 0, len(e.observation)+len(e.observation)/4+1024)
	b = append(append(append(b, `{"observation_id":"`...), e.runID...), ':')
	b = strconv.AppendInt(b, e.tick, 10)
	b = strconv.AppendInt(append(b, `","tick":`...), e.tick, 10)
	b = append(append(append(b, `,"lifecycle":"`...), e.Lifecycle()...), `","tick_limit":`...)
	b = strconv.AppendInt(b, TickLimit, 10)
	b = append(b, `,"terminal_reason":`...)
	if e.over == "" {
		b = append(b, "null"...)
	} else {
		b = appendText(b, e.over)
	}
	b = append(b, `,"contacts":[`...)
	for _, c := range e.calls.now {
		b = append(c.append(b), ',')
	}
	for i := range e.trucks {
		b = append(e.appendSensor(b, &e.trucks[i]), ',')
	}
	b[len(b)-1] = ']' // there is a truck
	e.observation = append(e.AppendVehicles(append(b, `,"vehicles":`...)), '}')
}

// nextContact gives the next contact its id.
func (e *Episode) nextContact() string {
	var room [24]byte
	return string(e.appendNextContact(room[:0]))
}

// appendNextContact gives the next contact its id, which has three digits at
// least.
func (e *Episode) appendNextContact(b []byte) []byte {
	e.calls.count++
	b = append(b, "contact-"...)
	for least := int64(100); least > e.calls.count && least > 1; least /= 10 {
		b = append(b, '0')
	}
	return strconv.AppendInt(b, e.calls.count, 10)
}

// append appends a contact as the player gets it: where it is text, the claim
// is withheld.
func (c *Contact) append(b []byte) []byte {
	b = appendHead(b, c.ID, c.Source, c.Occurred, c.Delivered)
	b = c.Location.Append(b)
	if c.Language != "" {
		b = append(b, `,"payload_type":"human_text","payload":{"text":`...)
		return append(appendText(b, c.Text), "}}"...)
	}
	b = append(b, `,"payload_type":"structured_report","payload":{"claim":`...)
	return append(c.Claim.Append(b), "}}"...)
}

func appendHead(b []byte, id, source string, occurred, delivered int64) []byte {
	return appendSource(append(append(b, `{"contact_id":"`...), id...), source, occurred, delivered)
}

// appendSource appends what stands in a contact between its id and its place.
func appendSource(b []byte, source string, occurred, delivered int64) []byte {
	b = append(append(append(b, `","source_type":"`...), source...), `","occurred_at":`...)
	b = strconv.AppendInt(b, occurred, 10)
	b = strconv.AppendInt(append(b, `,"delivered_at":`...), delivered, 10)
	return append(b, `,"reported_location":`...)
}

// appendSensor appends what a truck sees: every building within its view.
func (e *Episode) appendSensor(b []byte, t *truck) []byte {
	at := e.city.At(t.place)
	b = appendSource(e.appendNextContact(append(b, `{"contact_id":"`...)), VehicleSensor, e.tick, e.tick)
	b = geo.AppendPoint(append(b, `{"kind":"coordinates","point":`...), at)
	b = append(append(append(b, `},"payload_type":"truck_observation","payload":{"observer_id":"`...), t.id...), `","observer_position":`...)
	b = geo.AppendPoint(b, at)
	b = strconv.AppendInt(append(b, `,"tick":`...), e.tick, 10)
	b = geo.AppendTenths(append(b, `,"radius":`...), Vision)
	b = append(b, `,"buildings":[`...)
	e.sightings = e.city.Near(e.sightings[:0], at, Vision)
	for i, s := range e.sightings {
		if i > 0 {
			b = append(b, ',')
		}
		b = e.appendSighting(b, s.Building)
		e.calls.named[s.Building] = true
	}
	return append(b, "]}}"...)
}

func (e *Episode) appendSighting(b []byte, n int) []byte {
	h := &e.houses[n]
	b = strconv.AppendInt(append(b, `{"building_id":"l`...), int64(n)+1, 10)
	b = append(append(append(b, `","status":"`...), h.status.String()...), `","ticks_to_extinguish":`...)
	left := e.Countdown(n)
	b = appendTicks(b, left.Extinguish)
	b = appendTicks(append(b, `,"ticks_to_collapse":`...), left.Collapse)
	return append(b, '}')
}

func appendTicks(b []byte, n int64) []byte {
	if n < 0 {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, n, 10)
}

// appendTruck appends a truck as everybody sees it.
func (e *Episode) appendTruck(b []byte, t *truck) []byte {
	b = append(append(append(b, `{"vehicle_id":"`...), t.id...), `","label":"`...)
	b = append(append(b, t.label...), `","position":`...)
	b = geo.AppendPoint(b, e.city.At(t.place))
	b = append(append(append(b, `,"status":"`...), t.status()...), `","route":`...)
	if w := t.way; w == nil {
		b = append(b, `null,"destination":null`...)
	} else {
		b = e.AppendRoute(b, city.Route{Legs: w.legs, Total: w.total}, w.remaining)
		b = geo.AppendPoint(append(b, `,"destination":{"requested":`...), w.requested)
		b = append(geo.AppendPoint(append(b, `,"snapped":`...), w.snapped), '}')
	}
	b = append(b, `,"incident_id":`...)
	if !t.hasIncident {
		return append(b, `null,"last_rationale":null}`...)
	}
	b = appendText(b, t.incident)
	b = appendText(append(b, `,"last_rationale":`...), t.rationale)
	return append(b, '}')
}

// AppendRoute appends a way, of which so much is left.
func (e *Episode) AppendRoute(b []byte, r city.Route, remaining int64) []byte {
	b = geo.AppendTenths(append(b, `{"remaining":`...), remaining)
	b = geo.AppendTenths(append(b, `,"total":`...), r.Total)
	b = strconv.AppendInt(append(b, `,"eta_ticks":`...), Ticks(remaining), 10)
	return append(e.AppendWay(append(b, ','), r.Legs), '}')
}

// AppendWay appends the members edges and polyline of a way.
func (e *Episode) AppendWay(b []byte, legs []city.Leg) []byte {
	b = append(b, `"edges":[`...)
	for i, leg := range legs {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(strconv.AppendInt(append(b, `"e`...), int64(leg.Edge)+1, 10), '"')
	}
	b = append(b, `],"polyline":[`...)
	last := e.city.At(city.Place{Edge: legs[0].Edge, Offset: legs[0].From})
	b = geo.AppendPoint(b, last)
	for _, leg := range legs {
		if p := e.city.At(city.Place{Edge: leg.Edge, Offset: leg.To}); p != last {
			b, last = geo.AppendPoint(append(b, ','), p), p
		}
	}
	return append(b, ']')
}

// appendText appends a text as JSON, without escapes that JSON does not need.
func appendText(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < 0x20 || c == '"' || c == '\\' || c >= 0x7f {
			return appendEscaped(b, text)
		}
	}
	return append(append(append(b, '"'), text...), '"')
}

// appendEscaped appends a text that may need escapes.
func appendEscaped(b []byte, text string) []byte {
	b = append(b, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < 0x20 || r == 0x7f:
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = append(b, string(r)...)
		}
	}
	return append(b, '"')
}
