package java

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/java/protocol"
)

// World is a host that players can be in.
type World interface {
	host.Host
	host.Columns
	Join(p host.Player, show func(text string) error) error
	Move(host.Player)
	Quit(uuid.UUID)
	Chat(id uuid.UUID, text string)
}

// Action is what a player does to a block.
type Action string

// The actions.
const (
	Place Action = "place"
	Break Action = "break"
)

// Config bounds the listener. The zero value has usable bounds.
type Config struct {
	Title   string // in a client's list of servers
	View    int    // chunks that are sent in each direction, 2 to 16; 0 is 8
	Players int    // who may be in the world at a time; 0 is 20
	// Visitors are the connections of those who are not in the world yet; 0 is 32.
	Visitors int
	// Patience is how long somebody may take to come in, and how long nothing may
	// be heard of a player; 0 is 10 and 30 seconds.
	Greeting, Silence time.Duration
}

func (c Config) withDefaults() Config {
	c.Title = cmp.Or(c.Title, "pharos")
	c.View = cmp.Or(c.View, 8)
	c.Players = cmp.Or(c.Players, 20)
	c.Visitors = cmp.Or(c.Visitors, 32)
	c.Greeting = cmp.Or(c.Greeting, 10*time.Second)
	c.Silence = cmp.Or(c.Silence, 30*time.Second)
	return c
}

// Options are what the listener asks of the service.
type Options struct {
	// May returns why a player may not do something, or nil. It is asked for each
	// block. Nil allows everything.
	May func(ctx context.Context, player uuid.UUID, action Action, at geom.Pos) error
	// Ask is a player's "/ai" with the words behind it. What it returns is shown to
	// that player alone. Nil knows no such command.
	Ask func(ctx context.Context, player host.Player, words string) (answer string)
	// Log gets who comes and goes. Nil logs nothing.
	Log *slog.Logger
}

// Server lets players into one world. It is safe for concurrent use.
type Server struct {
	config  Config
	options Options
	world   World
	table   *protocol.Table
	log     *slog.Logger
	spawn   [3]float64

	entities atomic.Int32 // the last number that was given
	visitors chan struct{}

	mu      sync.Mutex
	players map[uuid.UUID]*player
}

// New makes a server for a world, which somebody else opens and closes.
func New(c Config, world World, o Options) (*Server, error) {
	table, err := protocol.Load(world.Info().Version)
	if err != nil {
		return nil, err
	}
	c = c.withDefaults()
	s := &Server{
		config: c, options: o, world: world, table: table, log: o.Log, players: map[uuid.UUID]*player{},
		visitors: make(chan struct{}, c.Visitors),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.spawn = s.findSpawn()
	return s, nil
}

// findSpawn is on the ground in the middle of the column of 8, 8.
func (s *Server) findSpawn() [3]float64 {
	column := geom.Pos{X: 8, Z: 8}
	heights, err := s.world.Heights(context.Background(), geom.Box{Min: column, Max: column})
	if err != nil || len(heights) == 0 {
		return [3]float64{8.5, float64(host.Surface + 1), 8.5}
	}
	return [3]float64{8.5, float64(heights[0] + 1), 8.5}
}

// Serve lets players in until ctx ends; then all are sent away.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
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
		select {
		case s.visitors <- struct{}{}:
		default:
			_ = conn.Close() // those who are in are not to suffer from those who are not
			continue
		}
		running.Go(func() { s.greet(ctx, conn) })
	}
}

// all are the players who are in the world now.
func (s *Server) all() []*player {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*player, 0, len(s.players))
	for _, p := range s.players {
		all = append(all, p)
	}
	return all
}
