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
	"slices"
	"strings"
	"sync"

	"github.com/pharos-mcp/pharos/edge"
	catalog "github.com/pharos-mcp/pharos/generated/platform"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/broker"
)

// assembly puts the services of one process together.
type assembly struct {
	config config // as it was given; listeners put their addresses in
	names  []string
	client *streams // where the edge serves one over stdio
	log    *slog.Logger

	database *pg.DB
	services running
}

func (a *assembly) serves(name string) bool { return slices.Contains(a.names, name) }

// shares reports whether broker and edge are at one address, as clients expect
// who look for the one at the origin of the other.
func (a *assembly) shares() bool {
	return a.serves("broker") && a.serves("edge") && a.config.Broker.Listen == a.config.Edge.Listen
}

// open checks everything, then opens the database and the listeners, and only
// then makes what is served, which may have to know an address that the system
// chose.
func open(ctx context.Context, c config, names []string, client *streams, log *slog.Logger) (rs running, err error) {
	a := &assembly{config: c, names: names, client: client, log: log}
	if err := a.check(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			a.services.close()
		}
	}()
	if len(a.owners()) > 0 {
		if err := a.openDatabase(ctx); err != nil {
			return nil, err
		}
	}
	for _, name := range services { // in order
		if !a.serves(name) {
			continue
		}
		if err := a.open(ctx, name); err != nil {
			return nil, err
		}
	}
	return a.services, nil
}

func (a *assembly) open(ctx context.Context, name string) error {
	switch name {
	case "platform":
		return a.openPlatform(ctx)
	case "devidp":
		return a.openDevidp(ctx)
	case "broker":
		if a.shares() {
			return nil // with the edge
		}
		return a.openBroker()
	case "play":
		return a.openPlay(ctx)
	case "simulator":
		return a.openSimulator()
	case "camera":
		return a.openCamera()
	case "world":
		return a.openWorld(ctx)
	case "world-mcp":
		return a.openWorldMCP()
	case "world-bridge":
		return a.openWorldBridge()
	default:
		return a.openEdge()
	}
}

// check finds every mistake before anything is opened or written, with keys of
// the moment in the place of those that may still have to be made.
func (a *assembly) check() error {
	scratch, err := os.MkdirTemp("", "pharos-keys")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	c := a.config
	if folder, err := c.Database.folder(); err != nil || !haveDevelopmentKeys(folder) {
		c.keys = scratch
	}
	c, err = c.completed(a.names)
	problems := []error{err, c.agree(a.serves)}
	if url := c.Database.url(); url != "" && len(a.owners()) > 0 {
		if err := pg.Check(url); err != nil {
			problems = append(problems, fmt.Errorf("database.url: %w", err))
		}
	}
	if a.serves("platform") {
		problems = append(problems, c.Platform.check())
	}
	if a.serves("devidp") {
		problems = append(problems, checkAddress("devidp.listen", c.Devidp.Listen, true))
	}
	if a.serves("broker") {
		_, err := c.Broker.config()
		problems = append(problems, checkAddress("broker.listen", c.Broker.Listen, c.Broker.development), err)
	}
	if a.serves("edge") {
		_, err := a.edge(c, nil)
		problems = append(problems, err)
	}
	if a.serves("play") {
		problems = append(problems, c.Play.problems())
	}
	if a.serves("simulator") {
		_, err := c.runs()
		problems = append(problems, c.Simulator.problems(), err)
	}
	if a.serves("camera") || a.serves("world") {
		_, err := c.cameraKeyFile()
		problems = append(problems, c.Camera.check(), err)
	}
	if a.serves("world") {
		_, err := c.worldFolder()
		problems = append(problems, c.World.problems(), err)
	}
	if a.serves("world-mcp") {
		_, err := c.worldKeyFile()
		problems = append(problems, c.WorldMCP.problems(), err)
	}
	if a.serves("world-bridge") {
		_, err := c.worldBridgeKeyFile()
		problems = append(problems, c.WorldBridge.check(), err)
		if !a.serves("world-mcp") {
			problems = append(problems, c.WorldMCP.check())
		}
	}
	return errors.Join(problems...)
}

// developing reports whether the open database gets the people of development.
func (a *assembly) developing() bool { return a.database.Folder != "" && !a.config.forOthers() }

