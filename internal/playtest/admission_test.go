package playtest

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/internal/redistest"
)

// shared is a configuration of processes that share the bounds of a Redis.
func shared(t *testing.T, redis *redistest.Server, members map[string]any) map[string]any {
	t.Helper()
	file := filepath.Join(t.TempDir(), "redis.url")
	if err := os.WriteFile(file, []byte(redis.URL+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	with := map[string]any{"redis_file": file}
	for name, value := range members {
		with[name] = value
	}
	return with
}

// everywhere runs a test against one process that holds the bounds by itself,
// and against two that share a Redis. Redis is nil for the former.
func everywhere(
	t *testing.T, members map[string]any, test func(t *testing.T, s stage, urls []string, redis *redistest.Server),
) {
	t.Run("one process", func(t *testing.T) {
		t.Parallel()
		s := newStage(t)
		p := serve(t, configure(t, s.database, members))
		test(t, s, []string{p.url, p.url}, nil)
	})
	t.Run("two processes and Redis", func(t *testing.T) {
		t.Parallel()
		s, redis := newStage(t), redistest.Start(t)
		with := shared(t, redis, members)
		first, second := serve(t, configure(t, s.database, with)), serve(t, configure(t, s.database, with))
		test(t, s, []string{first.url, second.url}, redis)
	})
}

// patientDatabase lets writes wait for as long as a test locks what they need.
var patientDatabase = map[string]any{"lock_timeout": "2m", "statement_timeout": "2m"}

// busy sees that a request is refused for a bound, which its text names.
func busy(t *testing.T, what string, got reply, text string) {
	t.Helper()
	after := got.header.Get("Retry-After")
	if got.Status != http.StatusTooManyRequests || after != "1" || !strings.Contains(got.Body, text) {
		t.Errorf("%s: status %d, Retry-After %q, %s; want 429, 1 and %q", what, got.Status, after, got.Body, text)
	}
}

const (
	ofCaller = "too many requests of this caller at the same time"
	ofAll    = "the server is busy"
)

// TestInFlight fills the places there are by default: two for each token, eight
// for both catalogs, wherever the requests are served. What waits in the
// database has them, and they come back.
//
// clause: P-34, P-35, P-38, P-39
func TestInFlight(t *testing.T) {
	t.Parallel()
	everywhere(t, patientDatabase, func(t *testing.T, s stage, urls []string, redis *redistest.Server) {
		seats, author, other := s.seats(t, 4), authorToken(t, s, "gm"), authorToken(t, s, "gm")
		var page string
		pool := pgtest.Pool(t, s.database)
		if err := pool.QueryRow(t.Context(), "SELECT id FROM play.wiki_page ORDER BY id LIMIT 1").Scan(&page); err != nil {
			t.Fatal(err)
		}
		l := lock(t, s.database, sessionsLocked, "SELECT FROM play.wiki_page FOR UPDATE")
		var begun [4][]<-chan reply
		hold := func(i int, path, token string, body func() string) {
			t.Helper()
			for _, url := range urls {
				begun[i] = append(begun[i], begin(t, url+path, token, body()))
			}
			l.waiting(t, 2*(i+1))
			for n, url := range urls {
				what := "a third of " + path + " at process " + strconv.Itoa(n)
				busy(t, what, ask(t, url+path, token, initialize), ofCaller)
				busy(t, what, ask(t, url+path, token, rpc("tools/list", map[string]any{})), ofCaller)
				busy(t, what, ask(t, url+path, token, body()), ofCaller)
				if got := ask(t, url+"/play/mcp", seats[3].token, initialize); i < 3 && got.Status != http.StatusOK {
					t.Errorf("another token beside %d: status %d %s", 2*(i+1), got.Status, got.Body)
				}
			}
		}
		for i, seat := range seats[:3] {
			hold(i, "/play/mcp", seat.token, func() string { return calling("commit_play_turn", seat.turn(1)) })
		}
		hold(3, "/mcp", author, func() string {
			return calling("update_wiki_page", map[string]any{"id": page, "expected_revision": 1, "title": "Lamp", "body": "Oil."})
		})
		for _, url := range urls {
			busy(t, "a ninth", ask(t, url+"/play/mcp", seats[3].token, calling("get_play_context", map[string]any{})), ofAll)
			busy(t, "a ninth", ask(t, url+"/mcp", other, initialize), ofAll)
		}
		l.release(t)
		for i := range begun {
			first, second := <-begun[i][0], <-begun[i][1]
			if first.Status != http.StatusOK || second.Status != http.StatusOK || first.done() == second.done() {
				t.Errorf("two at once: %d %s and %d %s", first.Status, first.Body, second.Status, second.Body)
			}
		}
		open := func(when string, want int) {
			t.Helper()
			for _, url := range urls {
				paths := map[string]string{seats[0].token: "/play/mcp", seats[3].token: "/play/mcp", author: "/mcp"}
				for token, path := range paths {
					got := ask(t, url+path, token, initialize)
					if got.Status != want || want != http.StatusOK && got.header.Get("Retry-After") == "" {
						t.Errorf("%s: %s: status %d, want %d: %s", when, path, got.Status, want, got.Body)
					}
				}
			}
		}
		open("afterwards", http.StatusOK)
		if redis == nil {
			return
		}
		l = lock(t, s.database, sessionsLocked)
		admitted := begin(t, urls[1]+"/play/mcp", seats[3].token, calling("commit_play_turn", seats[3].turn(1)))
		l.waiting(t, 1)
		redis.Stop()
		open("without Redis", http.StatusServiceUnavailable)
		l.release(t)
		if got := <-admitted; !got.done() {
			t.Errorf("what was admitted before Redis was gone: %d %s", got.Status, got.Body)
		}
		redis.Restart(t)
		open("with Redis again", http.StatusOK)
	})
}

// TestRate counts what a token may begin in a minute by default, initialize and
// discovery among it, refused requests not; who comes back when told to is let
// in, and not a second before.
//
// clause: P-34, P-38, P-39
func TestRate(t *testing.T) {
	t.Parallel()
	const rate = 60
	everywhere(t, nil, func(t *testing.T, s stage, urls []string, _ *redistest.Server) {
		messages := []string{
			initialize, rpc("tools/list", map[string]any{}), rpc("ping", map[string]any{}),
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`, calling("get_play_context", map[string]any{}),
			calling("no_such_tool", map[string]any{}), rpc("no/such/method", map[string]any{}),
		}
		author := authorToken(t, s, "gm")
		begun := time.Now()
		for n := range rate {
			got := ask(t, urls[n%2]+"/play/mcp", s.token, messages[n%len(messages)])
			if got.Status == http.StatusTooManyRequests || got.Status >= 500 || got.Status == 0 {
				t.Fatalf("request %d: status %d %s", n+1, got.Status, got.Body)
			}
		}
		over := func(n int) (after int) {
			t.Helper()
			got := ask(t, urls[n%2]+"/play/mcp", s.token, messages[n%len(messages)])
			after, _ = strconv.Atoi(got.header.Get("Retry-After"))
			least := int(max(1, time.Minute-time.Since(begun)) / time.Second)
			if got.Status != http.StatusTooManyRequests || after < least || after > 60 {
				t.Fatalf("%v after the first: status %d, Retry-After %d, %s", time.Since(begun), got.Status, after, got.Body)
			}
			return after
		}
		for n := range messages {
			over(n)
		}
		if got := ask(t, urls[0]+"/mcp", author, initialize); got.Status != http.StatusOK {
			t.Errorf("another token: status %d", got.Status)
		}
		if !*long {
			return
		}
		// A place is free when the first is a minute old. What is said a little
		// after a whole second, less one, is almost a second too early.
		until(begun.Add(20*time.Second + 100*time.Millisecond))
		said := time.Now()
		after := over(0)
		until(said.Add(time.Duration(after-1) * time.Second))
		early := ask(t, urls[1]+"/play/mcp", s.token, initialize)
		if in := time.Since(begun); early.Status != http.StatusTooManyRequests && in < time.Minute {
			t.Errorf("a second early, %v after the first: status %d", in, early.Status)
		} else if in > time.Minute {
			t.Errorf("this machine is too slow to try a second early: %v after the first", in)
		}
		until(time.Now().Add(time.Second))
		if got := ask(t, urls[0]+"/play/mcp", s.token, initialize); got.Status != http.StatusOK {
			t.Errorf("%d s later, as it was told: status %d %s", after, got.Status, got.Body)
		}
	})
}

// TestAddressesByDefault: 600 requests a minute come from one address, whatever
// they show; then it is told to wait, before anything is known of them.
//
// clause: P-34, P-38
func TestAddressesByDefault(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := serve(t, configure(t, s.database, nil))
	begun := time.Now()
	for n := range 600 {
		if got := ask(t, p.url+[]string{"/play/mcp", "/mcp"}[n%2], "nobody", initialize); got.Status != http.StatusUnauthorized {
			t.Fatalf("request %d: status %d %s", n+1, got.Status, got.Body)
		}
	}
	for _, token := range []string{"nobody", s.token} {
		got := ask(t, p.url+"/play/mcp", token, initialize)
		after, _ := strconv.Atoi(got.header.Get("Retry-After"))
		least := int(max(1, time.Minute-time.Since(begun)) / time.Second)
		if got.Status != http.StatusTooManyRequests || after < least || after > 60 {
			t.Errorf("one more: status %d, Retry-After %d, %s", got.Status, after, got.Body)
		}
	}
	if got := send(t, http.MethodGet, p.url+"/login/", "", nil); got.Status != http.StatusOK {
		t.Errorf("the pages: status %d", got.Status)
	}
}

// until waits for a moment: processes have no other clock.
func until(at time.Time) { time.Sleep(time.Until(at)) }
