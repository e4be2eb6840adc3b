package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/services/world"
	"github.com/pharos-mcp/pharos/services/world/asset"
	"github.com/pharos-mcp/pharos/services/world/camera/desk"
	"github.com/pharos-mcp/pharos/services/world/chat"
	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/host/anvil"
	"github.com/pharos-mcp/pharos/services/world/journal"
	worldkey "github.com/pharos-mcp/pharos/services/world/key"
	"github.com/pharos-mcp/pharos/services/world/operation"
	"github.com/pharos-mcp/pharos/services/world/project"
)

// openedWorld is the world's owner with its listener.
type openedWorld struct {
	folder   string
	files    *disk.Folder
	host     *anvil.Host
	engine   *operation.Engine
	service  *world.Service
	journal  *journal.Store
	book     *project.Book
	listener net.Listener
	front    http.Handler
	log      *slog.Logger
}

// openWorld opens the world, and only then the listener of its RPC: what a process
// before this one left unfinished is marked before anybody can ask.
func (a *assembly) openWorld(ctx context.Context) (err error) {
	w := &openedWorld{log: a.log}
	defer func() {
		if err != nil {
			w.close()
		}
	}()
	if w.folder, err = a.config.worldFolder(); err != nil {
		return err
	}
	keys, err := a.openWorldFolder(ctx, w)
	if err != nil {
		return fmt.Errorf("world in %s: %w", w.folder, err)
	}
	if w.listener, err = listen("world.listen", a.config.World.Listen, true); err != nil {
		return err
	}
	a.config.World.Listen = w.listener.Addr().String()
	if w.front, err = newWorldFront(a.config.World, w.service, keys, worldHealth(a.database.Pool), a.log); err != nil {
		return err
	}
	a.services = append(a.services, service{
		listener: w.listener, announce: w.announce, close: w.close,
		run: w.run,
	})
	if err := a.openWorldLive(w); err != nil {
		return err
	}
	return a.openWorldJava(w, w.book)
}

// openWorldFolder opens what is in the world's folder and makes its service.
func (a *assembly) openWorldFolder(ctx context.Context, w *openedWorld) (*worldkey.Keys, error) {
	if err := os.MkdirAll(w.folder, 0o700); err != nil {
		return nil, err
	}
	var err error
	if w.files, err = disk.In(w.folder); err != nil {
		return nil, err
	}
	if w.host, err = a.config.World.open(w.folder, w.files); err != nil {
		return nil, err
	}
	own := filepath.Join(w.folder, "pharos")
	keys, err := worldkey.Open(worldKeysIn(w.folder))
	if err != nil {
		return nil, err
	}
	w.book, err = a.config.World.book(filepath.Join(own, "projects.json"), w.host)
	if err != nil {
		return nil, err
	}
	assets, err := asset.Open(w.files, "pharos/schematics", w.host.Blocks())
	if err != nil {
		return nil, err
	}
	w.journal = journal.New(journal.Config{Pool: a.database.Pool, World: w.host.Info().World})
	w.engine, err = operation.Open(ctx, operation.Config{
		Host: w.host, Journal: w.journal, Log: a.log,
		May: func(_ context.Context, id string, player uuid.UUID) error {
			_, err := w.book.Check(id, player, project.Build)
			return err
		},
	})
	if err != nil {
		return nil, err
	}
	camera, err := a.config.camera()
	if err != nil {
		return nil, err
	}
	w.service = world.New(world.Config{
		Host: w.host, Journal: w.journal, Engine: w.engine, Book: w.book, Assets: assets, Desk: desk.New(), Camera: camera,
		Cameras: a.config.World.Cameras,
		Board:   chat.New(func(player uuid.UUID, text string) { _ = w.host.Say(context.Background(), player, text) }), // who left hears nothing
	})
	return keys, nil
}

// run serves the RPC, takes pictures, and throws plans away that nobody used.
func (w *openedWorld) run(ctx context.Context, l net.Listener) error {
	own, end := context.WithCancel(context.WithoutCancel(ctx))
	var beside sync.WaitGroup
	beside.Go(func() { w.service.Desk.Run(own) })
	beside.Go(func() { w.prune(own) })
	beside.Go(func() { w.save(own) })
	err := edge.ServeHTTP(ctx, l, w.front)
	end()
	beside.Wait()
	return err
}

// saveEvery is how long what players do may be in memory alone.
const saveEvery = 5 * time.Second

// save writes from time to time what players have changed. What fails is tried
// again, and told once until it works again.
func (w *openedWorld) save(ctx context.Context) {
	tick := time.NewTicker(saveEvery)
	defer tick.Stop()
	failing := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := w.host.Save(ctx)
		if err != nil && ctx.Err() == nil && !failing {
			w.log.Error("what players changed does not reach the disk, it is tried again", "error", err)
		}
		failing = err != nil
	}
}

// How often plans that ran out are thrown away, and how many at a time.
const (
	pruneEvery = time.Hour
	pruneMost  = 1000
)

func (w *openedWorld) prune(ctx context.Context) {
	tick := time.NewTicker(pruneEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if _, err := w.journal.Prune(ctx, pruneMost); err != nil && ctx.Err() == nil {
				w.log.Warn("plans that ran out were not thrown away", "error", err)
			}
		}
	}
}

// worldHealth looks whether the journal can be written.
func worldHealth(pool *pgxpool.Pool) func(context.Context) error {
	return func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		return pool.Ping(ctx)
	}
}

// announce prints what is where.
func (w *openedWorld) announce(out io.Writer) error {
	_, err := fmt.Fprintf(out, "world: %s\nworld, RPC: http://%s%s\nworld, keys: %s\n",
		w.folder, w.listener.Addr(), worldRPCPath, worldKeysIn(w.folder))
	return err
}

// worldPatience is how long a world that stops waits for the operation under way.
// One of the largest takes half a second.
const worldPatience = 10 * time.Second

// close gives up what does not run, or does not run any more. The operation that
// is under way has the time to end, and the engine ends after its slice.
func (w *openedWorld) close() {
	if w.listener != nil {
		_ = w.listener.Close()
	}
	if w.service != nil {
		ctx, cancel := context.WithTimeout(context.Background(), worldPatience)
		_ = w.service.Settle(ctx) // or somebody has to decide about it
		cancel()
	}
	if w.engine != nil {
		w.engine.Close()
	}
	if w.host != nil {
		_ = w.host.Close()
	}
	if w.files != nil {
		_ = w.files.Close()
	}
}

// problems are all mistakes of the world's part.
func (c worldConfig) problems() error {
	judged := worldConfig{Listen: "127.0.0.1:0"} // by the edge alone
	_, err := newWorldFront(judged, nil, nil, nil, nil)
	return errors.Join(c.check(), err)
}
