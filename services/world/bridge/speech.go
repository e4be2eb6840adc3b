package bridge

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/pharos-mcp/pharos/services/world/chat"
)

// The bounds of what an agent says in a turn.
const (
	line  = 240           // characters that are shown at once
	all   = chat.MaxReply // bytes of a turn
	tries = 5             // to bring a reply to the world
)

// speech brings what an agent says to the player, as it comes.
type speech struct {
	bridge  *Bridge
	message chat.Message

	mu   sync.Mutex
	text strings.Builder // that was not shown yet
	said int             // bytes that were
	over bool
}

// add takes some more text, and shows what is whole.
func (s *speech) add(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over || s.said+s.text.Len() >= all {
		return
	}
	s.text.WriteString(text[:min(len(text), all-s.said-s.text.Len())])
	for {
		head, rest, whole := cut(s.text.String())
		if !whole {
			return
		}
		s.text.Reset()
		s.text.WriteString(rest)
		s.show(head, false, "")
	}
}

// cut takes the first line off a text, or as much as is shown at once.
func cut(text string) (head, rest string, whole bool) {
	if head, rest, ok := strings.Cut(text, "\n"); ok && len([]rune(head)) <= line {
		return head, rest, true
	}
	if runes := []rune(text); len(runes) > line {
		at := line
		for i := line; i > line/2; i-- {
			if runes[i] == ' ' {
				at = i
				break
			}
		}
		return string(runes[:at]), strings.TrimLeft(string(runes[at:]), " "), true
	}
	return "", text, false
}

// end shows what is left, and ends the turn, well or not.
func (s *speech) end(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	trouble := ""
	if err != nil {
		trouble = err.Error()
	}
	s.show(s.text.String(), true, trouble)
}

// show brings a text to the world. At the end it tries for a while: the player
// waits for it.
func (s *speech) show(text string, done bool, trouble string) {
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")
	s.said += len(text)
	if text == "" && !done {
		return
	}
	r := chat.Reply{ID: s.message.ID, Player: s.message.Player, Text: text, Done: done, Error: trouble}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second) // the turn may be over
	defer cancel()
	for try := range tries {
		err := s.bridge.board.Reply(ctx, r)
		if err == nil || !done {
			return
		}
		s.bridge.config.Log.Warn("bridge: a reply did not arrive", "message", r.ID, "try", try+1, "error", err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(s.bridge.config.Retry):
		}
	}
}
