package httpguard_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/internal/httpguard"
)

func echo() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) })
}

func TestHostAndOrigin(t *testing.T) {
	t.Parallel()
	door := httpguard.New(httpguard.Options{
		Hosts: []string{"mcp.example.org"}, Origins: []string{"https://app.example.org"}, Body: 10,
	}, echo())
	for _, c := range []struct {
		host, origin string
		want         int
	}{
		{"127.0.0.1:8080", "", 200},
		{"localhost", "", 200},
		{"[::1]:8080", "", 200},
		{"127.9.9.9:80", "", 200},
		{"mcp.example.org", "", 200},
		{"MCP.example.org:443", "", 200},
		{"evil.example:8080", "", 403},
		{"127.0.0.1.evil.example", "", 403},
		{"", "", 403},
		{"127.0.0.1:8080", "http://127.0.0.1:8080", 200},
		{"mcp.example.org", "https://app.example.org", 200},
		{"127.0.0.1:8080", "http://evil.example", 403},
		{"127.0.0.1:8080", "http://127.0.0.1:9999", 403},
		{"127.0.0.1:8080", "null", 403},
		{"evil.example", "http://evil.example", 403},
	} {
		r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader("x"))
		r.Host = c.host
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		w := httptest.NewRecorder()
		door.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("Host %q, Origin %q: status %d, want %d", c.host, c.origin, w.Code, c.want)
		}
	}
}

// protocols are the versions of HTTP that a door must hold in.
var protocols = map[string]int{"HTTP/1.1": 1, "HTTP/2": 2}

// serve serves a handler in a version of HTTP, which the client checks.
func serve(t *testing.T, major int, h http.Handler) (url string, client *http.Client) {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != major {
			t.Errorf("the request is one of %s", r.Proto)
		}
		h.ServeHTTP(w, r)
	}))
	server.EnableHTTP2 = major == 2
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL, server.Client()
}

func TestBody(t *testing.T) {
	t.Parallel()
	for name, major := range protocols {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, client := serve(t, major, httpguard.New(httpguard.Options{Body: 10}, echo()))
			testBody(t, url, client)
		})
	}
}

func testBody(t *testing.T, url string, client *http.Client) {
	for _, c := range []struct {
		body    string
		chunked bool
		want    int
	}{
		{"0123456789", false, 200},
		{"0123456789", true, 200},
		{"0123456789a", false, 413},
		{"0123456789a", true, 413},
		{"", false, 200},
	} {
		var body io.Reader = strings.NewReader(c.body)
		if c.chunked {
			body = io.MultiReader(body) // hides the length
		}
		reply, err := client.Post(url, "text/plain", body)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := io.ReadAll(reply.Body)
		_ = reply.Body.Close()
		if reply.StatusCode != c.want {
			t.Errorf("%d bytes, chunked %v: status %d, want %d", len(c.body), c.chunked, reply.StatusCode, c.want)
		}
		if c.want == 200 && string(got) != c.body {
			t.Errorf("body %q arrived as %q", c.body, got)
		}
	}
}

func TestSlowBody(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(httpguard.New(httpguard.Options{Body: 10, Arrival: 20 * time.Millisecond}, echo()))
	t.Cleanup(server.Close)
	connection, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }()
	_, _ = io.WriteString(connection, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab")
	reply, _ := io.ReadAll(connection)
	if !strings.HasPrefix(string(reply), "HTTP/1.1 408 ") {
		t.Errorf("a body that stalls: %.40q, want 408", reply)
	}
}

// A body that stalls in a stream of HTTP/2 is answered too, and who calls next is
// served.
func TestSlowBodyOfOneStream(t *testing.T) {
	t.Parallel()
	url, client := serve(t, 2, httpguard.New(httpguard.Options{Body: 10, Arrival: 50 * time.Millisecond}, echo()))
	body, end := io.Pipe()
	defer func() { _ = end.Close() }()
	go func() { _, _ = io.WriteString(end, "ab") }()
	for _, c := range []struct {
		body io.Reader
		want int
	}{{body, http.StatusRequestTimeout}, {strings.NewReader("ab"), http.StatusOK}} {
		reply, err := client.Post(url, "text/plain", c.body)
		if err != nil {
			t.Fatal(err)
		}
		_ = reply.Body.Close()
		if reply.StatusCode != c.want {
			t.Errorf("status %d, want %d", reply.StatusCode, c.want)
		}
	}
}

func TestBodyAgain(t *testing.T) {
	t.Parallel()
	door := httpguard.New(httpguard.Options{Body: 10}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for range 2 {
			again, err := r.GetBody()
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.Copy(w, again)
		}
		_, _ = io.Copy(w, r.Body)
	}))
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("x"))
	r.Host = "localhost"
	w := httptest.NewRecorder()
	door.ServeHTTP(w, r)
	if w.Body.String() != "xxx" {
		t.Errorf("the body is %q, three times", w.Body)
	}
}

// deadlines counts how often a reply's connection is given a time to read.
type deadlines struct {
	http.ResponseWriter
	n int
}

func (d *deadlines) SetReadDeadline(time.Time) error { d.n++; return nil }

// A time to arrive is set and taken back for a body, and not where there is none.
func TestNoBody(t *testing.T) {
	t.Parallel()
	door := httpguard.New(httpguard.Options{Body: 10}, echo())
	for body, want := range map[string]int{"": 0, "x": 2} {
		r := httptest.NewRequest(http.MethodPost, "http://localhost/", strings.NewReader(body))
		if body == "" {
			r.Body = http.NoBody // as net/http does
		}
		w := httptest.NewRecorder()
		d := &deadlines{ResponseWriter: w}
		door.ServeHTTP(d, r)
		if w.Code != http.StatusOK || w.Body.String() != body || d.n != want {
			t.Errorf("body %q: status %d, reply %q, %d deadlines; want %d", body, w.Code, w.Body, d.n, want)
		}
	}
}
