package wiretest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/edge"
)

// raw answers with bytes that no HTTP library would send.
func raw(reply string, then func(net.Conn)) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer func() { _ = c.Close() }()
		_, _ = io.WriteString(c, reply)
		if then != nil {
			then(c)
		}
	}
}

// reset ends a connection with a reset in place of an orderly close.
func reset(c net.Conn) { _ = c.(*net.TCPConn).SetLinger(0) }

// linger keeps a connection open until the other side ends it.
func linger(c net.Conn) { _, _ = io.Copy(io.Discard, c) }

// trickle sends one byte a second until the other side ends it.
func trickle(c net.Conn) {
	gone := make(chan struct{})
	go func() { linger(c); close(gone) }()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-gone:
			return
		case <-tick.C:
			_, _ = io.WriteString(c, " ")
		}
	}
}

// flood sends without end until the other side has had enough.
func flood(c net.Conn) {
	for block := bytes.Repeat([]byte("x"), 64<<10); ; {
		if _, err := c.Write(block); err != nil {
			return
		}
	}
}

// bomb is a small reply that becomes a large one.
func bomb() string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, `{"id":"`)
	for block := bytes.Repeat([]byte("x"), 1<<20); b.Len() < 60<<10; {
		_, _ = z.Write(block)
	}
	_ = z.Close()
	return b.String()
}

func coded(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", asJSON)
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = io.WriteString(w, body)
	}
}

const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

