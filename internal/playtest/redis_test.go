package playtest

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/internal/redistest"
)

// TestRedis: two processes share the bounds of a token, initialize among them,
// over both catalogs' server; while it is out nobody is let in, and then again.
//
// clause: P-34, P-35, P-38, P-39
func TestRedis(t *testing.T) {
	t.Parallel()
	const rate = 4
	s, redis := newStage(t), redistest.Start(t)
	author := authorToken(t, s, "gm")
	secret := filepath.Join(t.TempDir(), "redis.url")
	if err := os.WriteFile(secret, []byte(redis.URL+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	members := map[string]any{"redis_file": secret, "admission": map[string]any{"token_per_minute": rate}}
	var processes [2]*process
	for i := range processes {
		processes[i] = serve(t, configure(t, s.database, members))
	}
	for n := range rate + 2 {
		p := processes[n%2]
		got := send(t, http.MethodPost, p.url+"/play/mcp", initialize, shown(s.token))
		after, _ := strconv.Atoi(got.header.Get("Retry-After"))
		switch {
		case n < rate && got.Status != http.StatusOK:
			t.Errorf("request %d: status %d", n, got.Status)
		case n >= rate && (got.Status != http.StatusTooManyRequests || after < 1 || after > 60):
			t.Errorf("request %d: status %d, Retry-After %d", n, got.Status, after)
		}
		if got := send(t, http.MethodGet, p.url+"/readyz", "", nil); got.Status != http.StatusOK {
			t.Errorf("/readyz: status %d", got.Status)
		}
	}
	if got := send(t, http.MethodPost, processes[0].url+"/mcp", initialize, shown(author)); got.Status != http.StatusOK {
		t.Errorf("another token: status %d", got.Status)
	}
	redis.Stop()
	for _, p := range processes {
		got := send(t, http.MethodPost, p.url+"/mcp", initialize, shown(author))
		if got.Status != http.StatusServiceUnavailable || got.header.Get("Retry-After") == "" {
			t.Errorf("without Redis: status %d, %v", got.Status, got.header)
		}
		for deadline := time.Now().Add(10 * time.Second); ; { // it looks once a second
			got := send(t, http.MethodGet, p.url+"/readyz", "", nil)
			if got.Status == http.StatusServiceUnavailable {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("/readyz without Redis: status %d", got.Status)
			}
		}
	}
	redis.Restart(t)
	for _, p := range processes {
		if got := send(t, http.MethodPost, p.url+"/mcp", initialize, shown(author)); got.Status != http.StatusOK {
			t.Errorf("with Redis again: status %d %s", got.Status, got.Body)
		}
	}
}
