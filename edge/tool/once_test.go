package tool_test

import (
	"bufio"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/edge/tool"
)

// server is a raw server that counts the requests that arrive.
type server struct {
	url      string
	address  string
	requests atomic.Int32
	conns    sync.WaitGroup
	mu       sync.Mutex
	open     []net.Conn
}

// settle waits until what was sent has arrived: it lets every connection, up to
// one that is made now, read for a moment longer and waits for its end.
func (s *server) settle(t *testing.T) {
	t.Helper()
	last, err := net.Dial("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	_ = last.(*net.TCPConn).CloseWrite()
	_, _ = io.Copy(io.Discard, last)
	_ = last.Close()
	s.mu.Lock()
	for _, c := range s.open {
		_ = c.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
	}
	s.mu.Unlock()
	s.conns.Wait()
}

// conn is one of its connections.
type conn struct {
	net.Conn
	in     *bufio.Reader
	server *server
	nth    int32 // of this server, from 1
}

// listen serves every connection with f, which closes it by returning.
func listen(t *testing.T, secure *tls.Config, f func(*conn)) *server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	s := &server{url: "http://" + l.Addr().String(), address: l.Addr().String()}
	if secure != nil {
		s.url = "https://" + s.address
	}
	go func() {
		for n := int32(1); ; n++ {
			c, err := l.Accept()
			if err != nil {
				return
			}
			if secure != nil {
				c = tls.Server(c, secure)
			}
			s.mu.Lock()
			s.open = append(s.open, c)
			s.mu.Unlock()
			s.conns.Go(func() {
				defer func() { _ = c.Close() }()
				f(&conn{Conn: c, in: bufio.NewReader(c), server: s, nth: n})
			})
		}
	}()
	return s
}

// request reads a whole HTTP/1 request and reports whether there was one.
func (c *conn) request() bool {
	r, err := http.ReadRequest(c.in)
	if err != nil {
		return false
	}
	c.server.requests.Add(1)
	_, err = io.Copy(io.Discard, r.Body)
	return err == nil
}

func (c *conn) reply(text string) { _, _ = io.WriteString(c, text) }

// reset makes Close a reset.
func (c *conn) reset() {
	inner := c.Conn
	if t, ok := inner.(*tls.Conn); ok {
		inner = t.NetConn()
	}
	_ = inner.(*net.TCPConn).SetLinger(0)
	_ = inner.Close()
}

const fine = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

// faults are what a server does with the second request of a connection that
// has served one.
var faults = map[string]func(*conn){
	"closes after reading": func(c *conn) { c.request() },
	"resets after reading": func(c *conn) { c.request(); c.reset() },
	"closes in the head":   func(c *conn) { c.request(); c.reply("HTTP/1.1 200 OK\r\nCont") },
	"resets while reading": func(c *conn) { _, _ = c.in.Peek(1); c.server.requests.Add(1); c.reset() },
}

var calls = []struct {
	method string
	body   bool
}{{"GET", false}, {"DELETE", false}, {"DELETE", true}, {"POST", true}, {"POST", false}, {"PUT", true}, {"PUT", false},
	{"HEAD", false}, {"OPTIONS", false}}

// certificate is a pair of configurations for TLS that know each other.
func certificate(t *testing.T, protocols ...string) (server, client *tls.Config) {
	t.Helper()
	s := httptest.NewTLSServer(nil)
	t.Cleanup(s.Close)
	client = s.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	client.NextProtos = nil
	return &tls.Config{Certificates: s.TLS.Certificates, NextProtos: protocols}, client
}

// TestOnceHTTP1 lets a server drop a request on a connection that worked
// before, which net/http takes for a reason to send it again (fault I42).
//
// clause: E-18, E-19
func TestOnceHTTP1(t *testing.T) {
	t.Parallel()
	secure, client := certificate(t, "http/1.1")
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, config := range []*tls.Config{nil, secure} {
				once(t, client, func() *server {
					return listen(t, config, func(c *conn) {
						if c.nth > 1 {
							for c.request() { // a repetition would succeed here
								c.reply(fine)
							}
							return
						}
						c.request()
						c.reply(fine)
						fault(c)
					})
				})
			}
		})
	}
}

// once makes, for every kind of call, one that works and one that does not, and
// counts both.
func once(t *testing.T, client *tls.Config, start func() *server) {
	t.Helper()
	text := `{"a":1}`
	for _, call := range calls {
		s := start()
		u := upstream(t, tool.UpstreamConfig{BaseURL: s.url, TLS: client})
		var body *string
		if call.body {
			body = &text
		}
		if _, err := do(t.Context(), u, call.method, "/first", body); err != nil {
			t.Errorf("%s with body %v: the first call: %v", call.method, call.body, err)
			continue
		}
		_, err := do(t.Context(), u, call.method, "/second", body)
		s.settle(t)
		var failed *tool.SendError
		if n := s.requests.Load(); n != 2 || !errors.As(err, &failed) || !failed.Sent {
			t.Errorf("%s with body %v over %.5s: %d requests, error %v, want 2 and one that was sent",
				call.method, call.body, s.url, n, err)
		}
	}
}

