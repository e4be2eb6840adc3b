package simtest

import (
	"context"
	"encoding/json"
	"fmt"
)

// runOf is the id of the run of a result.
func runOf(text string) string {
	var head struct {
		RunID string `json:"run_id"`
	}
	_ = json.Unmarshal([]byte(text), &head)
	return head.RunID
}

// script plays episodes, one after the other, until ctx ends or an answer does
// not come. It tells of every tick that was answered.
func script(ctx context.Context, url, scenario string, answered func(o observed)) error {
	c, err := open(ctx, url)
	if err != nil {
		return err
	}
	for {
		r, err := c.step(ctx, "start_episode", `{"scenario_id":"`+scenario+`"}`, answered)
		for err == nil && r.Lifecycle == "running" {
			if r.Tick%3 == 0 {
				_, err = c.step(ctx, "dispatch", fmt.Sprintf(`{"expected_tick":%d,"vehicle_id":"truck-1","incident_id":"i-%d",`+
					`"rationale":"because","destination":{"x":%d,"y":500}}`, r.Tick, r.Tick, 300+5*r.Tick), nil)
			}
			if err == nil {
				r, err = c.step(ctx, "next_tick", fmt.Sprintf(`{"expected_tick":%d}`, r.Tick), answered)
			}
		}
		if err != nil {
			return err
		}
	}
}

// step calls a tool that does not fail but for where nothing drives.
func (c *client) step(ctx context.Context, tool, arguments string, answered func(o observed)) (o observed, err error) {
	r, err := c.call(ctx, tool, arguments)
	if err != nil {
		return o, err
	}
	if r.code == "SNAP_TOO_FAR" {
		return o, nil
	}
	if r.code != "" {
		return o, fmt.Errorf("%s %s: %s", tool, arguments, r.text)
	}
	if err := json.Unmarshal([]byte(r.text), &o); err != nil {
		return o, err
	}
	if answered != nil {
		answered(o)
	}
	return o, nil
}
