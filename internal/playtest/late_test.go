package playtest

import (
	"context"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// found repeats a turn until it is answered, and sees whether it had been
// written before, and that it is there once.
func found(t *testing.T, s stage, url string, seat seat, turn string, replayed bool) {
	t.Helper()
	var got reply
	for deadline := time.Now().Add(time.Minute); !got.done(); {
		got = ask(t, url+"/play/mcp", seat.token, turn)
		if got.Status != http.StatusOK && got.Status != http.StatusTooManyRequests || time.Now().After(deadline) {
			t.Fatalf("repeated: %d %s", got.Status, got.Body)
		}
	}
	if again := strings.Contains(got.Body, `"replayed":true`); again != replayed {
		t.Errorf("repeated: %s", got.Body)
	}
	if version, events := sessionOf(t, pgtest.Pool(t, s.database), seat); version != 2 || events != 1 {
		t.Errorf("version %d with %d events, want 2 with 1", version, events)
	}
}

// TestLateTurns: a turn that outlasts the time for its call, or its caller, keeps
// its place until it has ended, and is written; what the caller is told to do
// finds it.
//
// clause: P-25, P-36, P-38
func TestLateTurns(t *testing.T) {
	t.Parallel()
	late := func(name string, send func(t *testing.T, url, token, turn string)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			p := serve(t, configure(t, s.database, map[string]any{
				"admission": map[string]any{"token_concurrency": 1, "token_per_minute": -1, "address_per_minute": -1},
				"deadline":  "1s", "lock_timeout": "2m", "statement_timeout": "2m",
			}))
			seat := s.seats(t, 1)[0]
			l := lock(t, s.database, sessionsLocked)
			one := calling("commit_play_turn", seat.turn(1))
			send(t, p.url, seat.token, one)
			l.waiting(t, 1)
			for range 3 {
				busy(t, "beside it", ask(t, p.url+"/play/mcp", seat.token, initialize), ofCaller)
			}
			l.release(t)
			found(t, s, p.url, seat, one, true)
		})
	}
	late("the time is over", func(t *testing.T, url, token, turn string) {
		begun := time.Now()
		got := ask(t, url+"/play/mcp", token, turn)
		if took := time.Since(begun); !unknownOutcome(got) || took < time.Second || took > 10*time.Second {
			t.Errorf("after %v: %d %s", took, got.Status, got.Body)
		}
	})
	late("the caller has gone", func(t *testing.T, url, token, turn string) {
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		if got := dispatch(ctx, url+"/play/mcp", token, strings.NewReader(turn)); got.Status != 0 {
			t.Errorf("%d %s", got.Status, got.Body)
		}
	})
}

// TestLateReads: a read that outlasts its time has nothing to repeat.
//
// clause: P-36
func TestLateReads(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := serve(t, configure(t, s.database, map[string]any{
		"deadline": "1s", "lock_timeout": "2m", "statement_timeout": "2m",
	}))
	l := lock(t, s.database, "LOCK TABLE play.consequence IN ACCESS EXCLUSIVE MODE")
	got := ask(t, p.url+"/play/mcp", s.token, calling("get_play_context", map[string]any{}))
	if got.Status != http.StatusGatewayTimeout || strings.Contains(got.Body, "outcome") ||
		strings.Contains(got.Body, "operation_id") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	l.release(t)
	if got := ask(t, p.url+"/play/mcp", s.token, calling("get_play_context", map[string]any{})); !got.done() {
		t.Errorf("afterwards: %d %s", got.Status, got.Body)
	}
}

// TestHopelessTurns: a turn that never gets what it needs is given up before the
// time for a call is over, and nothing of it is written.
//
// clause: P-26, P-36
func TestHopelessTurns(t *testing.T) {
	t.Parallel()
	needsTime(t)
	s := newStage(t)
	p := serve(t, configure(t, s.database, patientDatabase))
	seat := s.seats(t, 1)[0]
	l := lock(t, s.database, sessionsLocked)
	one := calling("commit_play_turn", seat.turn(1))
	begun := time.Now()
	got := ask(t, p.url+"/play/mcp", seat.token, one)
	took := time.Since(begun)
	if got.Status != http.StatusOK || !strings.Contains(got.Body, `"text":"504: `) || took > 25*time.Second {
		t.Errorf("after %v: %d %s", took, got.Status, got.Body)
	}
	l.release(t)
	if version, events := sessionOf(t, pgtest.Pool(t, s.database), seat); version != 1 || events != 0 {
		t.Errorf("version %d with %d events, want 1 with none", version, events)
	}
	found(t, s, p.url, seat, one, false)
}

// TestRevoked: who is let in before their token ends is served to the end, and
// not again.
//
// clause: P-07
func TestRevoked(t *testing.T) {
	t.Parallel()
	for name, revoke := range map[string]func(t *testing.T, s stage, p *process){
		"revoked": func(t *testing.T, s stage, p *process) {
			seat := s.seats(t, 1)[0]
			header := http.Header{"Cookie": {logIn(t, p, "gm", s.passwords["gm"])}}
			got := send(t, http.MethodDelete, p.url+"/api/plays/"+seat.session.String()+"/access/", "", header)
			if got.Status != http.StatusNoContent {
				t.Errorf("revoking: status %d %s", got.Status, got.Body)
			}
		},
		"rotated":               func(t *testing.T, s stage, _ *process) { _ = playToken(t, s, "player") },
		"the player is put out": func(t *testing.T, s stage, _ *process) { administer(t, s.database, "account", "disable", "player") },
		"the gm is put out":     func(t *testing.T, s stage, _ *process) { administer(t, s.database, "account", "disable", "gm") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			p := serve(t, configure(t, s.database, patientDatabase))
			seat := s.seats(t, 1)[0]
			l := lock(t, s.database, sessionsLocked)
			admitted := begin(t, p.url+"/play/mcp", seat.token, calling("commit_play_turn", seat.turn(1)))
			l.waiting(t, 1)
			revoke(t, s, p)
			if got := ask(t, p.url+"/play/mcp", seat.token, initialize); got.Status != http.StatusUnauthorized {
				t.Errorf("afterwards: status %d %s", got.Status, got.Body)
			}
			l.release(t)
			if got := <-admitted; !got.done() {
				t.Errorf("what was admitted before: %d %s", got.Status, got.Body)
			}
			if version, events := sessionOf(t, pgtest.Pool(t, s.database), seat); version != 2 || events != 1 {
				t.Errorf("version %d with %d events, want 2 with 1", version, events)
			}
		})
	}
}

// TestStop: what was admitted before a process is told to end is served to the
// end.
func TestStop(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := serve(t, configure(t, s.database, patientDatabase))
	seat := s.seats(t, 1)[0]
	l := lock(t, s.database, sessionsLocked)
	admitted := begin(t, p.url+"/play/mcp", seat.token, calling("commit_play_turn", seat.turn(1)))
	l.waiting(t, 1)
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; { // until it takes no more
		got := ask(t, p.url+"/play/mcp", seat.token, initialize)
		if got.Status == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("it goes on: %d %s", got.Status, got.Body)
		}
	}
	l.release(t)
	if got := <-admitted; !got.done() {
		t.Errorf("what was admitted before: %d %s", got.Status, got.Body)
	}
	if <-p.ended; p.err != nil {
		t.Errorf("it ended with %v\n%s", p.err, p.stderr.String())
	}
}