// owners are the services with a part of the database.
func (a *assembly) owners() (owners []string) {
	for _, name := range []string{"platform", "broker", "play"} {
		if a.serves(name) {
			owners = append(owners, name)
		}
	}
	if a.indexes() {
		owners = append(owners, "simulator")
	}
	if a.serves("world") {
		owners = append(owners, "world")
	}
	return owners
}

// openDatabase opens the database of all services. It is closed after them.
func (a *assembly) openDatabase(ctx context.Context) error {
	c, err := a.config.Database.config(a.log)
	if err != nil {
		return err
	}
	if a.database, err = pg.Open(ctx, c, a.owners()...); err != nil {
		return err
	}
	a.services = append(a.services, service{
		announce: func(w io.Writer) error {
			if a.database.Folder == "" {
				return nil
			}
			_, err := fmt.Fprintf(w, "data: %s\n", a.database.Folder)
			return err
		},
		run:   func(ctx context.Context, _ net.Listener) error { <-ctx.Done(); return nil },
		close: a.database.Close,
	})
	return nil
}

// edge makes the edge, with the broker beside it where they share an address.
func (a *assembly) edge(c config, beside http.Handler) (*edge.Server, error) {
	s, err := edge.New(c.Edge, catalog.Catalog(), edge.Options{Log: a.log, Beside: beside})
	if ps, ok := errors.AsType[edge.Problems](err); ok {
		err = errors.New("edge." + strings.Join(ps, "\nedge."))
	}
	return s, err
}

// openEdge opens the edge's listener, or its streams.
func (a *assembly) openEdge() error {
	var l net.Listener
	if a.client == nil {
		var err error
		if l, err = net.Listen("tcp", a.config.Edge.Listen); err != nil {
			return err
		}
		shares := a.shares()
		a.config.Edge.Listen = l.Addr().String()
		if shares {
			a.config.Broker.Listen = a.config.Edge.Listen
		}
	}
	front, err := a.makeEdge()
	if err != nil {
		if l != nil {
			_ = l.Close()
		}
		return err
	}
	if a.client != nil {
		a.services = append(a.services, service{announce: silent, run: func(ctx context.Context, _ net.Listener) error {
			return front.ServeStdio(ctx, a.client.in, a.client.out)
		}})
		return nil
	}
	a.services = append(a.services, service{
		listener: l, announce: func(w io.Writer) error { return front.Announce(w, l.Addr()) }, run: front.Serve,
	})
	return nil
}

// makeEdge makes the edge, and the broker first where that is beside it.
func (a *assembly) makeEdge() (*edge.Server, error) {
	c, err := a.config.completed(a.names)
	if err != nil {
		return nil, err
	}
	if !a.shares() {
		return a.edge(c, nil)
	}
	b, err := a.broker(c)
	if err != nil {
		return nil, err
	}
	a.services = append(a.services, service{announce: silent, run: func(ctx context.Context, _ net.Listener) error {
		b.Run(ctx)
		return nil
	}})
	return a.edge(c, b.Handler())
}

// broker makes the broker over the common database. Its listener is open: what
// is for development is on loopback by the address that it really has.
func (a *assembly) broker(c config) (*broker.Broker, error) {
	if err := checkAddress("broker.listen", c.Broker.Listen, c.Broker.development); err != nil {
		return nil, err
	}
	config, err := c.Broker.config()
	if err != nil {
		return nil, err
	}
	return broker.New(config, a.database.Pool, broker.Options{Log: a.log})
}

// openBroker opens a listener for the broker alone.
func (a *assembly) openBroker() error {
	l, err := net.Listen("tcp", a.config.Broker.Listen)
	if err != nil {
		return err
	}
	a.config.Broker.Listen = l.Addr().String()
	c, err := a.config.completed(a.names)
	if err != nil {
		_ = l.Close()
		return err
	}
	b, err := a.broker(c)
	if err != nil {
		_ = l.Close()
		return err
	}
	a.services = append(a.services, service{
		listener: l,
		announce: func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "authorization server: %s\n", c.Broker.Issuer)
			return err
		},
		run: func(ctx context.Context, l net.Listener) error {
			var beside sync.WaitGroup
			defer beside.Wait()
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			beside.Go(func() { b.Run(ctx) })
			return edge.ServeHTTP(ctx, l, b.Handler())
		},
	})
	return nil
}
