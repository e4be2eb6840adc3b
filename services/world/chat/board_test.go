package chat_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/chat"
)

var ann, bob = uuid.MustParse("00000000-0000-4000-8000-00000000000a"), uuid.MustParse("00000000-0000-4000-8000-00000000000b")

// hall is a board, with what each player was shown.
type hall struct {
	*chat.Board
	mu   sync.Mutex
	seen map[uuid.UUID][]string
}

func open() *hall {
	h := &hall{seen: map[uuid.UUID][]string{}}
	h.Board = chat.New(func(player uuid.UUID, text string) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.seen[player] = append(h.seen[player], text)
	})
	return h
}

func (h *hall) saw(player uuid.UUID) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.seen[player]
}

// now fetches without waiting.
func (h *hall) now(t *testing.T, client string) []chat.Message {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	messages, err := h.Poll(ctx, client, func([]string) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

func ask(t *testing.T, h *hall, player uuid.UUID, project, text string) {
	t.Helper()
	if err := h.Ask(chat.Message{Player: player, Project: project, Text: text, Position: [3]float64{1, 65, 2}}); err != nil {
		t.Fatal(err)
	}
}

// TestTurns: a project has one turn at a time, in the order of asking, and what
// is said about it reaches who asked alone.
//
// clause: W-40
func TestTurns(t *testing.T) {
	t.Parallel()
	h := open()
	ask(t, h, ann, "a", "a house")
	ask(t, h, bob, "a", "a bridge")
	ask(t, h, bob, "b", "a tower")
	got := h.now(t, "one")
	if len(got) != 2 || got[0].Text != "a house" || got[1].Text != "a tower" || got[0].Type != chat.Prompt || got[0].Position[1] != 65 {
		t.Fatalf("the first poll has %+v", got)
	}
	if again := h.now(t, "one"); len(again) != 0 {
		t.Errorf("a question came twice: %+v", again)
	}
	if text, waiting := h.Turn("a"); text != "a house" || waiting != 1 {
		t.Errorf("the turn is %q, and %d wait", text, waiting)
	}
	house := got[0]
	for name, r := range map[string]chat.Reply{
		"permission_denied": {ID: house.ID, Player: bob, Text: "psst"}, "not_found": {ID: uuid.NewString(), Player: ann},
		"invalid_request": {ID: house.ID, Player: ann, Text: strings.Repeat("x", chat.MaxReply+1)},
	} {
		if err := h.Reply(r); string(fault.CodeOf(err)) != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, r := range []chat.Reply{
		{ID: house.ID, Player: ann, Text: "I look"}, {ID: house.ID, Player: ann, Text: strings.Repeat("x", chat.MaxReply)},
		{ID: house.ID, Player: ann, Text: "built", Done: true, Error: "but no door"},
	} {
		if err := h.Reply(r); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"I look", strings.Repeat("x", chat.MaxReply), "built", "but no door"}, h.saw(ann)); diff != "" {
		t.Errorf("ann saw:\n%s", diff)
	}
	if other := h.saw(bob); len(other) != 0 {
		t.Errorf("bob saw %q", other)
	}
	if err := h.Reply(chat.Reply{ID: house.ID, Player: ann, Text: "more"}); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("a reply after the end: %v", err)
	}
	if next := h.now(t, "one"); len(next) != 1 || next[0].Text != "a bridge" {
		t.Errorf("the next turn is %+v", next)
	}
}

// TestTakeOver: another bridge gets nothing of what the one before had or could
// have had, writes stop first, and those who asked are told.
//
// clause: W-41
func TestTakeOver(t *testing.T) {
	t.Parallel()
	h := open()
	ask(t, h, ann, "a", "a house")
	begun := h.now(t, "one")
	ask(t, h, bob, "a", "a bridge")
	broken := errors.New("the store is away")
	if _, err := h.Poll(t.Context(), "two", func([]string) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("a bridge took over although writes could not be stopped: %v", err)
	}
	if err := h.Reply(chat.Reply{ID: begun[0].ID, Player: ann, Text: "still here"}); err != nil {
		t.Errorf("the old bridge lost its turn: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stopped []string
	got, err := h.Poll(ctx, "two", func(projects []string) error { stopped = projects; return nil })
	if err != nil || len(got) != 0 {
		t.Errorf("the new bridge has %+v (%v)", got, err)
	}
	if diff := cmp.Diff([]string{"a"}, stopped); diff != "" {
		t.Errorf("writes are stopped of:\n%s", diff)
	}
	for _, player := range []uuid.UUID{ann, bob} {
		if saw := h.saw(player); len(saw) == 0 || !strings.Contains(saw[len(saw)-1], "not repeated") {
			t.Errorf("%v was told %q", player, saw)
		}
	}
	if err := h.Reply(chat.Reply{ID: begun[0].ID, Player: ann, Text: "built"}); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("the old bridge goes on: %v", err)
	}
	ask(t, h, ann, "a", "a door")
	if next := h.now(t, "two"); len(next) != 1 || next[0].Text != "a door" {
		t.Errorf("the new bridge has %+v", next)
	}
}

// TestFirstBridge: what was asked before any bridge came waits for it.
func TestFirstBridge(t *testing.T) {
	t.Parallel()
	h := open()
	ask(t, h, ann, "a", "a house")
	messages, err := h.Poll(t.Context(), "one", func([]string) error { t.Error("writes were stopped"); return nil })
	if err != nil || len(messages) != 1 {
		t.Errorf("%+v (%v)", messages, err)
	}
}

// TestDisplaced: a bridge that waits while another comes is told so.
//
// clause: W-41
func TestDisplaced(t *testing.T) {
	t.Parallel()
	h := open()
	h.now(t, "one")
	result := make(chan error)
	go func() {
		_, err := h.Poll(t.Context(), "one", nil)
		result <- err
	}()
	h.now(t, "two")
	select {
	case err := <-result:
		if fault.CodeOf(err) != fault.Conflict { // whether it waited already or not
			t.Errorf("the old bridge: %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the old bridge still waits")
	}
}

// TestStop: the bridge is told once to end the turn, and the queue is empty.
//
// clause: W-40, W-41
func TestStop(t *testing.T) {
	t.Parallel()
	h := open()
	ask(t, h, ann, "a", "a house")
	turn := h.now(t, "one")[0]
	ask(t, h, bob, "a", "a bridge")
	if n := h.Stop("a"); n != 2 {
		t.Errorf("%d were ended", n)
	}
	h.Stop("a")
	got := h.now(t, "one")
	if len(got) != 1 || got[0].Type != chat.Cancel || got[0].ID != turn.ID {
		t.Errorf("the bridge has %+v", got)
	}
	if err := h.Reply(chat.Reply{ID: turn.ID, Player: ann, Text: "stopped", Done: true}); err != nil {
		t.Error(err)
	}
	if n := h.Stop("a"); n != 0 {
		t.Errorf("%d were ended where nothing was", n)
	}
}

// TestBounds: texts and queues, on both sides.
func TestBounds(t *testing.T) {
	t.Parallel()
	h := open()
	for text, ok := range map[string]bool{"": false, "a": true, strings.Repeat("ż", chat.MaxPrompt): true, strings.Repeat("ż", chat.MaxPrompt+1): false} {
		if err := h.Ask(chat.Message{Player: ann, Project: "b", Text: text}); (err == nil) != ok {
			t.Errorf("%d characters: %v", len(text), err)
		}
	}
	for i := range chat.MaxQueue {
		ask(t, h, ann, "a", fmt.Sprint("wish ", i))
	}
	if err := h.Ask(chat.Message{Player: ann, Project: "a", Text: "one more"}); fault.CodeOf(err) != "busy" {
		t.Errorf("one too many: %v", err)
	}
	for client, ok := range map[string]bool{"": false, "c": true, strings.Repeat("c", chat.MaxClient): true, strings.Repeat("c", chat.MaxClient+1): false} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := h.Poll(ctx, client, func([]string) error { return nil }); (err == nil) != ok {
			t.Errorf("client_id of %d: %v", len(client), err)
		}
	}
}

// TestWaiting: a poll waits for a question, and gives it to one bridge alone.
func TestWaiting(t *testing.T) {
	t.Parallel()
	h := open()
	h.now(t, "one")
	got := make(chan []chat.Message, 2)
	for range 2 {
		go func() {
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			messages, _ := h.Poll(ctx, "one", nil)
			got <- messages
		}()
	}
	ask(t, h, ann, "a", "a house")
	if n := len(<-got) + len(<-got); n != 1 {
		t.Errorf("one question came %d times", n)
	}
}

// TestTakeOverMeanwhile: a turn that the old bridge gets while the writes of its
// others are being stopped is stopped too. A bridge that took over in the middle is
// displaced like any other.
//
// clause: W-41
func TestTakeOverMeanwhile(t *testing.T) {
	t.Parallel()
	h := open()
	ask(t, h, ann, "a", "a house")
	h.now(t, "one")
	ask(t, h, bob, "b", "a tower")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stopped [][]string
	_, err := h.Poll(ctx, "two", func(projects []string) error {
		if len(stopped) == 0 {
			if got := h.now(t, "one"); len(got) != 1 {
				t.Errorf("the old bridge gets %v", got)
			}
		}
		stopped = append(stopped, projects)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([][]string{{"a"}, {"b"}}, stopped); d != "" {
		t.Error(d)
	}

	ask(t, h, ann, "a", "a shed")
	h.now(t, "two")
	_, err = h.Poll(ctx, "four", func([]string) error {
		h.now(t, "three")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, former := range []string{"one", "two", "three"} {
		if _, err := h.Poll(ctx, former, nil); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("bridge %s: %v", former, err)
		}
	}
}
