package main

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// game is a simulator as far as time goes: three ticks.
type game struct{ tick int64 }

func (g *game) step(_ context.Context, _ *mcp.CallToolRequest, in map[string]any) (*mcp.CallToolResult, map[string]any, error) {
	if in["expected_tick"] != nil {
		g.tick++
	}
	lifecycle := "running"
	if g.tick == 3 {
		lifecycle = "terminal"
	}
	return nil, map[string]any{
		"lifecycle": lifecycle, "tick": g.tick,
		"observation": map[string]any{"tick": g.tick},
	}, nil
}

// Time is the runner's: a model is not offered the tools that begin a game and
// let time pass, and cannot call them either.
//
// clause: S-26
func TestTimeIsTheRunners(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "game", Version: "1"}, nil)
	g := &game{}
	for _, name := range []string{"start_episode", "next_tick", "status", "dispatch"} {
		mcp.AddTool(server, &mcp.Tool{Name: name}, g.step)
	}
	there, here := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	s, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()

	var ticks []int64
	impatient := func(o observation, tools []*mcp.Tool, use use) error {
		ticks = append(ticks, o.Tick)
		var names []string
		for _, tool := range tools {
			names = append(names, tool.Name)
		}
		if diff := cmp.Diff([]string{"dispatch", "status"}, names); diff != "" {
			t.Errorf("the tools of a model (-want): %s", diff)
		}
		for _, name := range []string{"next_tick", "start_episode"} {
			if _, err := use(name, map[string]any{"expected_tick": o.Tick}); err == nil {
				t.Errorf("a model called %s", name)
			}
		}
		if _, err := use("status", map[string]any{}); err != nil {
			t.Error(err)
		}
		return nil
	}
	end, err := play(t.Context(), s, impatient, "any")
	if err != nil || end.Lifecycle != "terminal" || end.Tick != 3 {
		t.Errorf("%+v, %v", end, err)
	}
	if diff := cmp.Diff([]int64{0, 1, 2}, ticks); diff != "" {
		t.Errorf("ticks (-want): %s", diff)
	}
}
