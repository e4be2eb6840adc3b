package tool_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/edge/tool"
)

// TestBound reads up to the bound, whichever way a reply is framed or
// compressed.
//
// clause: E-13
func TestBound(t *testing.T) {
	t.Parallel()
	const bound = 10_000
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var n int
		_, _ = fmt.Sscanf(r.URL.Path[strings.LastIndex(r.URL.Path, "/"):], "/%d", &n)
		data := bytes.Repeat([]byte("x"), n)
		switch {
		case strings.HasPrefix(r.URL.Path, "/length/"):
			w.Header().Set("Content-Length", fmt.Sprint(n))
		case strings.HasPrefix(r.URL.Path, "/chunked/"):
			w.(http.Flusher).Flush()
		case strings.HasPrefix(r.URL.Path, "/gzip/"):
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = z.Write(data)
			_ = z.Close()
			return
		}
		_, _ = w.Write(data)
	})
	u := upstream(t, tool.UpstreamConfig{BaseURL: s.URL, Reply: bound})
	for _, framing := range []string{"/length", "/chunked", "/gzip"} {
		for _, n := range []int{0, 1, 4095, 4096, 4097, bound - 1, bound} {
			got, err := do(t.Context(), u, "GET", fmt.Sprintf("%s/%d", framing, n), nil)
			if err != nil || len(got.Body) != n {
				t.Errorf("%s of %d bytes: got %d, %v", framing, n, len(got.Body), err)
			}
		}
		for _, n := range []int{bound + 1, 100 * bound} {
			got, err := do(t.Context(), u, "GET", fmt.Sprintf("%s/%d", framing, n), nil)
			var failed *tool.SendError
			if !errors.Is(err, tool.ErrTooLarge) || !errors.As(err, &failed) || !failed.Sent ||
				got.Status != http.StatusOK || got.Body != nil {
				t.Errorf("%s of %d bytes: got %d, %v, want %v", framing, n, len(got.Body), err, tool.ErrTooLarge)
			}
		}
	}
}

// TestCodedBound has bodies that are not what they take on the wire: one within
// its bound that compression made longer, and one of nothing that has no end.
//
// clause: E-13, E-18
func TestCodedBound(t *testing.T) {
	t.Parallel()
	const bound = 10_000
	noise := make([]byte, bound)
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		switch coded := zipped(string(noise)); r.URL.Path {
		case "/noise":
			w.Header().Set("Content-Length", fmt.Sprint(len(coded)))
			_, _ = io.WriteString(w, coded)
		case "/flushed":
			z := gzip.NewWriter(w)
			for i := range noise {
				if _, _ = z.Write(noise[i : i+1]); i%10 == 0 {
					_ = z.Flush()
				}
			}
			_ = z.Close()
		default:
			for nothing := zipped(""); r.Context().Err() == nil; {
				if _, err := io.WriteString(w, nothing); err != nil {
					return
				}
			}
		}
	})
	u := upstream(t, tool.UpstreamConfig{BaseURL: s.URL, Reply: bound})
	for _, path := range []string{"/noise", "/flushed"} {
		if got, err := do(t.Context(), u, "GET", path, nil); err != nil || !bytes.Equal(got.Body, noise) {
			t.Errorf("%s: got %d bytes, %v", path, len(got.Body), err)
		}
	}
	if got, err := do(t.Context(), u, "GET", "/nothing", nil); !errors.Is(err, tool.ErrTooLarge) {
		t.Errorf("nothing without end: got %d bytes, %v, want %v", len(got.Body), err, tool.ErrTooLarge)
	}
}

// TestCodedNothing has an empty body under a coding, which some servers name
// even then.
//
// clause: E-55
func TestCodedNothing(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(http.StatusCreated)
	})
	got, err := do(t.Context(), upstream(t, tool.UpstreamConfig{BaseURL: s.URL}), "POST", "/x", nil)
	if err != nil || got.Status != http.StatusCreated || len(got.Body) > 0 {
		t.Errorf("got %v, %v, want an empty 201", got, err)
	}
}

// TestBroken replies are errors after the request was sent.
//
// clause: E-17, E-19
func TestBroken(t *testing.T) {
	t.Parallel()
	const ok = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	hint := "HTTP/1.1 103 Early Hints\r\nX: " + strings.Repeat("x", 1000) + "\r\n\r\n"
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	_, _ = io.WriteString(w, `{"a":"b"}`)
	_ = w.Close()
	zipped := z.String()
	half := zipped[:len(zipped)-6]
	for name, reply := range map[string]string{
		"short body":        ok + "Content-Length: 10\r\n\r\n{\"a\":",
		"no body":           ok + "Content-Length: 10\r\n\r\n",
		"short chunk":       ok + "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"a",
		"no last chunk":     ok + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
		"bad chunk":         ok + "Transfer-Encoding: chunked\r\n\r\nxx\r\n{}\r\n0\r\n\r\n",
		"short gzip":        ok + fmt.Sprintf("Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", len(half), half),
		"no gzip":           ok + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
		"another coding":    ok + "Content-Encoding: br\r\nContent-Length: 2\r\n\r\n{}",
		"two lengths":       ok + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
		"short head":        "HTTP/1.1 200 OK\r\nContent-",
		"no HTTP":           "hello\r\n\r\n",
		"nothing":           "",
		"switch":            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
		"endless head":      "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 100<<10) + "\r\nContent-Length: 0\r\n\r\n",
		"endless informing": strings.Repeat(hint, 200) + ok + "\r\n",
	} {
		s := listen(t, nil, func(c *conn) {
			c.request()
			c.reply(reply)
		})
		u := upstream(t, tool.UpstreamConfig{BaseURL: s.url})
		body := `{}`
		got, err := do(t.Context(), u, "POST", "/x", &body)
		var failed *tool.SendError
		if !errors.As(err, &failed) || !failed.Sent || got.Body != nil || s.requests.Load() != 1 {
			t.Errorf("%s: got %v, %v after %d requests, want an error after one", name, got, err, s.requests.Load())
		}
	}
}
