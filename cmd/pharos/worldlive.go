package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"slices"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/live"
)

// liveOperations is how many operations of a project the live page shows.
const liveOperations = 8

// openWorldLive opens the listener of the page that shows the world, where there
// is one. It is opened before that of the players, who come in after it.
func (a *assembly) openWorldLive(w *openedWorld) error {
	if a.config.World.Live == "" {
		return nil
	}
	l, err := listen("world.live", a.config.World.Live, true)
	if err != nil {
		return err
	}
	show := func(taken string) string { return "http://" + l.Addr().String() + taken }
	page := live.New(live.Config{
		World: w.host, Operations: w.operations, Home: geom.Pos{X: 8, Z: 8},
		Taken: func(next string) { a.log.Info("world, live: the link was used; the next one", "url", show(next)) },
	})
	a.services = append(a.services, service{
		listener: l, close: page.Close,
		run: func(ctx context.Context, l net.Listener) error {
			defer context.AfterFunc(ctx, page.Close)() // streams of events end by themselves only then
			return edge.ServeHTTP(ctx, l, page)
		},
		announce: func(out io.Writer) error {
			_, err := fmt.Fprintf(out, "world, live: %s\n", show(page.Link()))
			return err
		},
	})
	return nil
}

// operations are those that the live page shows, of all projects, the newest
// first.
func (w *openedWorld) operations(ctx context.Context) ([]live.Operation, error) {
	var shown []live.Operation
	for _, id := range w.book.IDs() {
		newest, err := w.journal.Recent(ctx, id, liveOperations)
		if err != nil {
			return nil, err
		}
		for _, o := range newest {
			shown = append(shown, liveOperation(o))
		}
	}
	slices.SortStableFunc(shown, func(a, b live.Operation) int { return b.Created.Compare(a.Created) })
	return shown[:min(len(shown), liveOperations)], nil
}

func liveOperation(o journal.Operation) live.Operation {
	shown := live.Operation{
		ID: o.ID, Project: o.Project, Kind: string(o.Kind), Status: string(o.Status), Total: o.Total, Written: o.Written, Conflicts: o.Conflicts,
		Region: o.Region, Paused: o.Paused, Reason: o.Reason, Created: o.Created,
	}
	for _, c := range o.Sample {
		shown.Sample = append(shown.Sample, live.Conflict{Pos: c.Pos, Expected: c.Expected, Actual: c.Actual})
	}
	return shown
}
