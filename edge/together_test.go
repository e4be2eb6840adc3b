package edge_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/edge"
)

// pair serves two servers behind one handler, at /a and /b. Stop ends them and
// gives what that came to.
func pair(t *testing.T, c edge.Config) (url string, stop func() error) {
	t.Helper()
	mux := http.NewServeMux()
	var servers []*edge.Server
	for _, path := range []string{"/a", "/b"} {
		c.Path = path
		c.Upstreams = map[string]edge.Upstream{"shop": {URL: "http://no-such-host.invalid"}}
		s, err := edge.New(c, shop(), edge.Options{Authenticator: byHeader{}})
		if err != nil {
			t.Fatal(err)
		}
		mux.Handle(path, s)
		servers = append(servers, s)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- edge.ServeTogether(ctx, l, mux, servers...) }()
	return "http://" + l.Addr().String(), func() error {
		cancel()
		select {
		case err := <-ended:
			return err
		case <-time.After(15 * time.Second):
			return fmt.Errorf("they serve on")
		}
	}
}

// TestServeTogether: the streams of every server end when all of them stop.
func TestServeTogether(t *testing.T) {
	t.Parallel()
	url, stop := pair(t, edge.Config{})
	var streams []*http.Response
	for _, path := range []string{"/a", "/b"} {
		r, err := http.NewRequest(http.MethodPost, url+path, strings.NewReader(fmt.Sprintf(listen, "s")))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{
			"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "X-Scopes": {"shop:read"},
			"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"subscriptions/listen"},
		}
		stream, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = stream.Body.Close() }()
		if stream.StatusCode != http.StatusOK {
			body, _ := io.ReadAll(stream.Body)
			t.Fatalf("%s: status %d: %s", path, stream.StatusCode, body)
		}
		streams = append(streams, stream)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	for _, stream := range streams {
		if _, err := io.ReadAll(stream.Body); err != nil {
			t.Errorf("%s is cut: %v", stream.Request.URL.Path, err)
		}
	}
}

// TestArrival bounds the time for a body by configuration.
func TestArrival(t *testing.T) {
	t.Parallel()
	url, stop := pair(t, edge.Config{Arrival: edge.Duration(200 * time.Millisecond)})
	body, never := io.Pipe()
	defer never.Close()
	reply, err := http.Post(url+"/a", "application/json", body)
	if err != nil {
		t.Fatal(err)
	}
	_ = reply.Body.Close()
	if reply.StatusCode != http.StatusRequestTimeout {
		t.Errorf("status %d, want 408", reply.StatusCode)
	}
	_ = never.Close()
	if err := stop(); err != nil {
		t.Error(err)
	}
}
