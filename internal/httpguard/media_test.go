package httpguard_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/internal/httpguard"
)

// A body is refused that somebody in front could read in another way.
func TestReadable(t *testing.T) {
	t.Parallel()
	door := httpguard.New(httpguard.Options{Body: 10}, echo())
	const typ, coding = "Content-Type", "Content-Encoding"
	for _, c := range []struct {
		header http.Header
		want   int
	}{
		{http.Header{}, 200},
		{http.Header{typ: {"application/json"}}, 200},
		{http.Header{typ: {"application/json; charset=UTF-8"}}, 200},
		{http.Header{typ: {`application/json;charset="utf-8"`}}, 200},
		{http.Header{typ: {"application/json; charset=us-ascii"}}, 200},
		{http.Header{typ: {"application/json; profile=x"}}, 200},
		{http.Header{coding: {"identity"}}, 200},
		{http.Header{coding: {""}}, 200},
		{http.Header{typ: {"application/json; charset=utf-16"}}, 415},
		{http.Header{typ: {"application/json; charset=utf-7"}}, 415},
		{http.Header{typ: {"application/json; charset=utf-8; charset=utf-16"}}, 415},
		{http.Header{typ: {"application/json", "application/json"}}, 415},
		{http.Header{typ: {"application/json", "text/plain"}}, 415},
		{http.Header{coding: {"gzip"}}, 415},
		{http.Header{coding: {"identity", "gzip"}}, 415},
		{http.Header{coding: {"identity, br"}}, 415},
	} {
		r := httptest.NewRequest("POST", "http://localhost/", strings.NewReader("{}"))
		for name, values := range c.header {
			r.Header[name] = values
		}
		w := httptest.NewRecorder()
		if door.ServeHTTP(w, r); w.Code != c.want {
			t.Errorf("%v: status %d, want %d", c.header, w.Code, c.want)
		}
	}
}

// What comes behind a body in chunks is not taken for a request, whatever path
// the first one asked for and whether its body was read.
func TestCloseAfterChunks(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(httpguard.CloseAfterChunks(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/read" {
			_, _ = io.Copy(io.Discard, r.Body)
		}
		_, _ = io.WriteString(w, "reply")
	})))
	defer server.Close()
	const chunks = "5\r\nhello\r\n0\r\n\r\n"
	for _, c := range []struct {
		head, body string
		want       int
	}{
		{"Content-Length: 5", "hello", 2},
		{"Transfer-Encoding: chunked", chunks, 1},
		{"Transfer-Encoding: chunked\r\nContent-Length: 5", chunks, 1},
		{"Content-Length: 20\r\nTransfer-Encoding: chunked", chunks, 1},
	} {
		for _, path := range []string{"/", "/read"} {
			conn, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			const next = "GET /read HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
			_, _ = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: a\r\n%s\r\n\r\n%s%s", path, c.head, c.body, next)
			all, _ := io.ReadAll(bufio.NewReader(conn))
			_ = conn.Close()
			if n := strings.Count(string(all), "HTTP/1.1 200"); n != c.want {
				t.Errorf("%q to %s: %d replies, want %d:\n%s", c.head, path, n, c.want, all)
			}
		}
	}
}
