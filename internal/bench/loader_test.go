package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTargets calls every operation of every target once, in this process: the
// replies are those of the requests.
func TestTargets(t *testing.T) {
	t.Parallel()
	const secret = "a token of the benchmark"
	dir := t.TempDir()
	token := filepath.Join(dir, "token")
	word := strings.ReplaceAll(secret, " ", "-")
	if err := os.WriteFile(token, []byte(word), 0o600); err != nil {
		t.Fatal(err)
	}
	upstream := served(t, role{Kind: kindUpstream})
	for name, c := range map[string]struct {
		kind   string
		caller caller
	}{
		"direct":        {kindUpstream, caller{}},
		"proxy":         {kindProxy, caller{}},
		"sdk stateful":  {kindStateful, caller{era: withHandshake, session: true}},
		"sdk stateless": {kindStateless, caller{era: withHandshake}},
		"edge 2025":     {kindEdge, caller{era: withHandshake, token: word}},
		"edge 2026":     {kindEdge, caller{era: withoutHandshake, token: word}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := served(t, role{Kind: c.kind, Upstream: "http://" + upstream, Token: token, Log: filepath.Join(dir, "log")})
			exchanges := plain
			if c.caller.era != "" {
				exchanges = c.caller.exchangesAt(address)
			}
			sets, err := exchanges(3)
			if err != nil {
				t.Fatal(err)
			}
			l, err := dial(address, sets)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = l.c.Close() }()
			for i, operation := range operations {
				for range variety {
					if err := l.call(i); err != nil {
						t.Fatalf("%s: %v", operation, err)
					}
				}
			}
		})
	}
}

// served serves a role until the test ends, and returns where.
func served(t *testing.T, o role) (address string) {
	t.Helper()
	serve, address, err := o.server()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("%s: %v", o.Kind, err)
		}
	})
	return address
}

// TestLoadRefuses: a reply that is not a success, or not the request's own, ends
// the measurement.
func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/no":
			w.WriteHeader(http.StatusTooManyRequests)
		case "/stream":
			w.(http.Flusher).Flush()
		}
		_, _ = w.Write([]byte(`{"id":7}`))
	}))
	t.Cleanup(server.Close)
	for _, c := range []struct{ path, begins, holds, want string }{
		{"/", `{"id":7`, "7", ""},
		{"/", `{"id":8`, "7", "is not the reply to"},
		{"/", `{"id":7`, "9", "is not the reply to"},
		{"/no", `{"id":7`, "7", "429 Too Many Requests"},
		{"/stream", `{"id":7`, "7", errNoLength.Error()},
	} {
		x := exchange{[]byte("GET " + c.path + " HTTP/1.1\r\nHost: localhost\r\n\r\n"), []byte(c.begins), []byte(c.holds)}
		l, err := dial(strings.TrimPrefix(server.URL, "http://"), [][]exchange{{x}})
		if err != nil {
			t.Fatal(err)
		}
		calls, err := load([]*loader{l}, 0, time.Millisecond)
		_ = l.c.Close()
		switch {
		case c.want == "" && (err != nil || len(calls) == 0):
			t.Errorf("%s: %d calls, error %v", c.path, len(calls), err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, want %q in it", c.path, err, c.want)
		}
	}
}
