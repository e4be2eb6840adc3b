package playtest

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// turnMessage is a turn as a message of the earlier era, by hand.
const turnMessage = `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"commit_play_turn","arguments":{` +
	`"operation_id":"10000000-0000-4000-8000-0000000000%02d","expected_version":1,"player_action":"a","narration":"n",` +
	`"memory_markdown":"m","current_scene":%q,"consequences":[]}}}`

// sendTurn sends the n-th turn of a session at version 1.
func sendTurn(t *testing.T, p *process, s stage, n int, scene string) reply {
	t.Helper()
	header := shown(s.token)
	header["Mcp-Protocol-Version"] = []string{"2025-11-25"}
	return send(t, http.MethodPost, p.url+"/play/mcp", fmt.Sprintf(turnMessage, n, scene), header)
}

// hold keeps everybody from writing to the only session until release.
func hold(t *testing.T, pool *pgxpool.Pool) (scene string, release func()) {
	t.Helper()
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.QueryRow(t.Context(), "SELECT current_scene FROM play.assignment FOR UPDATE").Scan(&scene); err != nil {
		t.Fatal(err)
	}
	return scene, func() {
		t.Helper()
		if err := tx.Rollback(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// awaitLock returns when somebody waits for a lock.
func awaitLock(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	for waiting := 0; waiting == 0; {
		err := pool.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&waiting)
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestDeadline: a turn that takes too long is answered for, with what to do, and
// doing that tells what became of it. A lock that is not had in its time is the
// tool's own answer.
//
// clause: P-26, P-36
func TestDeadline(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	pool := pgtest.Pool(t, s.database)
	impatient := serve(t, configure(t, s.database, map[string]any{"lock_timeout": "100ms"}))
	p := serve(t, configure(t, s.database, map[string]any{"lock_timeout": "15s", "statement_timeout": "15s", "deadline": "1s"}))
	scene, release := hold(t, pool)
	got := sendTurn(t, impatient, s, 1, scene)
	if got.Status != http.StatusOK || !strings.Contains(got.Body, `"isError":true`) || !strings.Contains(got.Body, `"text":"503: `) {
		t.Errorf("without the lock: %d %s", got.Status, got.Body)
	}
	got = sendTurn(t, p, s, 2, scene)
	if got.Status != http.StatusGatewayTimeout || !strings.Contains(got.Body, "outcome") {
		t.Errorf("after the deadline: %d %s", got.Status, got.Body)
	}
	release()
	for { // the one that was given up may be under way still
		got = sendTurn(t, p, s, 2, scene)
		if got.Status == http.StatusOK && !strings.Contains(got.Body, `"isError":true`) {
			break
		}
		if !strings.Contains(got.Body, "503: ") && got.Status != http.StatusTooManyRequests {
			t.Fatalf("the same turn again: %d %s", got.Status, got.Body)
		}
	}
	var events, receipts int
	err := pool.QueryRow(t.Context(), "SELECT (SELECT count(*) FROM play.event), (SELECT count(*) FROM play.receipt)").Scan(&events, &receipts)
	if err != nil || events != 1 || receipts != 1 {
		t.Errorf("%d events, %d receipts, %v; want one of each", events, receipts, err)
	}
}

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
	scene, release := hold(t, pool)
	turned := make(chan reply, 1)
	go func() { turned <- sendTurn(t, p, s, 1, scene) }()
	awaitLock(t, pool)
	for path, token := range map[string]string{"/mcp": author, "/play/mcp": s.token} {
		got := send(t, http.MethodPost, p.url+path, initialize, shown(token))
		if got.Status != http.StatusTooManyRequests || got.header.Get("Retry-After") == "" {
			t.Errorf("%s beside a turn: status %d, Retry-After %q", path, got.Status, got.header.Get("Retry-After"))
		}
	}
	release()
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
