package bridge

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/chat"
)

// Board is where questions come from and answers go: the world's RPC.
type Board interface {
	// Poll waits for messages, but not for long. Its error is ErrDisplaced once
	// another bridge has taken over.
	Poll(ctx context.Context, client string) ([]chat.Message, error)
	// Reply answers one. Its error is ErrOver where there is no such turn (any more).
	Reply(ctx context.Context, r chat.Reply) error
}

// The errors of a board that are final.
var (
	ErrDisplaced = errors.New("another bridge has taken over")
	ErrOver      = errors.New("the turn is over")
)

// Config is how an agent is led.
type Config struct {
	Command []string // of the agent: the program and its arguments
	Folder  string   // in which it works: absolute, and better empty
	// Environment are the names of variables that the agent gets beside PATH, HOME,
	// LANG and TMPDIR, such as that of its own account.
	Environment []string
	Server      Server
	Project     string        // the one that the server's tools act in; "" is every one
	Tools       []string      // of the world, that an agent may ask permission for
	Start       time.Duration // until an agent has to be ready; 0 is a minute
	Turn        time.Duration // that a turn may take; 0 is 10 minutes
	Grace       time.Duration // that an agent has to end a cancelled turn; 0 is 10 seconds
	Retry       time.Duration // between calls of the board that fail; 0 is a second
	Log         *slog.Logger  // nil logs nothing
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
	switch {
	case len(c.Command) == 0:
		return nil, errors.New("the agent's command is missing")
	case c.Server.Token == nil || len(c.Server.Program) == 0:
		return nil, errors.New("the world's MCP server is needed over HTTP and over stdio")
	}
	c.Start = cmp.Or(c.Start, time.Minute)
	c.Turn = cmp.Or(c.Turn, 10*time.Minute)
	c.Grace = cmp.Or(c.Grace, 10*time.Second)
	c.Retry = cmp.Or(c.Retry, time.Second)
	c.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	return &Bridge{
		config: c, board: b, client: uuid.NewString(), turns: map[string]context.CancelCauseFunc{}, crews: map[string]*crew{},
	}, nil
}

// last is how much longer than its agents a bridge lives, to tell what became of
// their turns.
const last = 5 * time.Second

// Run leads the agent until ctx ends, or another bridge takes over. It returns
// when no agent runs any more.
func (b *Bridge) Run(ctx context.Context) error {
	ctx, end := context.WithCancelCause(ctx)
	life, die := context.WithCancel(context.WithoutCancel(ctx)) // of replies
	defer die()
	context.AfterFunc(ctx, func() { time.AfterFunc(b.config.Grace+last, die) })
	var turns sync.WaitGroup
	defer b.dismiss()
	defer turns.Wait()
	defer end(errClosed)
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
			switch {
			case m.Type == chat.Prompt:
				own := b.begin(ctx, m)
				turns.Go(func() { b.turn(own, life, m) })
			case m.Type == chat.Cancel && !b.cancel(m.ID): // it ended, and the world did not hear of it
				turns.Go(func() { b.speak(life, m).end(errStopped) })
			}
		}
	}
	return nil
}

// What a player is told of a turn that did not end by itself.
var (
	errStopped = errors.New("you stopped it")
	errLong    = errors.New("it took too long and was stopped")
	errClosed  = errors.New("the builder was stopped; look at the world before you ask again")
	errProject = errors.New("no builder works in this project")
)

// begin notes a turn, so that it can be cancelled.
func (b *Bridge) begin(ctx context.Context, m chat.Message) context.Context {
	own, cancel := context.WithCancelCause(ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.turns[m.ID] = cancel
	return own
}

// cancel ends a turn, and reports whether it was under way.
func (b *Bridge) cancel(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	cancel := b.turns[id]
	if cancel != nil {
		cancel(errStopped)
	}
	return cancel != nil
}

// turn is what becomes of one question. It is under way until the world knows
// that it ended.
func (b *Bridge) turn(ctx, life context.Context, m chat.Message) {
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.turns[m.ID](nil)
		delete(b.turns, m.ID)
	}()
	say := b.speak(life, m)
	if b.config.Project != "" && m.Project != b.config.Project {
		say.end(errProject)
		return
	}
	limited, end := context.WithTimeoutCause(ctx, b.config.Turn, errLong)
	defer end()
	err := b.crewOf(m.Project).answer(limited, m, say)
	if cause := context.Cause(limited); err != nil && cause != nil {
		err = cause
	}
	if ctx.Err() != nil && err != nil && !errors.Is(err, errStopped) {
		err = errClosed
	}
	if err != nil {
		b.config.Log.Warn("bridge: a turn did not end well", "message", m.ID, "error", err)
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
	var crews sync.WaitGroup
	for _, c := range b.crews {
		crews.Go(c.dismiss)
	}
	crews.Wait()
}
