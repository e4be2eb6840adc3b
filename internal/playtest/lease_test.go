package playtest

import (
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/internal/redistest"
)

// lease is how long a place is kept for a request of which nobody says that it
// has ended: the 25 s that a call may take, and 17 s more.
const lease = 42 * time.Second

// TestLeases kills a process that serves all that a token may have. Its places
// are another process's to give when their lease is over, and not before.
//
// clause: P-39
func TestLeases(t *testing.T) {
	t.Parallel()
	needsTime(t)
	s, redis := newStage(t), redistest.Start(t)
	members := shared(t, redis, patientDatabase)
	victim, other := serve(t, configure(t, s.database, members)), serve(t, configure(t, s.database, members))
	seat := s.seats(t, 1)[0]
	l := lock(t, s.database, sessionsLocked)
	begun := time.Now()
	for range 2 {
		begin(t, victim.url+"/play/mcp", seat.token, calling("commit_play_turn", seat.turn(1)))
	}
	l.waiting(t, 2)
	all := time.Now() // have their places
	victim.end(syscall.SIGKILL)
	var got reply
	for got.Status != http.StatusOK {
		asked := time.Now()
		got = ask(t, other.url+"/play/mcp", seat.token, initialize)
		switch now := time.Now(); {
		case got.Status == http.StatusOK && now.Before(begun.Add(lease)):
			t.Fatalf("let in %v after the first, before its lease was over", now.Sub(begun))
		case got.Status != http.StatusOK && asked.After(all.Add(lease)):
			t.Fatalf("%v after the second: status %d %s", asked.Sub(all), got.Status, got.Body)
		case got.Status != http.StatusOK:
			busy(t, "beside what is gone", got, ofCaller)
			time.Sleep(100 * time.Millisecond)
		}
	}
	l.release(t)
	one := calling("commit_play_turn", seat.turn(1))
	found(t, s, other.url, seat, one, false)
}

// TestPlacesOfLateTurns: a turn that was answered for keeps its place for as
// long as it goes on, 20 s at most, however short the time for a call is.
//
// clause: P-38, P-39
func TestPlacesOfLateTurns(t *testing.T) {
	t.Parallel()
	needsTime(t)
	everywhere(t, map[string]any{
		"admission": map[string]any{"token_concurrency": 1, "token_per_minute": -1, "address_per_minute": -1},
		"deadline":  "500ms", "lock_timeout": "2m", "statement_timeout": "2m",
	}, func(t *testing.T, s stage, urls []string, _ *redistest.Server) {
		seat := s.seats(t, 1)[0]
		l := lock(t, s.database, sessionsLocked)
		begun := time.Now()
		got := ask(t, urls[0]+"/play/mcp", seat.token, calling("commit_play_turn", seat.turn(1)))
		if !unknownOutcome(got) {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
		l.waiting(t, 1)
		for {
			got := ask(t, urls[1]+"/play/mcp", seat.token, initialize)
			if time.Since(begun) > 20*time.Second {
				break // it has been given up, or is about to be
			}
			if busy(t, "beside a turn that goes on", got, ofCaller); t.Failed() {
				t.Fatalf("%v after it began", time.Since(begun))
			}
			time.Sleep(100 * time.Millisecond)
		}
		l.waiting(t, 0)
		for deadline := time.Now().Add(10 * time.Second); got.Status != http.StatusOK; {
			if got = ask(t, urls[1]+"/play/mcp", seat.token, initialize); time.Now().After(deadline) {
				t.Fatalf("afterwards: %d %s", got.Status, got.Body)
			}
		}
	})
}
