package bridge_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/bridge"
	"github.com/pharos-mcp/pharos/services/world/chat"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// token is the agent's key.
const token = "the-key-of-the-agent"

var ann, bob = uuid.MustParse("00000000-0000-4000-8000-00000000000a"), uuid.MustParse("00000000-0000-4000-8000-00000000000b")

// hall is the world's board with its players, and a bridge beside it.
type hall struct {
	*chat.Board
	log *record

	mu     sync.Mutex
	shown  map[uuid.UUID][]string
	ended  chan chat.Reply // the replies that ended turns
	refuse int             // how many of those are refused before
	began  chan struct{}   // each reply before them
}

// record is a log.
type record struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

func open() *hall {
	h := &hall{shown: map[uuid.UUID][]string{}, ended: make(chan chat.Reply, 64), began: make(chan struct{}, 1024), log: &record{}}
	h.Board = chat.New(func(player uuid.UUID, text string) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.shown[player] = append(h.shown[player], text)
	})
	return h
}

// Poll implements bridge.Board.
func (h *hall) Poll(ctx context.Context, client string) ([]chat.Message, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	messages, err := h.Board.Poll(ctx, client, func([]string) error { return nil })
	if fault.CodeOf(err) == fault.Conflict {
		return nil, bridge.ErrDisplaced
	}
	return messages, err
}

// Reply implements bridge.Board.
func (h *hall) Reply(_ context.Context, r chat.Reply) error {
	h.mu.Lock()
	refused := r.Done && h.refuse > 0
	if refused {
		h.refuse--
	}
	h.mu.Unlock()
	if refused {
		return errors.New("the world is away")
	}
	err := h.Board.Reply(r)
	if fault.CodeOf(err) == fault.NotFound {
		err = bridge.ErrOver
	}
	if err == nil && r.Done {
		h.ended <- r
	} else if err == nil {
		h.began <- struct{}{}
	}
	return err
}

// ask asks the builder, and returns how the turn ended.
func (h *hall) ask(t *testing.T, text string) chat.Reply {
	t.Helper()
	h.wish(t, text)
	return h.end(t)
}

func (h *hall) wish(t *testing.T, text string) {
	t.Helper()
	m := chat.Message{Player: ann, Project: "default", Text: text, Position: [3]float64{1.5, 65, -2.5}, Target: &geom.Pos{X: 3, Y: 64, Z: -2}}
	if err := h.Ask(m); err != nil {
		t.Fatal(err)
	}
}

// end waits for the end of a turn.
func (h *hall) end(t *testing.T) chat.Reply {
	t.Helper()
	select {
	case r := <-h.ended:
		return r
	case <-time.After(time.Minute):
		t.Fatalf("the turn does not end\n%s", h.log)
		return chat.Reply{}
	}
}

// reply waits until the player was shown something in a turn.
func (h *hall) reply(t *testing.T) {
	t.Helper()
	select {
	case <-h.began:
	case <-time.After(time.Minute):
		t.Fatalf("nothing is said\n%s", h.log)
	}
}

// saw is everything that a player was shown.
func (h *hall) saw(player uuid.UUID) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Join(h.shown[player], "\n")
}

// usual is how an agent of this program is led.
func usual(t *testing.T, h *hall, mode string) bridge.Config {
	t.Helper()
	return bridge.Config{
		Command: []string{os.Args[0], "agent", mode}, Folder: t.TempDir(), Environment: []string{"PHAROS_TEST_NAMED", "PHAROS_TEST_NONE"},
		Tools: []string{"build_apply"}, Start: 20 * time.Second, Grace: 500 * time.Millisecond, Retry: 10 * time.Millisecond,
		Log: slog.New(slog.NewTextHandler(h.log, nil)),
		Server: bridge.Server{
			URL: "http://127.0.0.1:1/mcp", Token: func() (string, error) { return token, nil }, Program: []string{"pharos", "serve", "-stdio", "world-mcp"},
		},
	}
}

// lead leads one until the test ends, or stop is called, which returns what Run
// does.
func (h *hall) lead(t *testing.T, c bridge.Config) (stop func() error) {
	t.Helper()
	b, err := bridge.New(c, h)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() { result <- b.Run(ctx) }()
	stop = sync.OnceValue(func() error {
		cancel()
		select {
		case err := <-result:
			return err
		case <-time.After(time.Minute):
			t.Error("the bridge does not end")
			return nil
		}
	})
	t.Cleanup(func() {
		_ = stop()
		if strings.Contains(h.log.String(), token) {
			t.Error("the agent's key stands in the log")
		}
	})
	return stop
}
