package main

import (
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// firstCome stands where a model would: it sends free engines to the first of
// the reports.
type firstCome struct {
	waiting []place
	heard   map[string]bool
}

// think is called once a tick. A model is given the tools, and calls them with
// use until it has nothing more to do.
func (m *firstCome) think(o observation, _ []*mcp.Tool, use use) error {
	for _, c := range o.Contacts {
		key := c.Place.Building
		if c.Place.Point != nil {
			key = fmt.Sprint(*c.Place.Point)
		}
		if c.Source != "vehicle_sensor" && !m.heard[key] {
			m.heard[key], m.waiting = true, append(m.waiting, c.Place)
		}
	}
	for _, v := range o.Vehicles {
		if v.Status != "idle" || len(m.waiting) == 0 {
			continue
		}
		if err := send(o.Tick, v.ID, m.waiting[0], use); err != nil {
			return err
		}
		m.waiting = m.waiting[1:]
	}
	return nil
}

func send(tick int64, vehicle string, at place, use use) error {
	incident := "a-place"
	if at.Point == nil {
		found, err := use("building_to_coords", map[string]any{"building_id": at.Building})
		if err != nil {
			return err
		}
		incident, at.Point = at.Building, found.Point
	}
	_, err := use("dispatch", map[string]any{
		"expected_tick": tick, "vehicle_id": vehicle, "incident_id": incident,
		"destination": at.Point, "rationale": "It was reported first.",
	})
	return err
}
