package edge_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pharos-mcp/pharos/edge"
)

// asked counts how often it is asked who somebody is.
type asked struct {
	everyone
	n atomic.Int64
}

func (a *asked) Authenticate(r *http.Request) (*edge.Principal, error) {
	a.n.Add(1)
	return a.everyone.Authenticate(r)
}

// unreadable is a body that nobody should read.
type unreadable struct{ read atomic.Bool }

func (u *unreadable) Read([]byte) (int, error) {
	u.read.Store(true)
	return 0, errors.New("the body is read")
}

// from is a message from an address.
func from(address, path string, body io.Reader) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "http://localhost"+path, body)
	r.RemoteAddr = address
	r.Header = http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {"2025-11-25"}, "Authorization": {"Bearer ada"},
	}
	return r
}

// addressBounds runs a test with a server whose addresses begin at most 3
// requests in a minute, for each mount.
func addressBounds(t *testing.T, proxies []string, test func(t *testing.T, s http.Handler, a *asked, message string)) {
	t.Helper()
	catalog := shop()
	catalog.Bare = true
	config := edge.Config{Admission: edge.Admission{AddressPerMinute: 3}, Proxies: proxies}
	for name, c := range map[string]struct {
		mount   func(o edge.Options) (http.Handler, error)
		message string
	}{
		"MCP": {func(o edge.Options) (http.Handler, error) { return edge.New(config, catalog, o) }, ping},
		"RPC": {func(o edge.Options) (http.Handler, error) { return edge.NewRPC(config, catalog, o, edge.RPC{}) }, `{"method":"nothing"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				a := &asked{}
				s, err := c.mount(edge.Options{Authenticator: a, Exchange: &wire{}})
				if err != nil {
					t.Fatal(err)
				}
				test(t, s, a, c.message)
			})
		})
	}
}

// TestAddressPerMinute comes before anybody is asked who calls and before a
// byte of the body is read. Its Retry-After is exact, and what is refused does
// not count.
//
// clause: E-58, P-34, P-38
func TestAddressPerMinute(t *testing.T) {
	t.Parallel()
	addressBounds(t, nil, func(t *testing.T, s http.Handler, a *asked, message string) {
		send := func(address string) *httptest.ResponseRecorder {
			w := httptest.NewRecorder()
			s.ServeHTTP(w, from(address, "/mcp", strings.NewReader(message)))
			return w
		}
		shut := func(after int) {
			t.Helper()
			body := &unreadable{}
			w := httptest.NewRecorder()
			before := a.n.Load()
			r := from("192.0.2.1:99", "/mcp", body)
			r.Header.Del("Authorization")
			s.ServeHTTP(w, r)
			if w.Code != 429 || w.Header().Get("Retry-After") != fmt.Sprint(after) || w.Header().Get("Connection") != "close" ||
				!strings.Contains(w.Body.String(), "too many requests from this address in a minute") {
				t.Errorf("%d %v %s, want 429 and %d", w.Code, w.Header(), w.Body, after)
			}
			if body.read.Load() || a.n.Load() != before {
				t.Error("the body was read, or somebody asked who it is")
			}
		}
		for i := range 3 {
			if w := send(fmt.Sprintf("192.0.2.1:%d", i)); w.Code == 429 {
				t.Errorf("request %d: %d %s", i+1, w.Code, w.Body)
			}
			time.Sleep(10 * time.Second)
		}
		shut(30)
		if w := send("192.0.2.2:1"); w.Code == 429 {
			t.Errorf("another address: %d", w.Code)
		}
		time.Sleep(29 * time.Second)
		for range 100 {
			shut(1)
		}
		time.Sleep(time.Second)
		if w := send("192.0.2.1:5"); w.Code == 429 {
			t.Errorf("when told: %d %s", w.Code, w.Body)
		}
		shut(10)
	})
}

// TestAddressBehindAProxy is the client's only where the proxy is configured.
//
// clause: P-38
func TestAddressBehindAProxy(t *testing.T) {
	t.Parallel()
	for name, proxies := range map[string][]string{"configured": {"127.0.0.1"}, "not": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			addressBounds(t, proxies, func(t *testing.T, s http.Handler, _ *asked, message string) {
				for i := range 8 {
					r := from("127.0.0.1:1", "/mcp", strings.NewReader(message))
					r.Header.Set("X-Forwarded-For", fmt.Sprintf("198.51.100.%d, 203.0.113.%d", i, i/4))
					w := httptest.NewRecorder()
					s.ServeHTTP(w, r)
					// Two clients behind it send four each, and make up an address each time.
					full := i%4 == 3
					if proxies == nil {
						full = i >= 3 // all are the proxy's
					}
					if (w.Code == 429) != full {
						t.Errorf("request %d: %d %s, want it refused: %t", i+1, w.Code, w.Body, full)
					}
				}
			})
		})
	}
}

// TestAddressElsewhere: what is beside MCP has bounds of its own.
func TestAddressElsewhere(t *testing.T) {
	t.Parallel()
	s, err := edge.New(edge.Config{Admission: edge.Admission{AddressPerMinute: 1}}, shop(), edge.Options{
		Authenticator: everyone{}, Exchange: &wire{}, Beside: http.NotFoundHandler(),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path   string
		status int
	}{{"/mcp", 200}, {"/pages", 404}, {"/pages", 404}, {"/healthz", 405}, {"/healthz", 405}, {"/mcp", 429}, {"/pages", 404}} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, from("192.0.2.1:1", c.path, strings.NewReader(ping)))
		if w.Code != c.status {
			t.Errorf("%s: %d, want %d", c.path, w.Code, c.status)
		}
	}
}

// TestAddressesThatAreTooMany do not shut out others: there is no room to
// remember them, and the bounds behind hold.
func TestAddressesThatAreTooMany(t *testing.T) {
	t.Parallel()
	s, err := edge.New(edge.Config{Admission: edge.Admission{AddressPerMinute: 1}}, shop(), edge.Options{Authenticator: everyone{}, Exchange: &wire{}})
	if err != nil {
		t.Fatal(err)
	}
	send := func(address string) int {
		w := httptest.NewRecorder()
		r := from(address, "/mcp", strings.NewReader(ping))
		r.Header.Del("Authorization")
		s.ServeHTTP(w, r)
		return w.Code
	}
	for i := range 1<<16 + 2 {
		if got := send(fmt.Sprintf("10.%d.%d.%d:1", i>>16, i>>8&255, i&255)); got != 401 {
			t.Fatalf("address %d: %d", i+1, got)
		}
	}
	if got := send("192.0.2.1:1"); got != 401 {
		t.Errorf("one more: %d", got)
	}
	if got := send("10.0.0.0:1"); got != 429 {
		t.Errorf("one that is remembered: %d", got)
	}
}
