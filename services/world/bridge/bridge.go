package bridge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/chat"
)

// Board is where questions come from and answers go: the world's RPC.
type Board interface {
	Poll(ctx context.Context, client string) ([]chat.Message, error)
	Reply(ctx context.Context, r chat.Reply) error
}

// Config is how an agent is led.
type Config struct {
	Command []string // of the agent: the program and its arguments
	Folder  string   // in which it works; it should be empty
	// Environment are the names of variables that the agent gets beside PATH, HOME,
	// LANG and TMPDIR, such as that of its own account.
	Environment []string
	Server      Server
	Tools       []string      // of the world, that an agent may ask permission for
	Turn        time.Duration // that a turn may take; 0 is 10 minutes
	Grace       time.Duration // that an agent has to end a cancelled turn; 0 is 10 seconds
	Retry       time.Duration // between polls that fail; 0 is a second
	Log         *slog.Logger  // nil logs nothing
}

// Server is the world's MCP server, as an agent is told of it.
type Server struct {
	URL   string
	Token func() (string, error) // the agent's key
	// Program is what speaks MCP over stdio, for agents that speak no HTTP: its
	// arguments are behind it.
	Program []string
}

// Bridge leads one agent for each project.
type Bridge struct {
	config Config
	board  Board
	client string // for as long as this bridge lives

	mu    sync.Mutex
	turns map[string]context.CancelCauseFunc // by the message that began them
	crews map[string]*crew                   // by project
}

// New makes a bridge.
func New(c Config, b Board) (*Bridge, error) {
	if len(c.Command) == 0 {
		return nil, errors.New("the agent's command is missing")
	}
	c.Turn = cmp.Or(c.Turn, 10*time.Minute)
	c.Grace = cmp.Or(c.Grace, 10*time.Second)
	c.Retry = cmp.Or(c.Retry, time.Second)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return &Bridge{
		config: c, board: b, client: uuid.NewString(), turns: map[string]context.CancelCauseFunc{}, crews: map[string]*crew{},
	}, nil
}

// ErrDisplaced is the end of a bridge that another took over from.
var ErrDisplaced = errors.New("another bridge has taken over")

// Run leads the agent until ctx ends, or another bridge takes over.
func (b *Bridge) Run(ctx context.Context) error {
	ctx, end := context.WithCancel(ctx)
	var turns sync.WaitGroup
	defer b.dismiss()
	defer turns.Wait()
	defer end()
	for ctx.Err() == nil {
		messages, err := b.board.Poll(ctx, b.client)
		switch {
		case errors.Is(err, ErrDisplaced):
			return err
		case err != nil && ctx.Err() == nil:
			b.config.Log.Warn("bridge: the world does not answer", "error", err)
			select {
			case <-ctx.Done():
			case <-time.After(b.config.Retry):
			}
		}
		for _, m := range messages {
			if m.Type == chat.Cancel {
				b.cancel(m.ID)
				continue
			}
			own, cancel := context.WithCancelCause(ctx)
			b.mu.Lock()
			b.turns[m.ID] = cancel
			b.mu.Unlock()
			turns.Go(func() { b.turn(own, m) })
		}
	}
	return nil
}

var (
	errStopped = errors.New("You stopped it.")
	errLong    = errors.New("It took too long and was stopped.")
)

// cancel ends a turn that is under way.
func (b *Bridge) cancel(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if cancel := b.turns[id]; cancel != nil {
		cancel(errStopped)
	}
}

// turn is what becomes of one question.
func (b *Bridge) turn(ctx context.Context, m chat.Message) {
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.turns[m.ID](nil)
		delete(b.turns, m.ID)
	}()
	limited, end := context.WithTimeoutCause(ctx, b.config.Turn, errLong)
	defer end()
	say := &speech{bridge: b, message: m}
	err := b.crewOf(m.Project).answer(limited, m, say)
	if err != nil {
		b.config.Log.Warn("bridge: a turn failed", "message", m.ID, "error", err)
	}
	if cause := context.Cause(limited); cause != nil && ctx.Err() == nil || errors.Is(cause, errStopped) {
		err = cause
	}
	say.end(err)
}

// crewOf is who answers for a project.
func (b *Bridge) crewOf(project string) *crew {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.crews[project]
	if c == nil {
		c = &crew{config: b.config}
		b.crews[project] = c
	}
	return c
}

// dismiss ends all agents.
func (b *Bridge) dismiss() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.crews {
		c.dismiss()
	}
}

// prompt is a question as the agent reads it.
func prompt(m chat.Message) string {
	where := fmt.Sprintf("The player who asks stands at x %.1f, y %.1f, z %.1f", m.Position[0], m.Position[1], m.Position[2])
	if m.Target != nil {
		where += fmt.Sprintf(" and looks at the block at %s", m.Target)
	}
	return where + ". Use the tools of the server \"world\" alone. What the player says:\n\n" + m.Text
}
