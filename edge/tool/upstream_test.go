package tool_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/tool"
)

// upstream is an Exchange for document "d" at a base URL.
func upstream(t testing.TB, c tool.UpstreamConfig) *tool.Upstream {
	t.Helper()
	u, err := tool.NewUpstream(map[string]tool.UpstreamConfig{"d": c})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(u.Close)
	return u
}

var operation = &tool.Operation{Tool: "op", Document: "d"}

// do sends a request for a path below the base; body may be nil.
func do(ctx context.Context, u *tool.Upstream, method, path string, body *string) (tool.Result, error) {
	r := tool.NewRequest(method, u.Base("d"), path, "")
	if body != nil {
		var b tool.Body[string]
		if err := b.UnmarshalJSON([]byte(*body)); err != nil {
			return tool.Result{}, err
		}
		r.Body(b.JSON("application/json"))
	}
	r.Header("Idempotency-Key", tool.Simple, "k")
	request, err := r.Build()
	if err != nil {
		return tool.Result{}, err
	}
	return u.Send(ctx, operation, request)
}

// serve starts a server for the test.
func serve(t testing.TB, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func TestUpstreamConfig(t *testing.T) {
	t.Parallel()
	for baseURL, want := range map[string]string{
		"http://h":               "http://h",
		"https://h:8443/api/":    "https://h:8443/api",
		"http://[::1]:1/a%20b//": "http://[::1]:1/a%20b",
		"":                       "",
		"h/api":                  "",
		"ftp://h":                "",
		"http://":                "",
		"http://:80":             "",
		"http://user:secret@h":   "",
		"http://h?x=1":           "",
		"http://h#x":             "",
		"http://h/a/../b":        "",
		"http://h/%2e%2e":        "",
		"http://h:port":          "",
		"http:h":                 "",
	} {
		u, err := tool.NewUpstream(map[string]tool.UpstreamConfig{"d": {BaseURL: baseURL}})
		switch {
		case want == "" && err == nil:
			t.Errorf("%s is accepted", baseURL)
		case want != "" && (err != nil || u.Base("d") != want || u.Base("e") != ""):
			t.Errorf("%s: got %v, %v, want %s", baseURL, u, err, want)
		case err != nil && strings.Contains(err.Error(), "secret"):
			t.Errorf("the error tells the credential: %v", err)
		}
	}
	_, err := tool.NewUpstream(map[string]tool.UpstreamConfig{
		"b": {BaseURL: "x"}, "a": {BaseURL: "http://h", Timeout: -1}, "c": {BaseURL: "http://h", Reply: -1},
	})
	want := "upstream a: timeout and reply bound must not be negative\n" +
		"upstream b: base URL must start with http:// or https://\n" +
		"upstream c: timeout and reply bound must not be negative"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestReplies reads what servers answer (fault I38 among it).
//
// clause: E-13, E-18, E-55
func TestReplies(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/json":
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"a":1}`)
		case "/gone":
			w.WriteHeader(http.StatusNoContent)
		case "/empty":
			w.Header().Set("Content-Type", "text/plain")
		case "/busy":
			w.Header().Set("Retry-After", "7")
			w.Header().Set("Content-Type", "text/plain")
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, "later")
		case "/stream":
			w.Header().Set("Content-Type", "text/plain")
			for range 100 {
				_, _ = io.WriteString(w, strings.Repeat("x", 100))
				w.(http.Flusher).Flush()
			}
		}
	})
	u := upstream(t, tool.UpstreamConfig{BaseURL: s.URL})
	for _, tt := range []struct {
		method, path string
		want         tool.Result
	}{
		{"GET", "/json", tool.Result{Status: 200, MediaType: "application/json", Body: []byte(`{"a":1}`)}},
		{"HEAD", "/json", tool.Result{Status: 200, MediaType: "application/json"}},
		{"DELETE", "/gone", tool.Result{Status: 204}},
		{"GET", "/empty", tool.Result{Status: 200, MediaType: "text/plain", Body: []byte{}}},
		{"GET", "/busy", tool.Result{Status: 503, MediaType: "text/plain", Body: []byte("later"), RetryAfter: "7"}},
		{"GET", "/stream", tool.Result{Status: 200, MediaType: "text/plain", Body: []byte(strings.Repeat("x", 10000))}},
	} {
		got, err := do(t.Context(), u, tt.method, tt.path, nil)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s %s: %v (-want +got):\n%s", tt.method, tt.path, err, diff)
		}
	}
}

// TestRedirects are replies, not instructions: nothing else is asked, and what
// one reply sets is not in the next request (fault I41).
//
// clause: E-18, E-54, E-56
func TestRedirects(t *testing.T) {
	t.Parallel()
	var hits atomic.Int32
	other := serve(t, func(http.ResponseWriter, *http.Request) { hits.Add(1) })
	var requests atomic.Int32
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if r.Header.Get("Cookie") != "" || r.Header.Get("Referer") != "" {
			t.Errorf("request has headers of the one before: %v", r.Header)
		}
		code := 0
		_, _ = fmt.Sscanf(r.URL.Path, "/%d", &code)
		w.Header().Set("Location", other.URL+"/secret")
		w.Header().Set("Set-Cookie", "session=1; Path=/")
		w.WriteHeader(code)
	})
	u := upstream(t, tool.UpstreamConfig{BaseURL: s.URL})
	body := `{"a":1}`
	n := int32(0)
	for _, code := range []int{301, 302, 303, 307, 308} {
		for _, method := range []string{"GET", "POST", "DELETE"} {
			n++
			got, err := do(t.Context(), u, method, fmt.Sprintf("/%d", code), &body)
			if err != nil || got.Status != code {
				t.Errorf("%s %d: got %v, %v", method, code, got, err)
			}
		}
	}
	if hits.Load() != 0 || requests.Load() != n {
		t.Errorf("%d requests and %d followed, want %d and none", requests.Load(), hits.Load(), n)
	}
}

// TestOneAttempt takes no status for an invitation to try again (fault I42).
//
// clause: E-18
func TestOneAttempt(t *testing.T) {
	t.Parallel()
	var requests atomic.Int32
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		code := 0
		_, _ = fmt.Sscanf(r.URL.Path, "/%d", &code)
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(code)
	})
	u := upstream(t, tool.UpstreamConfig{BaseURL: s.URL})
	body := `{}`
	n := int32(0)
	for _, code := range []int{401, 408, 421, 425, 429, 500, 502, 503, 504} {
		for _, method := range []string{"GET", "PUT", "POST"} {
			n++
			if got, err := do(t.Context(), u, method, fmt.Sprintf("/%d", code), &body); err != nil || got.Status != code {
				t.Errorf("%s %d: got %v, %v", method, code, got, err)
			}
		}
	}
	if requests.Load() != n {
		t.Errorf("%d requests for %d calls", requests.Load(), n)
	}
}

// TestOrigin sends nothing beside the configured base.
//
// clause: E-54, E-56
func TestOrigin(t *testing.T) {
	t.Parallel()
	var hits, applied atomic.Int32
	s := serve(t, func(http.ResponseWriter, *http.Request) { hits.Add(1) })
	move := func(*http.Request) {}
	apply := func(_ context.Context, r *http.Request, _ *tool.Operation) error {
		applied.Add(1)
		move(r)
		return nil
	}
	u := upstream(t, tool.UpstreamConfig{BaseURL: s.URL + "/api", Apply: apply})
	host := strings.TrimPrefix(s.URL, "http://")
	for _, target := range []string{
		"https://" + host + "/api/x", "http://evil.test/api/x", s.URL, s.URL + "/", s.URL + "/apix", s.URL + "/API/x",
		s.URL + "/api/../x", s.URL + "/api/%2e%2e/x", s.URL + "/api/./x", "http://u:p@" + host + "/api/x",
		s.URL + ".evil.test/api/x", "//" + host + "/api/x", "/api/x",
	} {
		request, err := http.NewRequest(http.MethodGet, target, nil)
		if err != nil {
			continue // not even a URL
		}
		var failed *tool.SendError
		if _, err := u.Send(t.Context(), operation, request); !errors.Is(err, tool.ErrOrigin) ||
			!errors.As(err, &failed) || failed.Sent {
			t.Errorf("%s: got %v, want %v", target, err, tool.ErrOrigin)
		}
	}
	request, _ := http.NewRequest(http.MethodGet, s.URL+"/api/x", nil)
	request.Host = "evil.test"
	if _, err := u.Send(t.Context(), operation, request); !errors.Is(err, tool.ErrOrigin) {
		t.Errorf("another Host: got %v, want %v", err, tool.ErrOrigin)
	}
	if applied.Load() != 0 {
		t.Error("a credential was put on a request that leaves its base")
	}
	for _, move = range []func(*http.Request){
		func(r *http.Request) { r.URL.Host = "evil.test" },
		func(r *http.Request) { r.Host = "evil.test" },
		func(r *http.Request) { r.URL.Path, r.URL.RawPath = "/admin", "" },
		func(r *http.Request) { r.URL.Opaque = "//evil.test/api/x" },
	} {
		if _, err := do(t.Context(), u, "GET", "/x", nil); !errors.Is(err, tool.ErrOrigin) {
			t.Errorf("moved by Apply: got %v, want %v", err, tool.ErrOrigin)
		}
	}
	move = func(*http.Request) {}
	if hits.Load() != 0 {
		t.Errorf("%d requests were sent", hits.Load())
	}
	if _, err := do(t.Context(), u, "GET", "", nil); err != nil || hits.Load() != 1 {
		t.Errorf("the base itself: %v, %d hits", err, hits.Load())
	}
	if _, err := u.Send(t.Context(), &tool.Operation{Document: "other"}, request); err == nil {
		t.Error("a document without an upstream is sent somewhere")
	}
}

// clause: E-56
func TestApply(t *testing.T) {
	t.Parallel()
	seen := make(chan *http.Request, 1)
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) { seen <- r })
	denied := errors.New("no credential")
	fail := false
	apply := func(ctx context.Context, r *http.Request, op *tool.Operation) error {
		if fail {
			return denied
		}
		if _, ok := ctx.Deadline(); !ok || op != operation {
			t.Errorf("context without a deadline, or operation %v", op)
		}
		r.Header.Set("Authorization", "Bearer secret")
		r.URL.RawQuery = "key=secret"
		return nil
	}
	u := upstream(t, tool.UpstreamConfig{BaseURL: s.URL, Apply: apply})
	if _, err := do(t.Context(), u, "GET", "/x", nil); err != nil {
		t.Fatal(err)
	}
	r := <-seen
	got := []string{r.Header.Get("Authorization"), r.URL.RawQuery, r.UserAgent(), r.Header.Get("Accept-Encoding")}
	if diff := cmp.Diff([]string{"Bearer secret", "key=secret", "pharos", ""}, got); diff != "" {
		t.Error(diff)
	}
	fail = true
	var failed *tool.SendError
	if _, err := do(t.Context(), u, "GET", "/x", nil); !errors.Is(err, denied) || !errors.As(err, &failed) || failed.Sent {
		t.Errorf("got %v, want %v unsent", err, denied)
	}
	if len(seen) != 0 {
		t.Error("sent without its credential")
	}
}

// TestSent tells a call that never left from one that may have arrived.
//
// clause: E-18, E-19
func TestSent(t *testing.T) {
	t.Parallel()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close()
	release := make(chan struct{})
	s := serve(t, func(http.ResponseWriter, *http.Request) { <-release })
	t.Cleanup(func() { close(release) })
	secure := httptest.NewTLSServer(nil)
	secure.Config.ErrorLog = nil
	t.Cleanup(secure.Close)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, tt := range map[string]struct {
		ctx     context.Context
		baseURL string
		sent    bool
	}{
		"refused dial":          {t.Context(), "http://" + closed.Addr().String(), false},
		"unknown certificate":   {t.Context(), secure.URL, false},
		"cancelled before":      {cancelled, s.URL, false},
		"no answer":             {t.Context(), s.URL, true},
		"TLS to a plain server": {t.Context(), strings.Replace(s.URL, "http:", "https:", 1), false},
	} {
		u := upstream(t, tool.UpstreamConfig{BaseURL: tt.baseURL, Timeout: 200 * time.Millisecond})
		body := `{}`
		_, err := do(tt.ctx, u, "POST", "/x", &body)
		var failed *tool.SendError
		if !errors.As(err, &failed) || failed.Sent != tt.sent {
			t.Errorf("%s: got %v, want sent %v", name, err, tt.sent)
		}
	}
}

// TestConcurrent keeps the calls of many callers apart and reuses their
// connections.
//
// clause: E-56
func TestConcurrent(t *testing.T) {
	t.Parallel()
	var conns atomic.Int32
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, r.Body)
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			conns.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	u := upstream(t, tool.UpstreamConfig{BaseURL: s.URL})
	const callers, rounds = 32, 20
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			for n := range rounds {
				body := fmt.Sprintf(`{"caller":%d,"round":%d}`, i, n)
				got, err := do(t.Context(), u, "POST", "/x", &body)
				if err != nil || string(got.Body) != body {
					t.Errorf("sent %s, got %s, %v", body, got.Body, err)
				}
			}
		})
	}
	wg.Wait()
	if n := conns.Load(); n > 2*callers {
		t.Errorf("%d connections for %d callers", n, callers)
	}
}
