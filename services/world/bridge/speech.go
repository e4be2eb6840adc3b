package bridge

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pharos-mcp/pharos/services/world/chat"
)

// The bounds of what an agent says in a turn.
const (
	piece = 1000                   // characters that are shown at once
	total = chat.MaxReply          // bytes of a turn
	pace  = 250 * time.Millisecond // between what is shown, while more is said
	rush  = 25 * time.Millisecond  // and once all is
	word  = 240                    // characters of what went wrong
	late  = 20 * time.Second       // that a reply may take
)

// speech brings what an agent says in a turn to the player, as it comes, and
// never keeps the agent waiting.
type speech struct {
	board   Board
	message chat.Message
	life    context.Context
	retry   time.Duration
	log     *slog.Logger

	mu    sync.Mutex
	text  []byte // that was not shown yet
	taken int    // bytes
	over  bool
	error string        // of the turn, once it is over
	more  chan struct{} // holds one when something of the above changed
	done  chan struct{} // closed when the world knows that the turn ended
}

// speak begins a speech. Replies are given up when life ends.
func (b *Bridge) speak(life context.Context, m chat.Message) *speech {
	s := &speech{
		board: b.board, message: m, life: life, retry: b.config.Retry, log: b.config.Log,
		more: make(chan struct{}, 1), done: make(chan struct{}),
	}
	go s.run()
	return s
}

// with changes the speech.
func (s *speech) with(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	change()
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// add takes some more text, as far as the bound goes.
func (s *speech) add(text string) {
	s.with(func() {
		text = clean(text[:min(len(text), total-s.taken)])
		s.taken = min(total, s.taken+len(text))
		s.text = append(s.text, text...)
	})
}

// pause has all that was said be shown: something else is done now.
func (s *speech) pause() {
	s.with(func() {
		if len(s.text) > 0 && s.taken < total {
			s.text, s.taken = append(s.text, '\n'), s.taken+1
		}
	})
}

// end shows what is left, and ends the turn, well or not. It returns when the
// world knows.
func (s *speech) end(err error) {
	s.with(func() {
		s.over = true
		if err != nil {
			s.error = brief(err.Error())
		}
		if errors.Is(err, errStopped) {
			s.text = nil
		}
	})
	<-s.done
}

// clean leaves what can be shown: no control characters but the end of a line,
// and not the sign that begins a colour.
func clean(text string) string {
	return strings.Map(func(c rune) rune {
		if c != '\n' && unicode.IsControl(c) || c == '§' {
			return -1
		}
		return c
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// brief is the beginning of a text.
func brief(text string) string {
	text = clean(text)
	if runes := []rune(text); len(runes) > word {
		text = string(runes[:word-1]) + "…"
	}
	return text
}

// run shows what was said until the turn is over.
func (s *speech) run() {
	defer close(s.done)
	for {
		r, ok := s.next()
		if !ok {
			<-s.more
			continue
		}
		s.show(r)
		if r.Done {
			return
		}
		s.mu.Lock()
		wait := pace
		if s.over {
			wait = rush
		}
		s.mu.Unlock()
		select {
		case <-s.life.Done():
		case <-time.After(wait):
		}
	}
}

// next is what is shown next, if there is something.
func (s *speech) next() (chat.Reply, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := chat.Reply{ID: s.message.ID, Player: s.message.Player}
	for len(s.text) > 0 && r.Text == "" {
		n := cut(string(s.text[:min(len(s.text), utf8.UTFMax*(piece+1))]), s.over)
		if n == 0 {
			break
		}
		r.Text, s.text = strings.TrimSpace(string(s.text[:n])), s.text[n:]
	}
	if s.over && len(s.text) == 0 {
		r.Done, r.Error = true, s.error
	}
	return r, r.Text != "" || r.Done
}

// cut tells how many bytes of a text are shown at once: whole lines if there are,
// all that fits if that is asked for, and 0 while there is no whole line.
func cut(text string, all bool) int {
	at, n, space, line := len(text), 0, 0, 0
	for i, c := range text {
		if n == piece {
			at = i
			break
		}
		n++
		switch c {
		case '\n':
			line = i + 1
		case ' ':
			space = i + 1
		}
	}
	switch {
	case at == len(text) && all:
		return at
	case line > 0:
		return line
	case at == len(text):
		return 0
	case space > 0:
		return space
	}
	return at
}

// show brings a reply to the world. The last it tries until the world knows, or
// says that the turn is over: nothing else is asked in the project before.
func (s *speech) show(r chat.Reply) {
	for {
		ctx, cancel := context.WithTimeout(s.life, late)
		err := s.board.Reply(ctx, r)
		cancel()
		if err == nil || errors.Is(err, ErrOver) {
			return
		}
		s.log.Warn("bridge: a reply did not arrive", "message", r.ID, "done", r.Done, "error", err)
		if !r.Done {
			return
		}
		select {
		case <-s.life.Done():
			return
		case <-time.After(s.retry):
		}
	}
}
