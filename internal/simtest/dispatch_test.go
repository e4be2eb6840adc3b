package simtest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// way is a route as results show it.
type way struct {
	Remaining, Total json.Number
	ETA              int64 `json:"eta_ticks"`
	Edges            []string
	Polyline         []point
}

type point struct{ X, Y json.Number }

// fleet are the vehicles of an observation.
type fleet struct {
	Observation struct {
		Vehicles []struct {
			ID          string `json:"vehicle_id"`
			Position    point
			Status      string
			Route       *way
			Destination *struct{ Requested, Snapped point }
			Incident    *string `json:"incident_id"`
			Rationale   *string `json:"last_rationale"`
		}
	}
	Events []struct {
		Type    string
		Vehicle string `json:"vehicle_id"`
	}
}

func (r result) fleet(t *testing.T) (f fleet) {
	t.Helper()
	ok(t, json.Unmarshal([]byte(r.text), &f))
	return f
}

// TestDispatch: an order is answered with where it leads and how, the same as
// travel_time says; nothing moves before the next tick; the vehicle arrives when
// it was said to, and can be sent elsewhere on the way.
//
// clause: S-24, S-25
func TestDispatch(t *testing.T) {
	t.Parallel()
	p := serve(t, configure(t, nil))
	c := opened(t, p.url)
	before := c.must(t, "start_episode", begin).fleet(t)
	const to = `{"x":600.5,"y":480.04}`
	var asked struct {
		Distance json.Number
		ETA      int64 `json:"eta_ticks"`
		Edges    []string
		Polyline []point
	}
	ok(t, json.Unmarshal([]byte(c.must(t, "travel_time", `{"from":{"vehicle_id":"truck-1"},"to":{"point":`+to+`}}`).text), &asked))
	var got struct {
		Accepted bool
		Command  struct {
			ID                 string `json:"command_id"`
			Vehicle            string `json:"vehicle_id"`
			Incident           string `json:"incident_id"`
			Rationale          string
			Requested, Snapped point
			Route              way
		}
		Pending []struct {
			ID          string `json:"command_id"`
			Destination struct{ Requested, Snapped point }
			ETA         int64 `json:"eta_ticks"`
			Status      string
			Superseded  *string `json:"superseded_by"`
		}
		Superseded []string
	}
	r := c.must(t, "dispatch", `{"expected_tick":0,"vehicle_id":"truck-1","incident_id":"mine","rationale":"two callers <l1>",`+
		`"destination":`+to+`}`)
	ok(t, json.Unmarshal([]byte(r.text), &got))
	route := way{asked.Distance, asked.Distance, asked.ETA, asked.Edges, asked.Polyline}
	if diff := cmp.Diff(route, got.Command.Route); diff != "" {
		t.Errorf("another way than travel_time's: %s", diff)
	}
	command := got.Command
	if !got.Accepted || command.Requested != (point{"600.5", "480.0"}) || command.Vehicle != "truck-1" || command.Incident != "mine" ||
		command.Rationale != "two callers <l1>" || command.Route.Polyline[len(route.Polyline)-1] != command.Snapped ||
		!strings.Contains(r.text, `"superseded":[]`) {
		t.Errorf("the order: %s", r.text)
	}
	if len(got.Pending) != 1 || got.Pending[0].ID != command.ID || got.Pending[0].Destination.Snapped != command.Snapped ||
		got.Pending[0].ETA != route.ETA || got.Pending[0].Status != "accepted" || got.Pending[0].Superseded != nil {
		t.Errorf("pending: %s", r.text)
	}
	if diff := cmp.Diff(before.Observation, c.must(t, "status", `{}`).fleet(t).Observation); diff != "" {
		t.Errorf("something moves before the tick: %s", diff)
	}
	for tick := range route.ETA {
		f := c.must(t, "next_tick", fmt.Sprintf(`{"expected_tick":%d}`, tick)).fleet(t)
		one, arrived := f.Observation.Vehicles[0], false
		for _, e := range f.Events {
			arrived = arrived || e.Type == "arrival" && e.Vehicle == "truck-1"
		}
		if last := tick == route.ETA-1; arrived != last || (one.Position == command.Snapped) != last || (one.Status == "moving") == last ||
			one.Incident == nil || *one.Incident != "mine" || *one.Rationale != "two callers <l1>" {
			t.Errorf("tick %d of %d: %+v, %v", tick+1, route.ETA, one, f.Events)
		}
	}
	c.must(t, "dispatch", dispatch(route.ETA, "truck-2", 600))
	moving := c.must(t, "next_tick", fmt.Sprintf(`{"expected_tick":%d}`, route.ETA)).fleet(t).Observation.Vehicles[1]
	c.must(t, "dispatch", dispatch(route.ETA+1, "truck-2", 350)) // another way, from where it is
	turned := c.must(t, "next_tick", fmt.Sprintf(`{"expected_tick":%d}`, route.ETA+1)).fleet(t).Observation.Vehicles[1]
	if moving.Status != "moving" || turned.Status != "moving" || moving.Position == turned.Position ||
		turned.Destination.Requested != (point{"350.0", "500.0"}) {
		t.Errorf("it was\n%+v\nand is\n%+v", moving, turned)
	}
}
