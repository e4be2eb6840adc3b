package observe_test

import (
	"bufio"
	"bytes"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/internal/observe"
)

// TestProgramLog lets an upstream send more than its reply, which net/http
// quotes to the standard logger. It changes that logger, so it is not parallel.
//
// clause: E-57
func TestProgramLog(t *testing.T) {
	defer func(flags int) { log.SetFlags(flags); log.SetOutput(os.Stderr) }(log.Flags())
	w := &lines{written: make(chan struct{}, 8)}
	observe.ProgramLog(w).Info("started")
	<-w.written

	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		if _, err := http.ReadRequest(bufio.NewReader(c)); err != nil {
			return // a reply before its request would be the client's error
		}
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nX: S3CRET \"S3CRET\"\r\n\r\n")
		_, _ = io.Copy(io.Discard, c)
		_ = c.Close()
	}()
	client := &http.Client{Transport: new(http.Transport)}
	response, err := client.Get("http://" + l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	select {
	case <-w.written:
	case <-time.After(5 * time.Second):
		t.Fatal("nothing was logged of what came after the reply")
	}
	if got := w.String(); strings.Contains(got, "S3CRET") || !strings.Contains(got, `"level":"WARN"`) ||
		!strings.Contains(got, "Unsolicited response") || strings.Count(got, "{") != 2 {
		t.Errorf("logged %s", got)
	}
}

// lines is a log that says when it is written.
type lines struct {
	mu      sync.Mutex
	data    bytes.Buffer
	written chan struct{}
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer func() { l.written <- struct{}{} }()
	return l.data.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.data.String()
}
