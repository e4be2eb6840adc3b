package java

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
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
	// Where one comes too many, it waits until the one that has taken longest is
	// closed.
	Visitors int
	// Greeting is how long somebody may take to come in; 0 is 10 seconds.
	Greeting time.Duration
	// Silence is how long a player may send nothing, or leave the question
	// unanswered whether they are there; 0 is 30 seconds.
	Silence time.Duration
}

func (c Config) withDefaults() Config {
	c.Title = cmp.Or(c.Title, "pharos")
	c.View = min(max(cmp.Or(c.View, 8), leastView), 16)
	c.Players = cmp.Or(c.Players, 20)
	c.Visitors = cmp.Or(c.Visitors, 32)
	c.Greeting = cmp.Or(c.Greeting, 10*time.Second)
	c.Silence = cmp.Or(c.Silence, 30*time.Second)
	return c
}

// Options are what the listener asks of the service.
type Options struct {
	// May returns why a player may not do something, or nil. It is asked before
	// each edit for all blocks that the edit could change. Nil allows everything.
	May func(ctx context.Context, player uuid.UUID, action Action, at geom.Pos) error
	// Ask is a player's "/ai" with the words behind it. What it returns is shown to
	// that player alone. It returns soon: the player is not heard meanwhile. Nil
	// knows no such command.
	Ask func(ctx context.Context, player host.Player, words string) (answer string)
	// Log gets who comes and goes. Nil logs nothing.
	Log *slog.Logger
}
