package drain_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/internal/drain"
)

// serve serves a handler on loopback. Stop ends it and returns what Serve did.
func serve(t *testing.T, h http.Handler, o drain.Options) (addr string, stop func() error) {
	t.Helper()
	l, err := drain.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() { result <- drain.Serve(ctx, l, &http.Server{Handler: h}, o) }()
	return l.Addr().String(), func() error { cancel(); return <-result }
}

func TestServeFinishesWhatItBegan(t *testing.T) {
	t.Parallel()
	entered, release := make(chan struct{}), make(chan struct{})
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		entered <- struct{}{}
		<-release
		_, _ = io.WriteString(w, strings.Repeat("whole ", 50_000))
	})
	stopping := make(chan struct{})
	addr, stop := serve(t, h, drain.Options{Patience: time.Minute, Stopping: func() { close(stopping) }})
	idle, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	type reply struct {
		body []byte
		err  error
	}
	replied, stopped := make(chan reply, 1), make(chan error, 1)
	go func() {
		r, err := http.Get("http://" + addr)
		if err != nil {
			replied <- reply{nil, err}
			return
		}
		body, err := io.ReadAll(r.Body)
		_ = r.Body.Close()
		replied <- reply{body, err}
	}()
	<-entered
	go func() { stopped <- stop() }()
	<-stopping
	if _, err := idle.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("a connection without a request: %v, want it closed", err)
	}
	if _, err := net.Dial("tcp", addr); err == nil {
		t.Error("a new connection was accepted")
	}
	close(release)
	if got := <-replied; got.err != nil || len(got.body) != 300_000 {
		t.Errorf("the reply under way: %d bytes, %v", len(got.body), got.err)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

func TestServeLosesPatience(t *testing.T) {
	t.Parallel()
	entered := make(chan struct{})
	h := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(entered)
		<-r.Context().Done()
	})
	addr, stop := serve(t, h, drain.Options{Patience: 10 * time.Millisecond})
	failed := make(chan error, 1)
	go func() {
		_, err := http.Get("http://" + addr)
		failed <- err
	}()
	<-entered
	if err := stop(); !errors.Is(err, drain.ErrImpatient) {
		t.Errorf("it stopped with %v, want %v", err, drain.ErrImpatient)
	}
	if err := <-failed; err == nil {
		t.Error("the request that took too long was answered")
	}
}

// TestServeTellsTheLast reads a reply of a connection that is kept alive, and
// one that comes after the end was asked for.
func TestServeTellsTheLast(t *testing.T) {
	t.Parallel()
	stopping := make(chan struct{})
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.URL.Path) })
	addr, stop := serve(t, h, drain.Options{Patience: time.Minute, Stopping: func() { close(stopping) }})
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	replies := bufio.NewReader(c)
	ask := func(path string) *http.Response {
		_, _ = fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: test\r\n\r\n", path)
		r, err := http.ReadResponse(replies, nil)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if body, err := io.ReadAll(r.Body); err != nil || string(body) != path {
			t.Errorf("%s: %q, %v", path, body, err)
		}
		return r
	}
	if r := ask("/first"); r.Close {
		t.Error("the first reply ended the connection")
	}
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	<-stopping
	// Soon after, a reply says that it is the last; none goes missing.
	for !ask("/more").Close {
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// TestServeLosesNothing stops servers under load. Whoever got an error was not
// heard: its request never reached the handler.
func TestServeLosesNothing(t *testing.T) {
	t.Parallel()
	for n := range 8 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			stopUnderLoad(t)
		})
	}
}

func stopUnderLoad(t *testing.T) {
	var heard sync.Map
	var served atomic.Int64
	loaded := make(chan struct{})
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		heard.Store(r.URL.Path, true)
		if served.Add(1) == 200 {
			close(loaded)
		}
		_, _ = io.WriteString(w, r.URL.Path)
	})
	addr, stop := serve(t, h, drain.Options{Patience: time.Minute})
	var clients sync.WaitGroup
	for n := range 16 {
		clients.Go(func() {
			transport := &http.Transport{DisableKeepAlives: n%2 == 0}
			defer transport.CloseIdleConnections()
			for i := 0; ; i++ {
				path := fmt.Sprintf("/%d/%d", n, i)
				err := post(transport, "http://"+addr, path)
				if err == nil {
					continue
				}
				if _, ok := heard.Load(path); ok {
					t.Errorf("%s was heard and not answered: %v", path, err)
				}
				if transport.DisableKeepAlives && !refused(err) {
					t.Errorf("%s: a connection was made and lost: %v", path, err)
				}
				return
			}
		})
	}
	<-loaded
	if err := stop(); err != nil {
		t.Error(err)
	}
	clients.Wait()
}

// post sends one request, once, and reads the reply, which is the path.
func post(transport *http.Transport, origin, path string) error {
	// Without GetBody the transport does not ask again by itself.
	r, err := http.NewRequest(http.MethodPost, origin+path, io.NopCloser(strings.NewReader("x")))
	if err != nil {
		return err
	}
	reply, err := transport.RoundTrip(r)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(reply.Body)
	_ = reply.Body.Close()
	if err == nil && string(body) != path {
		err = fmt.Errorf("got %q", body)
	}
	return err
}

// refused reports whether a connection was not made at all.
func refused(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial"
}
