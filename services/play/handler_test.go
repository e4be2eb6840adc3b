package play_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/httpguard"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/play"
	"github.com/pharos-mcp/pharos/services/play/assignment"
)

// get asks a handler, as one that is at 127.0.0.1.
func get(h http.Handler, method, path string, header http.Header) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://127.0.0.1/", nil)
	r.URL.Path, r.Header = path, header
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestHandler: what is not there is not there, however it is written, and MCP is
// not here.
//
// clause: P-02, P-52
func TestHandler(t *testing.T) {
	t.Parallel()
	h := play.New(play.Config{Pool: pgtest.Database(t, "play"), Origin: "http://127.0.0.1"}).Handler()
	for _, c := range []struct {
		method, path string
		want         int
		media        string
	}{
		{"GET", "/healthz", 200, "text/plain; charset=utf-8"},
		{"HEAD", "/readyz", 200, "text/plain; charset=utf-8"},
		{"GET", "/readyz", 200, "text/plain; charset=utf-8"},
		{"POST", "/readyz", 405, "text/plain; charset=utf-8"},
		{"GET", "/login/", 200, "text/html; charset=utf-8"},
		{"GET", "/api/plays/", 401, "application/problem+json"},
		{"GET", "/api/", 404, "application/problem+json"},
		{"GET", "/api", 404, "application/problem+json"},
		{"GET", "/api/plays", 404, "application/problem+json"},
		{"GET", "/api//plays/", 404, "application/problem+json"},
		{"GET", "/api/../login/", 404, "application/problem+json"},
		{"GET", "//login/", 404, "text/html; charset=utf-8"},
		{"GET", "/./login/", 404, "text/html; charset=utf-8"},
		{"GET", "", 404, "text/html; charset=utf-8"},
		{"GET", "*", 404, "text/html; charset=utf-8"},
		{"GET", "/mcp", 404, "text/html; charset=utf-8"},
		{"POST", "/play/mcp", 404, "text/html; charset=utf-8"},
		{"GET", "/.well-known", 404, "text/plain; charset=utf-8"},
		{"GET", "/.well-known/oauth-protected-resource", 404, "text/plain; charset=utf-8"},
		{"GET", "/.well-known/oauth-authorization-server/play/mcp", 404, "text/plain; charset=utf-8"},
		{"GET", "/debug/pprof/", 404, "text/html; charset=utf-8"},
		{"GET", "/metrics", 404, "text/html; charset=utf-8"},
	} {
		got := get(h, c.method, c.path, http.Header{})
		if got.Code != c.want || got.Header().Get("Content-Type") != c.media {
			t.Errorf("%s %s: %d %s, want %d %s", c.method, c.path, got.Code, got.Header().Get("Content-Type"), c.want, c.media)
		}
		if got.Header().Get("X-Request-Id") == "" || got.Header().Get("Location") != "" {
			t.Errorf("%s %s: %v", c.method, c.path, got.Header())
		}
	}
}

// TestHosts: a request addresses this server, or nobody.
func TestHosts(t *testing.T) {
	t.Parallel()
	h := play.New(play.Config{Pool: pgtest.Database(t, "play"), Origin: "https://play.example", Secure: true, Hosts: []string{"play.example"}}).Handler()
	for host, want := range map[string]int{"play.example": 200, "play.example:443": 200, "127.0.0.1:1": 200, "evil.example": 403} {
		r := httptest.NewRequest(http.MethodGet, "/login/", nil)
		r.Host = host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("Host %s: status %d, want %d", host, w.Code, want)
		}
	}
}

// TestLog: an event names a route, and repeats nothing of what was sent.
//
// clause: P-08
func TestLog(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	h := play.New(play.Config{
		Pool: pgtest.Database(t, "play"), Origin: "http://127.0.0.1", Log: slog.New(slog.NewJSONHandler(&log, nil)),
	}).Handler()
	secret := http.Header{
		"Authorization": {"Bearer canary"}, "Cookie": {"pharos_login=canary"}, "X-Canary": {"canary"}, "User-Agent": {"canary"},
		"Referer": {"http://127.0.0.1/canary"}, "X-Request-Id": {"canary"},
	}
	for _, path := range []string{
		"/scenarios/7d0f3f7e-5a0e-4b0c-9f58-3d8f2c1b6a44/versions/1/nodes/canary/", "/wiki/pages/canary/", "/canary", "/api/plays/canary/",
		"/api/canary/", "/.well-known/canary",
	} {
		for _, method := range []string{"GET", "POST", "CANARY"} {
			log.Reset()
			got := get(h, method, path, secret.Clone())
			if lines := strings.Count(log.String(), "\n"); lines != 1 || strings.Contains(strings.ToLower(log.String()), "canary") {
				t.Errorf("%s %s: %d events: %s", method, path, lines, log.String())
			}
			if id := got.Header().Get("X-Request-Id"); !strings.Contains(log.String(), `"id":"`+id+`"`) {
				t.Errorf("%s %s: the event of another request: %s", method, path, log.String())
			}
		}
	}
	if log.Reset(); get(h, "GET", "/plays/7d0f3f7e-5a0e-4b0c-9f58-3d8f2c1b6a44/", http.Header{}).Code != 303 ||
		!strings.Contains(log.String(), `"method":"GET","route":"/plays/{play}/{$}","status":303`) {
		t.Errorf("%s", log.String())
	}
}

