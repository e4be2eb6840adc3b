package bridge

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/chat"
)

// TestCut: whole lines are shown, as many as fit; a line that does not fit is
// broken between words, or where it must be.
func TestCut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ż", piece)
	for name, c := range map[string]struct {
		text string
		all  bool
		want string
	}{
		"half a line":             {"half a", false, ""},
		"half a line, at the end": {"half a", true, "half a"},
		"lines":                   {"one\ntwo\nthr", false, "one\ntwo\n"},
		"lines, at the end":       {"one\ntwo\nthr", true, "one\ntwo\nthr"},
		"as long as may be":       {long, false, ""},
		"one more":                {long + "!", false, long},
		"words":                   {"one two" + long, false, "one "},
		"a line and a long one":   {"one\n" + long, true, "one\n"},
		"a long line, at the end": {long + "!", true, long},
		"nothing":                 {"", true, ""},
	} {
		if got := c.text[:cut(c.text, c.all)]; got != c.want {
			t.Errorf("%s: %d bytes, want %d", name, len(got), len(c.want))
		}
	}
}

// TestClean: nothing that is shown is a colour, a bell or no text.
func TestClean(t *testing.T) {
	t.Parallel()
	if got := clean("a\x1b[1m\tb\r\n§cred\x00 \xffż"); got != "a[1mb\ncred \uFFFDż" {
		t.Errorf("%q", got)
	}
	for n, want := range map[int]int{word: word, word + 1: word} {
		if got := len([]rune(brief(strings.Repeat("ż", n)))); got != want {
			t.Errorf("%d of %d characters are left, want %d", got, n, want)
		}
	}
}

// paper is a board that keeps what it is told.
type paper struct {
	Board
	mu      sync.Mutex
	replies []chat.Reply
	fails   func(chat.Reply) error
}

func (p *paper) Reply(_ context.Context, r chat.Reply) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.replies = append(p.replies, r)
	if p.fails != nil {
		return p.fails(r)
	}
	return nil
}

// speak has something said, and returns the replies.
func speak(t *testing.T, p *paper, say func(s *speech)) []chat.Reply {
	t.Helper()
	b := &Bridge{board: p, config: Config{Retry: time.Second, Log: slog.New(slog.DiscardHandler)}}
	say(b.speak(t.Context(), chat.Message{ID: "7"}))
	return p.replies
}

// TestSpeech: what an agent says comes as it says it, no faster than can be read,
// whole where it turns to something else, and within the bound of a turn.
//
// clause: W-40
func TestSpeech(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		say  func(s *speech)
		want []chat.Reply
	}{
		"lines": {func(s *speech) {
			s.add("I ")
			s.add("look.\nI pl")
			synctest.Wait()
			s.add("an.")
			s.pause()
			time.Sleep(2 * pace)
			s.add("Built.")
			s.end(nil)
		}, []chat.Reply{{ID: "7", Text: "I look."}, {ID: "7", Text: "I plan."}, {ID: "7", Text: "Built.", Done: true}}},
		"together": {func(s *speech) {
			s.add("one\n")
			synctest.Wait()
			s.add("two\n")
			s.add("three\n")
			time.Sleep(2 * pace)
			s.end(nil)
		}, []chat.Reply{{ID: "7", Text: "one"}, {ID: "7", Text: "two\nthree"}, {ID: "7", Done: true}}},
		"a failure": {func(s *speech) {
			s.add("I am about to")
			s.end(errors.New("it broke"))
		}, []chat.Reply{{ID: "7", Text: "I am about to", Done: true, Error: "it broke"}}},
		"stopped": {func(s *speech) {
			s.add("I am about to")
			s.end(errStopped)
			s.add("more")
		}, []chat.Reply{{ID: "7", Done: true, Error: errStopped.Error()}}},
		"nothing": {func(s *speech) {
			s.add(" \n\n ")
			s.pause()
			s.end(nil)
		}, []chat.Reply{{ID: "7", Done: true}}},
	} {
		synctest.Test(t, func(t *testing.T) {
			if diff := cmp.Diff(c.want, speak(t, &paper{}, c.say)); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		})
	}
	for n, want := range map[int]int{total - 1: total - 1, total: total, total + 1: total} {
		synctest.Test(t, func(t *testing.T) {
			got := 0
			for _, r := range speak(t, &paper{}, func(s *speech) {
				for range n {
					s.add("z")
				}
				s.end(nil)
			}) {
				got += len(r.Text)
			}
			if got != want {
				t.Errorf("%d of %d bytes were shown, want %d", got, n, want)
			}
		})
	}
}

// TestSpeechLost: a reply that does not arrive is lost, but for the last, which
// is tried until the world has it, says that the turn is over, or nobody waits.
//
// clause: W-40
func TestSpeechLost(t *testing.T) {
	t.Parallel()
	say := func(s *speech) {
		s.add("one\n")
		synctest.Wait()
		s.add("two")
		s.end(nil)
	}
	for name, c := range map[string]struct {
		fails func(tries int) error
		want  int // replies
	}{
		"at last": {func(tries int) error {
			if tries < 40 {
				return errors.New("away")
			}
			return nil
		}, 40},
		"over": {func(int) error { return ErrOver }, 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := &paper{}
			p.fails = func(chat.Reply) error { return c.fails(len(p.replies)) }
			if got := speak(t, p, say); len(got) != c.want || !got[len(got)-1].Done {
				t.Errorf("%s: %d replies, want %d", name, len(got), c.want)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		life, die := context.WithTimeout(t.Context(), time.Minute)
		defer die()
		b := &Bridge{config: Config{Retry: time.Second, Log: slog.New(slog.DiscardHandler)}, board: &paper{
			fails: func(chat.Reply) error { return errors.New("away") },
		}}
		began := time.Now()
		b.speak(life, chat.Message{ID: "7"}).end(nil)
		if took := time.Since(began); took != time.Minute {
			t.Errorf("it was tried for %v", took)
		}
	})
}
