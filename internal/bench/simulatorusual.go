package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"time"

	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/engine"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// usualObservation is an observation for encoding/json. What is not made anew
// is kept as it came.
type usualObservation struct {
	ID       string            `json:"observation_id"`
	Tick     int64             `json:"tick"`
	Life     string            `json:"lifecycle"`
	Limit    int64             `json:"tick_limit"`
	Reason   *string           `json:"terminal_reason"`
	Contacts []map[string]any  `json:"contacts"`
	Vehicles []json.RawMessage `json:"vehicles"`
}

// usualSighting is a building that a truck sees.
type usualSighting struct {
	Building   string `json:"building_id"`
	Status     string `json:"status"`
	Extinguish *int64 `json:"ticks_to_extinguish"`
	Collapse   *int64 `json:"ticks_to_collapse"`
}

// observeUsually makes observations again from what is in them: for each truck
// it goes through all buildings, sorts those in view, and lets encoding/json
// write the whole. It says how long that took, without the reading, and fails
// where another observation comes out.
func observeUsually(m *city.Map, observed [][]byte) (took time.Duration, err error) {
	for _, want := range observed {
		o, known, err := readUsually(want)
		if err != nil {
			return 0, err
		}
		begun := now().CPU
		got, err := o.write(m, known)
		took += now().CPU - begun
		if err != nil {
			return 0, err
		}
		if err := sameJSON(got, want); err != nil {
			return 0, err
		}
	}
	return took, nil
}

// readUsually reads an observation, and what is known of the buildings in it.
func readUsually(data []byte) (o usualObservation, known map[string]usualSighting, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&o); err != nil {
		return o, nil, err
	}
	known = map[string]usualSighting{}
	for _, c := range o.Contacts {
		if c["payload_type"] != "truck_observation" {
			continue
		}
		text, err := json.Marshal(c["payload"].(map[string]any)["buildings"])
		if err != nil {
			return o, nil, err
		}
		var seen []usualSighting
		if err := json.Unmarshal(text, &seen); err != nil {
			return o, nil, err
		}
		for _, s := range seen {
			known[s.Building] = s
		}
	}
	return o, known, nil
}

// write looks around from every truck and writes the observation.
func (o usualObservation) write(m *city.Map, known map[string]usualSighting) ([]byte, error) {
	for _, c := range o.Contacts {
		if c["payload_type"] != "truck_observation" {
			continue
		}
		payload := c["payload"].(map[string]any)
		at := payload["observer_position"].(map[string]any)
		x, badX := geo.ParseTenths(string(at["x"].(json.Number)))
		y, badY := geo.ParseTenths(string(at["y"].(json.Number)))
		if badX != nil || badY != nil {
			return nil, fmt.Errorf("a truck is nowhere: %v", at)
		}
		payload["buildings"] = lookAround(m, geo.Point{X: x, Y: y}, known)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(o)
	return b.Bytes(), err
}

// lookAround are the buildings that are seen from a point, the nearest first.
func lookAround(m *city.Map, from geo.Point, known map[string]usualSighting) []usualSighting {
	var near []int
	for i := range m.Buildings {
		if geo.D2(from, m.Buildings[i].Point) <= engine.Vision*engine.Vision {
			near = append(near, i)
		}
	}
	sort.Slice(near, func(i, j int) bool {
		a, b := geo.D2(from, m.Buildings[near[i]].Point), geo.D2(from, m.Buildings[near[j]].Point)
		return a < b || a == b && near[i] < near[j]
	})
	seen := make([]usualSighting, 0, len(near))
	for _, i := range near {
		seen = append(seen, known[fmt.Sprintf("l%d", i+1)])
	}
	return seen
}

// sameJSON reports where two texts are not the same values.
func sameJSON(got, want []byte) error {
	var a, b any
	if err := json.Unmarshal(got, &a); err != nil {
		return err
	}
	if err := json.Unmarshal(want, &b); err != nil {
		return err
	}
	if !reflect.DeepEqual(a, b) {
		return fmt.Errorf("the usual way makes another observation:\n%s\n%s", got, want)
	}
	return nil
}
