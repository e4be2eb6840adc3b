package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/pharos-mcp/pharos/edge"
	catalog "github.com/pharos-mcp/pharos/generated/world"
	"github.com/pharos-mcp/pharos/services/world"
	worldkey "github.com/pharos-mcp/pharos/services/world/key"
)

// The times of calls: the RPC answers before its client gives up, and that before
// its own client.
const (
	worldTime    = 30 * time.Second
	worldRPCTime = 35 * time.Second
	worldMCPTime = 40 * time.Second
)

// worldVersion is what GET /health tells: that of the protocol.
const worldVersion = "1"

// newWorldFront puts the RPC in front of a service.
func newWorldFront(
	c worldConfig, service *world.Service, keys *worldkey.Keys, health func(context.Context) error, log *slog.Logger,
) (http.Handler, error) {
	tools := catalog.Catalog(service)
	h, err := edge.NewRPC(
		edge.Config{Listen: c.Listen, StrictText: true, Timeout: edge.Duration(worldTime)}, tools,
		edge.Options{
			Authenticator: worldCallers{keys, tools}, ErrorCodes: world.ErrorCodes, Unknown: world.Unknown, Log: log, Version: worldVersion,
		},
		edge.RPC{
			Path: worldRPCPath, Members: []string{"player_id", "project_id"}, Statuses: world.Statuses, Health: health,
		},
	)
	if ps, ok := errors.AsType[edge.Problems](err); ok {
		err = errors.New("world." + strings.Join(ps, "\nworld."))
	}
	return h, err
}