// TestBearer reads one token of one header, and nothing else.
//
// clause: P-02, P-30
func TestBearer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	seat := w.assign(t)
	token, _, err := assignment.New(assignment.Config{Pool: w.pool, Now: time.Now}).GenerateToken(t.Context(), w.adam.ID, seat.AssignmentID)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		header []string
		known  bool
	}{
		"a token":                {[]string{"Bearer " + token}, true},
		"in another letter case": {[]string{"bEARER " + token}, true},
		"nothing":                {nil, false},
		"an empty header":        {[]string{""}, false},
		"a scheme alone":         {[]string{"Bearer"}, false},
		"no token":               {[]string{"Bearer "}, false},
		"two spaces":             {[]string{"Bearer  " + token}, false},
		"a space behind":         {[]string{"Bearer " + token + " "}, false},
		"a tab":                  {[]string{"Bearer\t" + token}, false},
		"no scheme":              {[]string{token}, false},
		"another scheme":         {[]string{"Basic " + token}, false},
		"twice":                  {[]string{"Bearer " + token, "Bearer " + token}, false},
		"two in one":             {[]string{"Bearer " + token + ", Bearer " + token}, false},
		"in capitals":            {[]string{"Bearer " + strings.ToUpper(token)}, false},
		"a letter more":          {[]string{"Bearer " + token + "a"}, false},
		"a letter less":          {[]string{"Bearer " + token[:len(token)-1]}, false},
		"too long":               {[]string{"Bearer " + strings.Repeat("a", 257)}, false},
		"U+0000":                 {[]string{"Bearer " + token + "\x00"}, false},
		"no UTF-8":               {[]string{"Bearer \xff\xfe"}, false},
	} {
		r := httptest.NewRequest(http.MethodPost, "/play/mcp", nil)
		r.Header["Authorization"] = c.header
		got, err := w.service.Player(r)
		if c.known != (err == nil) || c.known && got != seat {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if !c.known && (fault.CodeOf(err) != fault.Unauthenticated || err.Error() != "a valid token is needed") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := w.service.Author(r); fault.CodeOf(err) != fault.Unauthenticated || err.Error() != "a valid token is needed" {
			t.Errorf("%s, as an author's: %v", name, err)
		}
	}
}

// TestAddressed: behind proxies of one's own, a login is counted for the client
// that they name, and nobody else is believed.
func TestAddressed(t *testing.T) {
	t.Parallel()
	s := play.New(play.Config{
		Pool: pgtest.Database(t, "play"), Origin: "http://127.0.0.1",
		Proxies: httpguard.Proxies{netip.MustParsePrefix("192.0.2.0/24")},
	})
	seen := ""
	h := play.Addressed(s, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.RemoteAddr }))
	for _, c := range []struct{ peer, forwarded, want string }{
		{"192.0.2.1:5", "203.0.113.7", "203.0.113.7:0"},
		{"192.0.2.1:5", "198.51.100.1, 203.0.113.7", "203.0.113.7:0"},
		{"192.0.2.1:5", "2001:db8::1", "[2001:db8::1]:0"},
		{"192.0.2.1:5", "", "192.0.2.1:0"},
		{"203.0.113.9:5", "198.51.100.1", "203.0.113.9:0"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", io.NopCloser(strings.NewReader("")))
		r.RemoteAddr = c.peer
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		h.ServeHTTP(httptest.NewRecorder(), r)
		if diff := cmp.Diff(c.want, seen); diff != "" {
			t.Errorf("%s for %s: %s", c.peer, c.forwarded, diff)
		}
	}
}