// hostile is what upstreams do, and what is told of it: of a read, and of a
// write with a ? for the outcome that is unknown.
var hostile = map[string]struct {
	fault http.HandlerFunc
	told  string
}{
	"a redirect to its own":               {redirect(302), "302 upstream_302"},
	"a redirect that keeps the method":    {redirect(308), "308 upstream_308"},
	"a redirect without an address":       {respond(303, "", ""), "303 upstream_303"},
	"a redirect with a body of 2 MiB":     {respond(301, "text/html", strings.Repeat("x", 2<<20)), "301 upstream_301"},
	"2 MiB":                               {respond(200, asJSON, `{"id":"`+strings.Repeat("x", 2<<20)+`"}`), "200 response_too_large"},
	"2 MiB announced, none sent":          {raw(head+"Content-Length: 2097152\r\n\r\n", linger), "200 response_too_large"},
	"a flood":                             {raw(head+"\r\n", flood), "200 response_too_large"},
	"a flood of headers":                  {raw(head+"X-Flood: ", flood), "0 upstream_lost"},
	"interim replies without end":         {raw("", interim), "0 upstream_lost"},
	"a gzip bomb":                         {coded(bomb()), "200 response_too_large"},
	"gzip that is none":                   {coded(`{"id":"x"}`), "200 invalid_response"},
	"gzip that is cut":                    {coded(bomb()[:20]), "200 invalid_response"},
	"an unknown coding":                   {raw(head+"Content-Encoding: br\r\nContent-Length: 1\r\n\r\nx", nil), "200 invalid_response"},
	"a number for a text":                 {respond(200, asJSON, `{"id":1}`), "200 invalid_response"},
	"a list for an object":                {respond(200, asJSON, `[{"id":"x"}]`), "200 invalid_response"},
	"null":                                {respond(200, asJSON, `null`), "200 invalid_response"},
	"a missing member":                    {respond(200, asJSON, `{}`), "200 invalid_response"},
	"two values":                          {respond(200, asJSON, `{"id":"x"}{"id":"y"}`), "200 invalid_response"},
	"a member twice":                      {respond(200, asJSON, `{"id":1,"id":"x"}`), "200 invalid_response"},
	"deep nesting":                        {respond(200, asJSON, strings.Repeat(`{"id":`, 100000)), "200 invalid_response"},
	"bytes that are no text":              {respond(200, asJSON, "{\"id\":\"\xff\xfe\"}"), "200 invalid_response"},
	"a page":                              {respond(200, "text/html", `<p>{"id":"x"}</p>`), "200 invalid_response"},
	"JSON called text":                    {respond(200, "text/plain", `{"id":"x"}`), "200 invalid_response"},
	"an undeclared success":               {respond(202, asJSON, `{"id":"x"}`), "202 invalid_response"},
	"a body that ends early":              {raw(head+"Content-Length: 10\r\n\r\n{\"id\"", nil), "200 upstream_lost"},
	"a body that is reset":                {raw(head+"Content-Length: 10\r\n\r\n{\"id\"", reset), "200 upstream_lost"},
	"a chunk that ends early":             {raw(head+"Transfer-Encoding: chunked\r\n\r\na\r\n{\"id\"", nil), "200 upstream_lost"},
	"chunks that are none":                {raw(head+"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n", nil), "200 upstream_lost"},
	"two lengths":                         {raw(head+"Content-Length: 10\r\nContent-Length: 2\r\n\r\n{\"id\":\"x\"}", nil), "0 upstream_lost"},
	"a close in the head":                 {raw("HTTP/1.1 200 OK\r\nContent-Ty", nil), "0 upstream_lost"},
	"a close":                             {raw("", nil), "0 upstream_lost"},
	"a reset":                             {raw("", reset), "0 upstream_lost"},
	"no HTTP":                             {raw("220 mail.test ESMTP\r\n", nil), "0 upstream_lost"},
	"another protocol":                    {raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", linger), "101 upstream_lost"},
	"one byte a second":                   {raw(head+"Content-Length: 10\r\n\r\n{", trickle), "200 upstream_timeout"},
	"a head of one byte a second":         {raw("HTTP/1.1 2", trickle), "0 upstream_timeout"},
	"silence":                             {raw("", linger), "0 upstream_timeout"},
	"a header that would be a second one": {raw(head+"Connection: close\r\nX-A: 1\r\n folded\r\nContent-Length: 10\r\n\r\n{\"id\":\"x\"}", nil), `200 {"id":"x"}`},
	"a status that is none":               {raw("HTTP/1.1 999 Odd\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", nil), "999 upstream_999"},
	"a status of zero":                    {raw("HTTP/1.1 000 Odd\r\nContent-Length: 0\r\n\r\n", nil), "0 upstream_lost"},
	"a header without a colon":            {raw("HTTP/1.1 200 OK\r\nOdd\r\n\r\n{}", nil), "0 upstream_lost"},
	"a negative length":                   {raw(head+"Content-Length: -1\r\n\r\n{}", nil), "0 upstream_lost"},
	"no content with content":             {raw("HTTP/1.1 204 Gone\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}", nil), "204"},
	"nothing":                             {respond(200, asJSON, ""), "200"},
	"not modified":                        {respond(304, "", ""), "304 upstream_304"},
	"UTF-16":                              {respond(200, "application/json; charset=utf-16le", "{\x00}\x00"), "200 invalid_response"},
	"a byte order mark":                   {respond(200, asJSON, "\ufeff{\"id\":\"x\"}"), "200 invalid_response"},
	"a second reply after the first":      {raw(head+"Connection: close\r\nContent-Length: 10\r\n\r\n{\"id\":\"x\"}"+head+"Content-Length: 10\r\n\r\n{\"id\":\"y\"}", nil), `200 {"id":"x"}`},
}

// interim sends replies that announce another, until nobody listens.
func interim(c net.Conn) {
	for {
		if _, err := io.WriteString(c, "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"); err != nil {
			return
		}
	}
}

// want is what a client is told: of a write, an error leaves the outcome open.
func want(told string, write bool) string {
	status, rest, _ := strings.Cut(told, " ")
	switch {
	case rest == "", strings.HasPrefix(rest, "{"):
		return told
	case write:
		return "! " + status + " " + rest + " ?"
	default:
		return "! " + status + " " + rest
	}
}

// TestHostile lets upstreams do what they should not, all at the same time, and
// then looks for what is left of it. It is not parallel, because it counts the
// goroutines of the process.
//
// clause: E-13, E-16, E-17, E-18, E-19
func TestHostile(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("all", func(t *testing.T) {
		var servers []*upstream
		var wait sync.WaitGroup
		for name, h := range hostile {
			u := newUpstream(t, h.fault)
			servers = append(servers, u)
			patience := time.Minute
			if strings.HasSuffix(h.told, "upstream_timeout") {
				patience = 1500 * time.Millisecond
			}
			server := newEdge(t, u, edge.Config{
				Upstreams: map[string]edge.Upstream{"wire": {Timeout: edge.Duration(patience)}},
			}, edge.Options{})
			for _, era := range eras {
				session := connect(t, server, era, "a")
				for _, c := range []struct {
					tool, arguments string
					write           bool
				}{
					{"get_thing", getsX, false},
					{"change_thing", `{"path":{"id":"x"},"body":{"title":"t"}}`, true},
				} {
					wait.Go(func() {
						got, err := call(t, session, c.tool, c.arguments)
						if w := want(h.told, c.write); err != nil || got.String() != w {
							t.Errorf("%s, %s, %s: got %s, %v, want %s", name, era, c.tool, got, err, w)
						}
					})
				}
			}
		}
		wait.Wait()
		for _, u := range servers {
			all := strings.Join(u.took(), "\n")
			if reads, writes := strings.Count(all, "GET /"), strings.Count(all, "PATCH /"); reads != len(eras) || writes != len(eras) {
				t.Errorf("%s: %d reads and %d writes arrived of %d each", u.URL, reads, writes, len(eras))
			}
		}
		settle(t, "connections of upstreams", func() (n int) {
			for _, u := range servers {
				n += u.open()
			}
			return n
		}, 0)
	})
	settle(t, "goroutines", runtime.NumGoroutine, before)
}

// settle waits until as few are left as there should be.
func settle(t *testing.T, what string, count func() int, most int) {
	t.Helper()
	deadline := time.After(8 * time.Second)
	for tick := time.Tick(20 * time.Millisecond); count() > most; {
		select {
		case <-tick:
		case <-deadline:
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d %s are left, want at most %d\n%s", count(), what, most, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// TestClientsThatLeave: clients go away, and their calls with them.
func TestClientsThatLeave(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("all", func(t *testing.T) {
		u := newUpstream(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		server := newEdge(t, u, edge.Config{}, edge.Options{})
		for i := range 20 {
			c, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"get_thing","arguments":%s}}`, i, getsX)
			_, _ = fmt.Fprintf(c, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %sa\r\nContent-Type: application/json\r\n"+
				"Accept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s", tokenOf, len(body), body)
			defer func() { _ = c.Close() }()
		}
		arrived := 0
		settle(t, "calls", func() int { arrived += len(u.took()); return 20 - arrived }, 0)
		server.CloseClientConnections()
		settle(t, "connections of the upstream", u.open, 0)
	})
	settle(t, "goroutines", runtime.NumGoroutine, before)
}
