package main

import (
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// result is what this agent reads of what tools give.
type result struct {
	Tick        int64
	Lifecycle   string
	Observation observation
	Point       *point
	raw         json.RawMessage // all of it
}

type observation struct {
	Tick     int64
	Contacts []struct {
		Source string `json:"source_type"`
		Place  place  `json:"reported_location"`
	}
	Vehicles []struct {
		ID     string `json:"vehicle_id"`
		Status string
	}
}

// place is a building or a point.
type place struct {
	Building string `json:"building_id"`
	Point    *point
}

type point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// read takes a result apart. What a tool refuses is an error that begins with
// its code.
func read(reply *mcp.CallToolResult) (r result, err error) {
	if text, ok := reply.Content[0].(*mcp.TextContent); ok && reply.IsError {
		return r, errors.New(text.Text)
	}
	if r.raw, err = json.Marshal(reply.StructuredContent); err != nil {
		return r, err
	}
	return r, json.Unmarshal(r.raw, &r)
}
