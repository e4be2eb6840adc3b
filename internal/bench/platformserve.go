package main

import (
	"context"
	"net"
	"os"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/internal/ballast"
	"github.com/pharos-mcp/pharos/internal/observe"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform"
)

// platform serves the platform's API over a database as the program does: with
// its ballast, and each request logged as JSON to a file. It executes no runs.
func (o role) platform() (serve func(context.Context) error, address string, err error) {
	ballast.Load()
	log, err := os.OpenFile(o.Log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, "", err
	}
	pool, err := pg.Pool(o.Database)
	if err != nil {
		return nil, "", err
	}
	s, err := platform.New(platform.Config{Pool: pool, Log: observe.ProgramLog(log), Slots: -1})
	if err != nil {
		return nil, "", err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", err
	}
	return func(ctx context.Context) error {
		defer pool.Close()
		go s.Run(ctx)
		return edge.ServeHTTP(ctx, l, s.Handler())
	}, l.Addr().String(), nil
}
