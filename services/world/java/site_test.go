package java_test

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/memory"
	"github.com/pharos-mcp/pharos/services/world/java"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func pack(t testing.TB) *blocks.Pack {
	t.Helper()
	p, err := blocks.Load(blocks.Default)
	must(t, err)
	return p
}

// site is a server at work over a world in memory.
type site struct {
	world   *memory.Host // nil where the world is another
	address string
	stop    func() // and wait
}

// small shows as little of the world as may be.
var small = java.Config{View: 2}

func start(t testing.TB, c java.Config, o java.Options) *site {
	t.Helper()
	world := memory.New(memory.Config{Pack: pack(t)})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	return serve(t, world, l, c, o)
}

func serve(t testing.TB, world java.World, l net.Listener, c java.Config, o java.Options) *site {
	t.Helper()
	s, err := java.New(c, world, o)
	must(t, err)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	ended := false
	stop := func() {
		if ended {
			return
		}
		ended = true
		cancel()
		select {
		case err := <-done:
			must(t, err)
		case <-time.After(patience):
			t.Fatal("the server does not end")
		}
	}
	t.Cleanup(stop)
	inMemory, _ := world.(*memory.Host)
	return &site{world: inMemory, address: l.Addr().String(), stop: stop}
}

// until waits for a condition that nothing tells of.
func until(t testing.TB, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !f(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it never comes that %s", what)
		}
	}
}

// at is a state of the world.
func (s *site) at(t testing.TB, p geom.Pos) (state string) {
	t.Helper()
	must(t, s.world.View(t.Context(), geom.Box{Min: p, Max: p}, func(r host.Reader) error {
		state = r.At(p)
		return nil
	}))
	return state
}

// id is the number of a state.
func id(t testing.TB, state string) int32 {
	t.Helper()
	n, ok := pack(t).ID(state)
	if !ok {
		t.Fatalf("there is no state %s", state)
	}
	return n
}

func pos(x, y, z int32) geom.Pos { return geom.Pos{X: x, Y: y, Z: z} }

var byOther = host.Cause{Kind: host.ByOther}

// inside reports whether a player is in the world.
func (s *site) inside(id uuid.UUID) bool {
	_, ok := s.world.Player(id)
	return ok
}
