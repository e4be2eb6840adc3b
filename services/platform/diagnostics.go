package platform

import (
	"context"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/platformapi"
)

// readyWithin bounds the look at the database.
const readyWithin = time.Second

// diagnostics tells how the instance is.
type diagnostics struct {
	pool     *pgxpool.Pool
	stopping *atomic.Bool
}

// Health tells that the process serves.
func (diagnostics) Health(context.Context, platformapi.HealthRequestObject) (platformapi.HealthResponseObject, error) {
	return platformapi.Health200TextResponse("ok\n"), nil
}

// Ready tells whether requests can be served.
func (d diagnostics) Ready(
	ctx context.Context, _ platformapi.ReadyRequestObject,
) (platformapi.ReadyResponseObject, error) {
	if d.stopping.Load() {
		return nil, fault.New(fault.Unavailable, "the service is being stopped")
	}
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	if err := d.pool.Ping(ctx); err != nil {
		return nil, fault.New(fault.Unavailable, "the database cannot be reached")
	}
	return platformapi.Ready200TextResponse("ok\n"), nil
}

// Version tells which build this is.
func (diagnostics) Version(
	context.Context, platformapi.VersionRequestObject,
) (platformapi.VersionResponseObject, error) {
	return platformapi.Version200JSONResponse(build()), nil
}

// build is what the program knows of its own build.
var build = sync.OnceValue(func() platformapi.BuildModel {
	b := platformapi.BuildModel{Version: "unknown", Go: runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			b.Revision = s.Value
		}
	}
	return b
})
