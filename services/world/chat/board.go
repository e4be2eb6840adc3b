package chat

import (
	"context"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// The bounds of a board.
const (
	MaxPrompt = 240      // characters of a question
	MaxReply  = 64 << 10 // bytes of a reply
	MaxQueue  = 8        // questions of a project that wait
	MaxClient = 128      // characters of a client_id
	Cancels   = 64       // cancellations that nobody has fetched
	Former    = 256      // bridges that were taken over from and are remembered
)

// Type tells what a message asks for.
type Type string

// The types.
const (
	Prompt Type = "prompt" // do what the text says
	Cancel Type = "cancel" // stop the turn of the message with this id
)

// Message is what a bridge gets.
type Message struct {
	ID       string
	Player   uuid.UUID
	Project  string
	Text     string
	Type     Type
	Position [3]float64
	Target   *geom.Pos // the block looked at, where one is known
}

// Board is the board of one world. It is safe for concurrent use.
type Board struct {
	say func(player uuid.UUID, text string)

	mu      sync.Mutex
	client  string   // the bridge; "" before the first
	former  []string // those that it took over from, the latest last
	turns   map[string]*Message
	queue   map[string][]*Message // by project, the oldest first
	cancels []Message
	changed chan struct{} // closed when there is something to fetch
}

// New makes a board that shows texts to players with say.
func New(say func(player uuid.UUID, text string)) *Board {
	return &Board{say: say, turns: map[string]*Message{}, queue: map[string][]*Message{}, changed: make(chan struct{})}
}

// ring wakes all who wait; the lock is held.
func (b *Board) ring() {
	close(b.changed)
	b.changed = make(chan struct{})
}

// Ask puts a question in the queue of its project and gives it its id. It is
// refused where it is empty or too long, and where the queue is full.
func (b *Board) Ask(m Message) error {
	switch n := utf8.RuneCountInString(m.Text); {
	case n == 0:
		return fault.New(fault.Invalid, "say what you wish: /ai and your words")
	case n > MaxPrompt:
		return fault.Newf(fault.Invalid, "that has %d characters; %d are allowed", n, MaxPrompt)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.queue[m.Project]) >= MaxQueue {
		return fault.Newf("busy", "%d wishes are waiting already; try again later", MaxQueue)
	}
	m.ID, m.Type = uuid.NewString(), Prompt
	b.queue[m.Project] = append(b.queue[m.Project], &m)
	b.ring()
	return nil
}

// Stop has the bridge end the turn of a project, and forgets its questions. It
// tells how many were forgotten or are ended.
func (b *Board) Stop(project string) (ended int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	ended = len(b.queue[project])
	delete(b.queue, project)
	if turn := b.turns[project]; turn != nil {
		ended++
		cancel := *turn
		cancel.Type, cancel.Text = Cancel, ""
		if len(b.cancels) < Cancels && !slices.ContainsFunc(b.cancels, func(m Message) bool { return m.ID == cancel.ID }) {
			b.cancels = append(b.cancels, cancel)
		}
		b.ring()
	}
	return ended
}

// Turn tells what a project's bridge works on, and how many wait behind it.
func (b *Board) Turn(project string) (text string, waiting int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if turn := b.turns[project]; turn != nil {
		text = turn.Text
	}
	return text, len(b.queue[project])
}

// Poll returns what a bridge has to do: cancellations, and one question for each
// project without a turn. Without any it waits until ctx ends. A bridge that is
// another than before gets nothing that the other had or could have had: those
// who asked are told so, and lost names their projects, whose writes are to be
// stopped before anything else is done.
func (b *Board) Poll(ctx context.Context, client string, lost func(projects []string) error) ([]Message, error) {
	if client == "" || utf8.RuneCountInString(client) > MaxClient {
		return nil, fault.Newf(fault.Invalid, "client_id has 1 to %d characters", MaxClient)
	}
	if err := b.takeOver(client, lost); err != nil {
		return nil, err
	}
	for {
		b.mu.Lock()
		if b.client != client {
			b.mu.Unlock()
			return nil, errDisplaced
		}
		messages, changed := b.fetch(), b.changed
		b.mu.Unlock()
		if len(messages) > 0 {
			return messages, nil
		}
		select {
		case <-ctx.Done():
			return []Message{}, nil
		case <-changed:
		}
	}
}

// errDisplaced is what a bridge gets that another took over from: the two would
// take from each other for ever.
var errDisplaced = fault.New(fault.Conflict, "another bridge has taken over; one that is to go on needs a client_id of its own")

// fetch takes out what a bridge has to do; the lock is held.
func (b *Board) fetch() []Message {
	messages := b.cancels
	b.cancels = nil
	var free []string
	for project := range b.queue {
		if b.turns[project] == nil && len(b.queue[project]) > 0 {
			free = append(free, project)
		}
	}
	slices.Sort(free)
	for _, project := range free {
		next := b.queue[project][0]
		b.queue[project] = b.queue[project][1:]
		b.turns[project] = next
		messages = append(messages, *next)
	}
	return messages
}

// takeOver makes a client the bridge, once the writes of all projects with a turn
// are stopped: nothing of an old turn is written when it is given up.
func (b *Board) takeOver(client string, lost func(projects []string) error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	stopped := map[string]bool{}
	for b.client != client {
		if slices.Contains(b.former, client) {
			return errDisplaced
		}
		var projects []string
		for project := range b.turns {
			if !stopped[project] {
				projects = append(projects, project)
				stopped[project] = true
			}
		}
		if len(projects) == 0 {
			b.succeed(client)
			return nil
		}
		slices.Sort(projects)
		b.mu.Unlock()
		err := lost(projects) // meanwhile the bridge may have got another turn
		b.mu.Lock()
		if err != nil {
			return err
		}
	}
	return nil
}

// succeed gives up what the bridge before had or could have had, and tells those
// who asked; the lock is held. What was asked before the first bridge is done.
func (b *Board) succeed(client string) {
	given := b.turns
	if b.client != "" {
		b.former = append(b.former, b.client)
		b.former = b.former[max(0, len(b.former)-Former):]
		for _, waiting := range b.queue {
			for _, m := range waiting {
				given[m.ID] = m
			}
		}
		b.queue = map[string][]*Message{}
	}
	b.client, b.turns, b.cancels = client, map[string]*Message{}, nil
	b.ring()
	for _, m := range given {
		b.say(m.Player, "The builder was started again, and your wish is not repeated: look at the world, then ask again.")
	}
}

// Reply is what a bridge says about a message.
type Reply struct {
	ID     string
	Player uuid.UUID
	Text   string
	Done   bool
	Error  string
}

// Reply shows a reply to the player who asked, and to nobody else. Done ends the
// turn.
func (b *Board) Reply(r Reply) error {
	if len(r.Text) > MaxReply || len(r.Error) > MaxReply {
		return fault.Newf(fault.Invalid, "text and error have at most %d bytes", MaxReply)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for project, turn := range b.turns {
		if turn.ID != r.ID {
			continue
		}
		if turn.Player != r.Player {
			return fault.New("permission_denied", "a reply goes to the player who asked")
		}
		for _, text := range []string{r.Text, r.Error} {
			if text != "" {
				b.say(turn.Player, text)
			}
		}
		if r.Done {
			delete(b.turns, project)
			b.cancels = slices.DeleteFunc(b.cancels, func(m Message) bool { return m.ID == r.ID })
			b.ring()
		}
		return nil
	}
	return fault.New(fault.NotFound, "there is no turn with this id: it is done, or another bridge has taken over")
}
