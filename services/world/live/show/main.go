// Show serves the live page of a flat world in memory, which does what standard
// input says: the page's test in a browser plays the world through it.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/memory"
	"github.com/pharos-mcp/pharos/services/world/live"
)

// command is a line of the input; each member that is there is done.
type command struct {
	Set        map[string]string // "x y z" → state
	Join       *host.Player
	Move       *host.Player
	Quit       uuid.UUID
	Operations []live.Operation
	Away, Back bool // the server goes, and comes again where it was
}

// site is where the page is served.
type site struct {
	address string
	page    http.Handler
	server  *http.Server
}

func (s *site) open() error {
	listener, err := net.Listen("tcp", s.address)
	if err != nil {
		return err
	}
	s.address, s.server = listener.Addr().String(), &http.Server{Handler: s.page}
	go func() { _ = s.server.Serve(listener) }()
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "show:", err)
		os.Exit(1)
	}
}

func run() error {
	pack, err := blocks.Load(blocks.Default)
	if err != nil {
		return err
	}
	world := memory.New(memory.Config{Pack: pack})
	var mu sync.Mutex
	var operations []live.Operation
	page := live.New(live.Config{
		World: world, View: 3, Home: geom.Pos{X: 8, Z: 8},
		Operations: func(context.Context) ([]live.Operation, error) {
			mu.Lock()
			defer mu.Unlock()
			return operations, nil
		},
		Taken: func(link string) { fmt.Printf("next: %s\n", link) },
	})
	defer page.Close()
	s := &site{address: "127.0.0.1:0", page: page}
	if err := s.open(); err != nil {
		return err
	}
	fmt.Printf("live: http://%s%s\n", s.address, page.Link())
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		var c command
		if err := json.Unmarshal(input.Bytes(), &c); err != nil {
			return err
		}
		if c.Operations != nil {
			mu.Lock()
			operations = c.Operations
			mu.Unlock()
		}
		if err := c.do(world, s); err != nil {
			return err
		}
	}
	return input.Err()
}

func (c *command) do(world *memory.Host, s *site) error {
	if c.Away {
		_ = s.server.Close()
	}
	if c.Back {
		if err := s.open(); err != nil {
			return err
		}
	}
	if c.Join != nil {
		if err := world.Join(*c.Join, func(string) error { return nil }); err != nil {
			return err
		}
	}
	if c.Move != nil {
		world.Move(*c.Move)
	}
	if c.Quit != uuid.Nil {
		world.Quit(c.Quit)
	}
	if len(c.Set) == 0 {
		return nil
	}
	set := map[geom.Pos]string{}
	var box *geom.Box
	for at, state := range c.Set {
		var p geom.Pos
		if _, err := fmt.Sscan(at, &p.X, &p.Y, &p.Z); err != nil {
			return err
		}
		set[p] = state
		around := geom.Box{Min: p, Max: p}
		if box != nil {
			around = box.Union(around)
		}
		box = &around
	}
	_, err := world.Edit(context.Background(), host.Cause{Kind: host.ByOther}, *box, func(w host.Writer) error {
		for p, state := range set {
			if err := w.Set(p, state); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}
