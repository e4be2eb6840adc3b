package main

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/edge/tool"
	catalog "github.com/pharos-mcp/pharos/generated/simulator"
	"github.com/pharos-mcp/pharos/services/simulator"
	"github.com/pharos-mcp/pharos/services/simulator/display"
	"github.com/pharos-mcp/pharos/services/simulator/engine"
)

// The bounds of a game for one controller, on one machine, that nobody is ever
// to be refused at: displaced controllers keep their sessions, and the oldest of
// them end for newer ones.
const (
	simulatorSessions = 128
	simulatorCallers  = 512  // requests, and streams, at the same time
	simulatorRequests = 2048 // half of which may be streams
)

// newSimulatorFront puts an edge in front of a service, with the display beside
// MCP.
func newSimulatorFront(c simulatorConfig, service *simulator.Service, log *slog.Logger) (*edge.Server, error) {
	c = c.withDefaults()
	s, err := edge.New(
		edge.Config{
			Listen: c.Listen, Authentication: edge.Authentication{Mode: "anonymous"},
			Admission: edge.Admission{
				CallsPerMinute: -1, CallerConcurrency: simulatorCallers, Concurrency: simulatorCallers, Requests: simulatorRequests,
			},
		},
		catalog.Catalog(service),
		edge.Options{
			Context: asController, Instructions: simulator.Instructions, ErrorObjects: true, ErrorCodes: simulatorCodes,
			Sessions: &edge.Sessions{
				Begin: func(_ context.Context, s *edge.Session) error { service.Begin(s.ID); return nil },
				End:   func(s *edge.Session, _ edge.Ending) { service.End(s.ID) },
				Idle:  time.Duration(c.Idle), Grace: time.Duration(c.Grace), Most: simulatorSessions, Newest: true,
			},
			Beside: display.New(service.Snapshot), Log: log,
		},
	)
	if ps, ok := errors.AsType[edge.Problems](err); ok {
		err = errors.New("simulator." + strings.Join(ps, "\nsimulator."))
	}
	return s, err
}

// asController tells the tools which session calls them.
func asController(ctx context.Context, _ *edge.Principal, _ *tool.Operation) context.Context {
	if s := edge.SessionOf(ctx); s != nil {
		return simulator.WithController(ctx, s.ID)
	}
	return ctx
}

// simulatorCodes are the game's names for what the edge finds by itself. All but
// the first two are failures of the program.
var simulatorCodes = map[string]string{
	"invalid_arguments":    string(engine.InvalidArgument),
	"arguments_too_large":  string(engine.InvalidArgument),
	string(fault.Internal): string(engine.Internal),
	string(fault.Timeout):  string(engine.Internal),
	"overloaded":           string(engine.Internal),
	"response_too_large":   string(engine.Internal),
}
