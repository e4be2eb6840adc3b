package main

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// use calls a tool; model does with it what there is to do in a tick.
type (
	use   func(name string, arguments any) (result, error)
	model func(o observation, tools []*mcp.Tool, use use) error
)

// play is the outer runner: it alone begins, and lets time pass once the model
// is done with a tick. The model never sees the tools for that.
func play(ctx context.Context, s *mcp.ClientSession, m model, scenario string) (r result, err error) {
	runners := map[string]bool{"next_tick": true, "start_episode": true}
	offered := map[string]bool{}
	var tools []*mcp.Tool
	for t, err := range s.Tools(ctx, nil) {
		if err != nil {
			return r, err
		}
		if !runners[t.Name] {
			offered[t.Name], tools = true, append(tools, t)
		}
	}
	call := func(name string, arguments any) (result, error) {
		reply, err := s.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments})
		if err != nil {
			return result{}, err
		}
		return read(reply)
	}
	offer := func(name string, arguments any) (result, error) {
		if !offered[name] {
			return result{}, fmt.Errorf("there is no tool %s", name)
		}
		return call(name, arguments)
	}
	r, err = call("start_episode", map[string]any{"scenario_id": scenario})
	for err == nil && r.Lifecycle == "running" {
		if err = m(r.Observation, tools, offer); err == nil {
			r, err = call("next_tick", map[string]any{"expected_tick": r.Tick})
		}
	}
	return r, err
}
