package main

import (
	"context"
	"fmt"
	"io"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/java"
	"github.com/pharos-mcp/pharos/services/world/project"
)

// openWorldJava opens the listener that players come in by, where there is one.
func (a *assembly) openWorldJava(w *openedWorld, book *project.Book) error {
	if a.config.World.Java == "" {
		return nil
	}
	players, err := java.New(java.Config{Title: "pharos"}, w.host, java.Options{
		Ask: w.service.Ask, Log: a.log,
		May: func(_ context.Context, player uuid.UUID, action java.Action, _ geom.Pos) error {
			p, _ := w.host.Player(player)
			may, err := book.May(player, p.Name, project.Action(action))
			if err == nil && !may {
				err = fault.Newf(project.PermissionDenied, "you are not allowed to %s blocks here", action)
			}
			return err
		},
	})
	if err != nil {
		return fmt.Errorf("world.java: %w; leave it empty to let nobody in", err)
	}
	l, err := listen("world.java", a.config.World.Java, true)
	if err != nil {
		return err
	}
	a.services = append(a.services, service{
		listener: l, run: players.Serve,
		announce: func(out io.Writer) error {
			_, err := fmt.Fprintf(out, "world, for Minecraft %s: %s\n", w.host.Info().Version, l.Addr())
			return err
		},
	})
	return nil
}
