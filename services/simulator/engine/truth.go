package engine

import (
	"strconv"

	"github.com/pharos-mcp/pharos/services/simulator/claim"
)

// AppendTruth appends, as JSON, everything that the player is not shown: the
// wind, what is still to begin, and every building that burns or has burned,
// with its people.
func (e *Episode) AppendTruth(b []byte) []byte {
	b = strconv.AppendInt(append(b, `{"casualties":`...), e.casualties, 10)
	b = strconv.AppendInt(append(b, `,"buildings_lost":`...), e.lost, 10)
	b = strconv.AppendInt(append(b, `,"wind":{"x":`...), e.wind.Towards.X, 10)
	b = strconv.AppendInt(append(b, `,"y":`...), e.wind.Towards.Y, 10)
	b = strconv.AppendInt(append(b, `,"permille":`...), e.wind.Strength, 10)
	b = append(b, `},"scheduled":[`...)
	for i, d := range e.due {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(b, `{"tick":`...), d.tick, 10)
		b = append(strconv.AppendInt(append(b, `,"building_id":"l`...), int64(d.building)+1, 10), `"}`...)
	}
	b = append(b, `],"buildings":[`...)
	first := true
	for n := range e.houses {
		if e.houses[n].burned {
			if !first {
				b = append(b, ',')
			}
			b, first = e.appendHouse(b, n), false
		}
	}
	return append(b, "]}"...)
}

func (e *Episode) appendHouse(b []byte, n int) []byte {
	h := &e.houses[n]
	b = strconv.AppendInt(append(b, `{"building_id":"l`...), int64(n)+1, 10)
	b = append(append(append(b, `","status":"`...), h.status.String()...), `","ignited_at":`...)
	b = strconv.AppendInt(b, h.began, 10)
	b = strconv.AppendInt(append(b, `,"age":`...), h.fire.age, 10)
	b = strconv.AppendInt(append(b, `,"intensity":`...), h.fire.intensity, 10)
	b = strconv.AppendInt(append(b, `,"damage":`...), h.fire.damage, 10)
	b = append(b, `,"people":[`...)
	for i, p := range h.people {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(b, `{"tolerance":`...), p.tolerance, 10)
		b = strconv.AppendInt(append(b, `,"leave":`...), p.leave, 10)
		b = strconv.AppendBool(append(b, `,"trapped":`...), p.trapped)
		b = append(append(append(b, `,"fate":"`...), fates[p.fate]...), `"}`...)
	}
	return append(b, "]}"...)
}

// AppendContact appends, as JSON, a contact with all that its payload withholds:
// the claim, what of it the words entail, and what is behind it.
func AppendContact(b []byte, c *Contact) []byte {
	b = appendHead(b, c.ID, c.Source, c.Occurred, c.Delivered)
	b = c.Location.Append(b)
	if c.Language == "" {
		b = append(b, `,"payload_type":"structured_report"`...)
	} else {
		b = append(append(append(b, `,"payload_type":"human_text","language":"`...), c.Language...), `","text":`...)
		b = appendText(b, c.Text)
	}
	b = c.Claim.Append(append(b, `,"claim":`...))
	b = c.Label.Append(append(b, `,"label":`...))
	b = append(append(append(b, `,"truth":{"kind":"`...), c.Origin...), `","reported_location":`...)
	b = claim.Location{Building: c.Building}.Append(b)
	b = strconv.AppendInt(append(b, `,"people_inside":`...), c.Heads, 10)
	return append(b, "}}"...)
}

// AppendChange appends a change of the truth as JSON.
func AppendChange(b []byte, c Change) []byte {
	b = append(append(append(b, `{"type":"`...), c.Kind...), `","building_id":"l`...)
	b = strconv.AppendInt(b, int64(c.Building)+1, 10)
	b = strconv.AppendInt(append(b, `","count":`...), c.Count, 10)
	return append(b, '}')
}
