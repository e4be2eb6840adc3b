package engine

import (
	"strconv"

	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// AppendVehicles appends the trucks as everybody sees them, as a JSON array.
func (e *Episode) AppendVehicles(b []byte) []byte {
	b = append(b, '[')
	for i := range e.trucks {
		if i > 0 {
			b = append(b, ',')
		}
		b = e.appendTruck(b, &e.trucks[i])
	}
	return append(b, ']')
}

// AppendFireETA appends, as a JSON array, where the fires are going that a truck
// has in its view, by number.
func (e *Episode) AppendFireETA(b []byte) []byte {
	b = append(b, '[')
	first := true
	for _, n := range e.blazes {
		if !e.inView(n) {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = e.appendCountdown(append(b, '{'), n)
	}
	return append(b, ']')
}

// inView reports whether a truck sees a building.
func (e *Episode) inView(n int) bool {
	for i := range e.trucks {
		if geo.D2(e.city.At(e.trucks[i].place), e.city.Buildings[n].Point) <= Vision*Vision {
			return true
		}
	}
	return false
}

// appendCountdown appends the members of a building's id and countdowns, and
// the end of their object.
func (e *Episode) appendCountdown(b []byte, n int) []byte {
	left := e.Countdown(n)
	b = strconv.AppendInt(append(b, `"building_id":"l`...), int64(n)+1, 10)
	b = appendTicks(append(b, `","ticks_to_extinguish":`...), left.Extinguish)
	b = appendTicks(append(b, `,"ticks_to_collapse":`...), left.Collapse)
	return append(b, '}')
}

// AppendState appends, as a JSON array, the present truth of every building that
// burns or has burned: nothing that is still to come.
func (e *Episode) AppendState(b []byte) []byte {
	b = append(b, '[')
	first := true
	for n := range e.houses {
		h := &e.houses[n]
		if !h.burned {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		dead := int64(0)
		for _, p := range h.people {
			if p.fate == casualty {
				dead++
			}
		}
		b = strconv.AppendInt(append(b, `{"building_id":"l`...), int64(n)+1, 10)
		b = append(append(append(b, `","status":"`...), h.status.String()...), `","ever_burned":true,"occupants":`...)
		b = strconv.AppendInt(b, heads(h.people), 10)
		b = strconv.AppendInt(append(b, `,"casualties":`...), dead, 10)
		b = strconv.AppendInt(append(b, `,"intensity":`...), h.fire.intensity, 10)
		b = append(b, '}')
	}
	return append(b, ']')
}

// AppendContacts appends the reports of this tick as the player gets them, as a
// JSON array: without claims that are withheld, and without the trucks'.
func (e *Episode) AppendContacts(b []byte) []byte {
	b = append(b, '[')
	for i, c := range e.calls.now {
		if i > 0 {
			b = append(b, ',')
		}
		b = c.append(b)
	}
	return append(b, ']')
}
