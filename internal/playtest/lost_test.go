package playtest

import (
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// TestLostCommits plays sessions while connections to the database are cut as
// they commit turns, before the server hears of it and after it has done it, and
// now and then none can be had for a moment; replies get lost too. Each turn is
// repeated at another process, which has its receipt. No turn is there twice.
//
// clause: P-25
func TestLostCommits(t *testing.T) {
	t.Parallel()
	const players = 4
	s := newStage(t)
	var mu sync.Mutex
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	var r *relay
	r = newRelay(t, s.database, func() fate {
		mu.Lock()
		defer mu.Unlock()
		f := fate(random.IntN(4)) // half of the commits
		if f > after {
			return whole
		}
		if f != whole && random.IntN(4) == 0 {
			r.close(time.Duration(random.IntN(400)) * time.Millisecond)
		}
		return f
	})
	members := map[string]any{"admission": unbounded}
	urls := []string{serve(t, configure(t, r.url, members)).url, serve(t, configure(t, s.database, members)).url}
	pool := pgtest.Pool(t, s.database)
	var all sync.WaitGroup
	unsure, found, turns := 0, 0, 0
	for i, seat := range s.seats(t, players) {
		era := []string{"2025-11-25", "2026-07-28"}[i%2]
		at := func(n int) func() string { return func() string { return urls[n] } }
		one := &player{seat: seat, era: era, url: at(0), version: 1, over: forgetful{10, http.DefaultTransport}}
		other := &player{seat: seat, era: era, url: at(1)}
		all.Go(func() {
			defer one.hangUp()
			defer other.hangUp()
			for r.cut[before].Load()+r.cut[after].Load() < int64(*rounds) {
				if err := one.write(t.Context(), "commit_play_turn", one.turn(one.version)); err != nil {
					t.Errorf("seed %d: %v", seed, err)
					return
				}
				if err := other.again(t.Context(), one.last()); err != nil {
					t.Errorf("seed %d: %v", seed, err)
					return
				}
			}
			one.check(t, pool)
			mu.Lock()
			defer mu.Unlock()
			unsure, found, turns = unsure+one.unsure, found+one.found, turns+len(one.written)
		})
	}
	all.Wait()
	t.Logf("%d turns; cut %d times before the server heard, %d after it committed; %d answers missed, %d found by repeating",
		turns, r.cut[before].Load(), r.cut[after].Load(), unsure, found)
}

// lost plays a turn whose connection is cut, where no other is to be had until
// it has been told so, and repeats it.
func lost(t *testing.T, s stage, f fate, members map[string]any, told func(reply) bool, closed time.Duration) {
	t.Helper()
	var r *relay
	var once sync.Once
	r = newRelay(t, s.database, func() (now fate) {
		once.Do(func() {
			r.close(closed)
			now = f
		})
		return now
	})
	p := serve(t, configure(t, r.url, members))
	seat := s.seats(t, 1)[0]
	one := calling("commit_play_turn", seat.turn(1))
	if got := ask(t, p.url+"/play/mcp", seat.token, one); !told(got) {
		t.Errorf("a lost commit: %d %s", got.Status, got.Body)
	}
	r.open()
	pool := pgtest.Pool(t, s.database)
	var got reply
	for deadline := time.Now().Add(time.Minute); !got.done(); {
		if time.Now().After(deadline) {
			t.Fatalf("repeated: %d %s", got.Status, got.Body)
		}
		if got = ask(t, p.url+"/play/mcp", seat.token, one); got.Status == http.StatusOK && !got.done() &&
			!strings.Contains(got.Body, `"text":"503: `) {
			t.Fatalf("repeated: %s", got.Body)
		}
	}
	if again := strings.Contains(got.Body, `"replayed":true`); f == after && !again {
		t.Errorf("repeated: %s", got.Body)
	}
	if version, events := sessionOf(t, pool, seat); version != 2 || events != 1 {
		t.Errorf("version %d with %d events, want 2 with 1", version, events)
	}
	p.stop(t)
}

// sessionOf gives the version of a session and the number of its events.
func sessionOf(t *testing.T, pool *pgxpool.Pool, s seat) (version, events int64) {
	t.Helper()
	err := pool.QueryRow(t.Context(), `SELECT version, (SELECT count(*) FROM play.event WHERE assignment_id = id)
		FROM play.assignment WHERE id = $1`, s.session).Scan(&version, &events)
	if err != nil {
		t.Fatal(err)
	}
	return version, events
}

// unbounded are bounds that no test of something else meets.
var unbounded = map[string]any{"token_per_minute": -1, "address_per_minute": -1}

// TestLostForAWhile: a commit whose end is not known when the time for the call
// is over is told to be unknown, and the same again finds it.
//
// clause: P-25, P-36
func TestLostForAWhile(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]fate{"before the server hears of it": before, "after it has committed": after} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lost(t, newStage(t), f, map[string]any{"deadline": "1s", "admission": unbounded}, unknownOutcome, time.Minute)
		})
	}
}

// unknownOutcome reports whether a reply says that the time is over, and what to
// do.
func unknownOutcome(r reply) bool {
	return r.Status == http.StatusGatewayTimeout && strings.Contains(r.Body, "the outcome is unknown") &&
		strings.Contains(r.Body, "operation_id")
}

// TestLostForGood is the same with the time there is by default: the database is
// given up before the time for the call is over, and the tool says so.
//
// clause: P-25
func TestLostForGood(t *testing.T) {
	t.Parallel()
	needsTime(t)
	for name, f := range map[string]fate{"before the server hears of it": before, "after it has committed": after} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lost(t, newStage(t), f, map[string]any{"admission": unbounded}, func(r reply) bool {
				return r.Status == http.StatusOK && strings.Contains(r.Body, `"isError":true`) &&
					strings.Contains(r.Body, "503: the outcome is unknown") && strings.Contains(r.Body, "operation_id")
			}, time.Minute)
		})
	}
}

// TestSilentCommit: a COMMIT has a time of its own, after which another
// connection finds out. The caller is none the wiser.
//
// clause: P-25, P-26
func TestSilentCommit(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	var once sync.Once
	r := newRelay(t, s.database, func() (f fate) {
		once.Do(func() { f = silent })
		return f
	})
	p := serve(t, configure(t, r.url, nil))
	seat := s.seats(t, 1)[0]
	begun := time.Now()
	got := ask(t, p.url+"/play/mcp", seat.token, calling("commit_play_turn", seat.turn(1)))
	took := time.Since(begun)
	if !got.done() || !strings.Contains(got.Body, `"replayed":false`) || took < 5*time.Second || took > 20*time.Second {
		t.Errorf("after %v: %d %s", took, got.Status, got.Body)
	}
	if version, events := sessionOf(t, pgtest.Pool(t, s.database), seat); version != 2 || events != 1 {
		t.Errorf("version %d with %d events, want 2 with 1", version, events)
	}
	p.stop(t)
}
