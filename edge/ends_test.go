package edge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
)

// Only what is known to end by itself is not watched.
func TestWhatEndsByItself(t *testing.T) {
	t.Parallel()
	api := edge.Config{Upstreams: map[string]edge.Upstream{"shop": {URL: "http://127.0.0.1:1"}}}
	handlers := shop()
	handlers.Documents, handlers.Bare = nil, true
	for i := range handlers.Operations {
		handlers.Operations[i].Document = ""
	}
	inject := func(context.Context, *edge.Principal, *tool.Operation) (map[string]json.RawMessage, error) {
		return nil, nil
	}
	withNothing := func(ctx context.Context, _ *edge.Principal, _ *tool.Operation) context.Context { return ctx }
	for name, c := range map[string]struct {
		config  edge.Config
		catalog tool.Catalog
		options edge.Options
		server  *http.Server
		tool    string
		want    bool
	}{
		"a call of an API":           {api, shop(), edge.Options{}, &http.Server{WriteTimeout: 1}, "get_item", true},
		"replies without a bound":    {api, shop(), edge.Options{}, &http.Server{}, "get_item", false},
		"no server":                  {api, shop(), edge.Options{}, nil, "get_item", false},
		"an exchange of a program's": {edge.Config{}, shop(), edge.Options{Exchange: &wire{}}, &http.Server{WriteTimeout: 1}, "get_item", false},
		"values of a program's":      {api, shop(), edge.Options{Inject: inject}, &http.Server{WriteTimeout: 1}, "get_item", false},
		"a context of a program's":   {api, shop(), edge.Options{Context: withNothing}, &http.Server{WriteTimeout: 1}, "get_item", false},
		"a handler":                  {edge.Config{}, handlers, edge.Options{}, &http.Server{WriteTimeout: 1}, "get_item", false},
		"the SDK":                    {api, shop(), edge.Options{}, &http.Server{WriteTimeout: 1}, "", false},
	} {
		c.options.Authenticator = byHeader{}
		s, err := edge.New(c.config, c.catalog, c.options)
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
		if c.server != nil {
			r = r.WithContext(context.WithValue(r.Context(), http.ServerContextKey, c.server))
		}
		if got := edge.Ends(s, r, c.tool); got != c.want {
			t.Errorf("%s: ends by itself %v, want %v", name, got, c.want)
		}
	}
}

// edgeWith serves an edge in front of an API with a bound for replies.
func edgeWith(t *testing.T, bound time.Duration, config edge.Config, reply http.HandlerFunc) *httptest.Server {
	t.Helper()
	api := httptest.NewServer(reply)
	t.Cleanup(api.Close)
	config.Upstreams = map[string]edge.Upstream{"shop": {URL: api.URL}}
	s, err := edge.New(config, shop(), edge.Options{Authenticator: byHeader{}})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(s)
	server.Config.WriteTimeout = bound
	return server
}

// clause: E-18, E-19
func TestCallOutOfTimeEndsByItself(t *testing.T) {
	t.Parallel()
	config := edge.Config{Timeout: edge.Duration(100 * time.Millisecond)}
	server := edgeWith(t, time.Minute, config, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	server.Start()
	t.Cleanup(server.Close)
	c, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	began := time.Now()
	_, _ = c.Write(request("2025-11-25", "tools/call", `"name":"delete_item","arguments":`+withID))
	_ = c.SetReadDeadline(began.Add(20 * time.Second))
	reply := make([]byte, 4<<10)
	n, err := io.ReadAtLeast(c, reply, 400)
	for _, part := range []string{"HTTP/1.1 200 ", `"id":1`, "upstream_timeout", `"outcome_unknown":true`} {
		if !strings.Contains(string(reply[:n]), part) {
			t.Errorf("%q, %v: does not hold %s", reply[:n], err, part)
		}
	}
}

// Replies that are too small to be given in pieces, and are not read, are given
// up with their connection all the same, and so is their place.
//
// clause: E-58
func TestUnreadReplyIsGivenUp(t *testing.T) {
	t.Parallel()
	item := `{"id":"` + strings.Repeat("x", 100<<10) + `"}`
	config := edge.Config{Admission: edge.Admission{Concurrency: 1}}
	server := edgeWith(t, 300*time.Millisecond, config, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, item)
	})
	closed := make(chan struct{}, 8)
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			closed <- struct{}{}
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	c, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.(*net.TCPConn).SetReadBuffer(4 << 10)
	const calls = 150 // more than the buffers of a connection take
	call := request("2025-11-25", "tools/call", `"name":"get_item","arguments":`+withID)
	_, _ = c.Write(bytes.Repeat(call, calls))
	select {
	case <-closed:
	case <-time.After(20 * time.Second):
		t.Fatal("the connection is still open")
	}
	if n, _ := io.Copy(io.Discard, c); n >= calls*int64(len(item)) {
		t.Errorf("all of %d bytes came", n)
	}
	again, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	_ = again.SetDeadline(time.Now().Add(20 * time.Second))
	_, _ = again.Write(request("2025-11-25", "ping", ""))
	status := make([]byte, len("HTTP/1.1 200"))
	if _, err := io.ReadFull(again, status); err != nil || string(status) != "HTTP/1.1 200" {
		t.Errorf("the next caller gets %q, %v", status, err)
	}
}