// TestTrap shows that the server of TestOnceHTTP1 does make net/http repeat a
// request: otherwise that test would prove nothing.
func TestTrap(t *testing.T) {
	t.Parallel()
	s := listen(t, nil, func(c *conn) {
		c.request()
		c.reply(fine)
		if c.nth == 1 {
			c.request()
		}
	})
	client := &http.Client{Transport: new(http.Transport)}
	for range 2 {
		response, err := client.Get(s.url)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
	}
	if n := s.requests.Load(); n != 3 {
		t.Errorf("net/http sent %d requests for two calls; the trap does not work", n)
	}
}

// Frames of HTTP/2 (RFC 9113, section 6).
const (
	frameHeaders  = 0x1
	frameReset    = 0x3
	frameSettings = 0x4
	framePing     = 0x6
	frameGoAway   = 0x7
)

func (c *conn) frame(kind, flags byte, stream uint32, payload ...byte) {
	head := []byte{0, byte(len(payload) >> 8), byte(len(payload)), kind, flags}
	head = binary.BigEndian.AppendUint32(head, stream)
	_, _ = c.Write(append(head, payload...))
}

// http2 reads requests and answers each with f, by its number on the connection.
func (c *conn) http2(f func(n int, stream uint32) bool) {
	if _, err := c.in.Discard(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")); err != nil {
		return
	}
	c.frame(frameSettings, 0, 0)
	for n := 0; ; {
		var head [9]byte
		if _, err := io.ReadFull(c.in, head[:]); err != nil {
			return
		}
		size := int(head[0])<<16 | int(head[1])<<8 | int(head[2])
		kind, flags, stream := head[3], head[4], binary.BigEndian.Uint32(head[5:])
		payload := make([]byte, size)
		if _, err := io.ReadFull(c.in, payload); err != nil {
			return
		}
		switch {
		case kind == frameSettings && flags&1 == 0:
			c.frame(frameSettings, 1, 0)
		case kind == framePing && flags&1 == 0:
			c.frame(framePing, 1, 0, payload...)
		case kind == frameHeaders:
			n++
			c.server.requests.Add(1)
			if !f(n, stream) {
				return
			}
		}
	}
}

// answer is a reply of status 200 without a body.
func (c *conn) answer(stream uint32) { c.frame(frameHeaders, 0x5, stream, 0x88) }

// goAway ends the connection as if it had not seen any stream after last.
func (c *conn) goAway(last, code byte) { c.frame(frameGoAway, 0, 0, 0, 0, 0, last, 0, 0, 0, code) }

// TestOnceHTTP2 does the same with the ways HTTP/2 has to drop a request. Those
// that promise that it was not looked at count as well: the upstream has
// received it.
//
// clause: E-18, E-19
func TestOnceHTTP2(t *testing.T) {
	t.Parallel()
	secure, client := certificate(t, "h2")
	reset := func(code byte) func(*conn, uint32) bool {
		return func(c *conn, stream uint32) bool { c.frame(frameReset, 0, stream, 0, 0, 0, code); return true }
	}
	faults := map[string]func(c *conn, stream uint32) bool{
		"refuses the stream":    reset(7),
		"protocol error":        reset(1),
		"internal error":        reset(2),
		"asks for HTTP/1.1":     reset(13),
		"goes away after one":   func(c *conn, _ uint32) bool { c.goAway(1, 0); return true },
		"goes away and closes":  func(c *conn, _ uint32) bool { c.goAway(1, 0); return false },
		"goes away with error":  func(c *conn, _ uint32) bool { c.goAway(1, 2); return false },
		"closes the connection": func(*conn, uint32) bool { return false },
		"resets the connection": func(c *conn, _ uint32) bool { c.reset(); return false },
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			once(t, client, func() *server {
				return listen(t, secure, func(c *conn) {
					c.http2(func(n int, stream uint32) bool {
						if c.nth == 1 && n == 2 {
							return fault(c, stream)
						}
						c.answer(stream)
						return true
					})
				})
			})
		})
	}
}

// TestHTTP2 speaks it with a server that does.
func TestHTTP2(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, r.Proto+" "+r.Method+" ")
		_, _ = io.Copy(w, r.Body)
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	u := upstream(t, tool.UpstreamConfig{
		BaseURL: s.URL, TLS: s.Client().Transport.(*http.Transport).TLSClientConfig,
	})
	body := `"x"`
	got, err := do(t.Context(), u, "POST", "/x", &body)
	if err != nil || !strings.HasPrefix(string(got.Body), `HTTP/2.0 POST "x"`) {
		t.Errorf("got %q, %v", got.Body, err)
	}
}
