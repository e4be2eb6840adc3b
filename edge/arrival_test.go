package edge_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pharos-mcp/pharos/edge"
)

// only is a listener with one connection.
type only chan net.Conn

func (l only) Accept() (net.Conn, error) {
	c, ok := <-l
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (l only) Close() error { return nil }

func (l only) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// A body has 10 s to arrive, from its first byte to its last. What there is of
// it then may hold the id of its request.
//
// clause: E-13, E-34, P-32
func TestBodyThatStalls(t *testing.T) {
	t.Parallel()
	const whole = `{"jsonrpc":"2.0","id":"a-1","method":"ping"}`
	for name, c := range map[string]struct {
		sent    string // what arrives of the body
		chunked bool
		pause   time.Duration // between its bytes
		status  int
		id      string
	}{
		"before its id":     {whole[:16], false, 0, 408, ""},
		"within its id":     {whole[:24], false, 0, 408, ""},
		"behind its id":     {whole[:31], false, 0, 408, `"id":"a-1",`},
		"with no byte":      {"", false, 0, 408, ""},
		"in a chunk":        {whole[:31], true, 0, 408, `"id":"a-1",`},
		"a byte at a time":  {whole, false, time.Second / 3, 408, `"id":"a-1",`},
		"a byte a second":   {whole, false, time.Second, 408, ""},
		"in a chunk, too":   {whole, true, time.Second, 408, ""},
		"slow, but in time": {whole, false, time.Second / 5, 200, `"id":"a-1",`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s, err := edge.New(edge.Config{}, shop(), edge.Options{Authenticator: byHeader{}, Exchange: &wire{}})
				if err != nil {
					t.Fatal(err)
				}
				ours, theirs := net.Pipe()
				l := make(only, 1)
				l <- theirs
				close(l)
				server := &http.Server{Handler: s}
				_ = server.Serve(l) // the connection goes on
				length := fmt.Sprintf("Content-Length: %d\r\n\r\n", len(whole))
				if c.chunked {
					length = fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n", len(whole))
				}
				began := time.Now()
				sent := make(chan struct{})
				go func() {
					defer close(sent)
					_, _ = io.WriteString(ours, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
						"Accept: application/json, text/event-stream\r\nX-Scopes: shop:read\r\nConnection: close\r\n"+length)
					for i := range len(c.sent) {
						time.Sleep(c.pause)
						_, _ = io.WriteString(ours, c.sent[i:i+1])
					}
				}()
				reply, _ := io.ReadAll(ours)
				took := time.Since(began)
				head, body, _ := bytes.Cut(reply, []byte("\r\n\r\n"))
				if !bytes.HasPrefix(head, fmt.Appendf(nil, "HTTP/1.1 %d ", c.status)) {
					t.Errorf("the reply begins %.40q, want %d", head, c.status)
				}
				if c.id != "" && !bytes.Contains(body, []byte(c.id)) || c.id == "" && bytes.Contains(body, []byte(`"id"`)) {
					t.Errorf("%s should have the id %q", body, c.id)
				}
				if c.status == 408 && (took < 10*time.Second || took > 11*time.Second || !strings.Contains(string(body), `"code":408`)) {
					t.Errorf("after %v: %s", took, body)
				}
				_ = ours.Close()
				<-sent
				_ = server.Close()
			})
		})
	}
}
