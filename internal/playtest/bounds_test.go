package playtest

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// turnMessage is a turn as a message of the earlier era, by hand.
const turnMessage = `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"commit_play_turn","arguments":{` +
	`"operation_id":"10000000-0000-4000-8000-0000000000%02d","expected_version":1,"player_action":"a","narration":"n",` +
	`"memory_markdown":"m","current_scene":%q,"consequences":[]}}}`

// TestOneGate: a place that a player has, an author has not.
//
// clause: P-34, P-38
func TestOneGate(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	author := authorToken(t, s, "gm")
	p := serve(t, configure(t, s.database, map[string]any{
		"admission": map[string]any{"concurrency": 1}, "lock_timeout": "20s", "statement_timeout": "20s",
	}))
	pool := pgtest.Pool(t, s.database)
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var scene string
	if err := tx.QueryRow(t.Context(), "SELECT current_scene FROM play.assignment FOR UPDATE").Scan(&scene); err != nil {
		t.Fatal(err)
	}
	header := shown(s.token)
	header["Mcp-Protocol-Version"] = []string{"2025-11-25"}
	turned := make(chan reply, 1)
	go func() {
		turned <- send(t, http.MethodPost, p.url+"/play/mcp", fmt.Sprintf(turnMessage, 1, scene), header)
	}()
	for waiting := 0; waiting == 0; {
		err := pool.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&waiting)
		if err != nil {
			t.Fatal(err)
		}
	}
	for path, token := range map[string]string{"/mcp": author, "/play/mcp": s.token} {
		got := send(t, http.MethodPost, p.url+path, initialize, shown(token))
		if got.Status != http.StatusTooManyRequests || got.header.Get("Retry-After") == "" {
			t.Errorf("%s beside a turn: status %d, Retry-After %q", path, got.Status, got.header.Get("Retry-After"))
		}
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := <-turned; got.Status != http.StatusOK || strings.Contains(got.Body, `"isError":true`) {
		t.Errorf("the turn: %d %s", got.Status, got.Body)
	}
	if got := send(t, http.MethodPost, p.url+"/mcp", initialize, shown(author)); got.Status != http.StatusOK {
		t.Errorf("afterwards: %d %s", got.Status, got.Body)
	}
}

// TestAddresses bounds what is not yet anybody's, by where it comes from: behind
// a proxy, as the proxy says.
//
// clause: P-34, P-38
func TestAddresses(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := serve(t, configure(t, s.database, map[string]any{
		"admission": map[string]any{"address_per_minute": 2}, "proxies": []string{"127.0.0.1"},
	}))
	for n, want := range []int{401, 401, 429} {
		header := http.Header{"X-Forwarded-For": {"198.51.100.9, 203.0.113.1"}}
		got := send(t, http.MethodPost, p.url+[]string{"/play/mcp", "/mcp", "/mcp"}[n], initialize, header)
		if got.Status != want || want == 429 && got.header.Get("Retry-After") == "" {
			t.Errorf("request %d of one address: status %d, want %d", n, got.Status, want)
		}
	}
	if got := send(t, http.MethodPost, p.url+"/mcp", initialize, http.Header{"X-Forwarded-For": {"203.0.113.2"}}); got.Status != 401 {
		t.Errorf("another address: status %d", got.Status)
	}
}

// TestBodies bounds the bytes of a message and the time for it.
//
// clause: P-31, P-32
func TestBodies(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := serve(t, configure(t, s.database, map[string]any{"body_timeout": "300ms"}))
	address := strings.TrimPrefix(p.url, "http://")
	for path, token := range map[string]string{"/play/mcp": s.token, "/mcp": authorToken(t, s, "gm")} {
		for size, want := range map[int]int{307200: http.StatusOK, 307201: http.StatusRequestEntityTooLarge} {
			body := initialize + strings.Repeat(" ", size-len(initialize))
			if got := send(t, http.MethodPost, p.url+path, body, shown(token)); got.Status != want {
				t.Errorf("%s: %d bytes: status %d, want %d", path, size, got.Status, want)
			}
		}
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"+
			"Content-Length: 100\r\n\r\n{", path, address, token)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
		first := make([]byte, len("HTTP/1.1 408"))
		if _, err := conn.Read(first); err != nil || string(first) != "HTTP/1.1 408" {
			t.Errorf("%s: a body that does not come: %q, %v", path, first, err)
		}
	}
}

// TestOutage: while the database is away everything says so, and comes back with
// it.
//
// clause: P-35
func TestOutage(t *testing.T) {
	t.Parallel()
	own := pgtest.Server(t)
	s := newStageAt(t, own.URL)
	author := authorToken(t, s, "gm")
	p := serve(t, configure(t, s.database, map[string]any{
		"admission": map[string]any{"address_per_minute": -1, "token_per_minute": -1},
	}))
	cookie := logIn(t, p, "gm", s.passwords["gm"])
	ask := func() map[string]int {
		return map[string]int{
			"/play/mcp":   send(t, http.MethodPost, p.url+"/play/mcp", initialize, shown(s.token)).Status,
			"/mcp":        send(t, http.MethodPost, p.url+"/mcp", initialize, shown(author)).Status,
			"/api/plays/": send(t, http.MethodGet, p.url+"/api/plays/", "", http.Header{"Cookie": {cookie}}).Status,
			"/plays/":     send(t, http.MethodGet, p.url+"/plays/", "", http.Header{"Cookie": {cookie}}).Status,
			"/readyz":     send(t, http.MethodGet, p.url+"/readyz", "", nil).Status,
		}
	}
	until := func(want int) {
		t.Helper()
		deadline := time.Now().Add(30 * time.Second)
		for {
			statuses, right := ask(), true
			for _, status := range statuses {
				right = right && status == want
			}
			if right {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("%v, want %d", statuses, want)
			}
		}
	}
	until(http.StatusOK)
	own.Stop()
	until(http.StatusServiceUnavailable)
	if got := send(t, http.MethodGet, p.url+"/healthz", "", nil); got.Status != http.StatusOK {
		t.Errorf("/healthz: status %d", got.Status)
	}
	own.Start(t)
	until(http.StatusOK)
}
