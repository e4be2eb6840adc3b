package java

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/java/protocol"
)

// Server lets players into one world. It is safe for concurrent use.
type Server struct {
	config  Config
	options Options
	world   World
	table   *protocol.Table
	log     *slog.Logger

	entities atomic.Int32 // the last number that was given
	door     *door

	gate sync.Mutex // held while somebody comes into the world or leaves it

	mu     sync.Mutex            // of what follows; taken after gate
	inside map[uuid.UUID]*player // who is in the world
}

// New makes a server for a world, which somebody else opens and closes. It fails
// for a version whose protocol is not known.
func New(c Config, world World, o Options) (*Server, error) {
	table, err := protocol.Load(world.Info().Version)
	if err != nil {
		return nil, err
	}
	c = c.withDefaults()
	s := &Server{
		config: c, options: o, world: world, table: table, log: o.Log, door: newDoor(c.Visitors),
		inside: map[uuid.UUID]*player{},
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	return s, nil
}

// Serve lets players in until ctx ends; then all are sent away. It refuses a
// listener that others than this computer reach.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	if at, ok := l.Addr().(*net.TCPAddr); ok && !at.IP.IsLoopback() {
		return errors.Join(fmt.Errorf("players are let in on loopback alone, and %s is not", at), l.Close())
	}
	stop := s.world.Observe(s)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	running.Go(func() { <-ctx.Done(); _ = l.Close() })
	running.Go(func() { s.tick(ctx) })
	for {
		conn, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return nil
			}
			s.log.Warn("minecraft", "error", err)
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(50 * time.Millisecond): // such as no more files
			}
			continue
		}
		s.door.enter(conn)
		running.Go(func() { s.greet(ctx, conn) })
	}
}
