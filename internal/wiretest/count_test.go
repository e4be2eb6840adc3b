package wiretest

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
)

// counter is an upstream that counts how often each id arrives, and does to it
// what the id says.
type counter struct {
	*httptest.Server
	mu       sync.Mutex
	arrivals map[string]int
}

// fates are what becomes of requests, by what their ids hash to.
var fates = []string{"fine", "fine", "fine", "503", "slow", "close", "reset", "refused"}

// fateOf chooses a fate. Where calls share a connection, few may end it, or no
// other fate would be seen.
func fateOf(id string, shared bool) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	n := h.Sum32() >> 8
	fate := fates[n%8]
	if shared && (fate == "close" || fate == "reset") && n/8%32 > 0 {
		return "refused"
	}
	return fate
}

type connKey struct{}

func newCounter(t *testing.T, secure bool) *counter {
	t.Helper()
	c := &counter{arrivals: map[string]int{}}
	c.Server = httptest.NewUnstartedServer(c)
	c.Config.ErrorLog = quiet
	c.Config.ConnContext = func(ctx context.Context, conn net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, conn)
	}
	if secure {
		c.EnableHTTP2 = true
		c.StartTLS()
	} else {
		c.Start()
	}
	t.Cleanup(c.Close)
	return c
}

// ServeHTTP counts a request before anything else happens to it.
func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id, status := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:], http.StatusOK
	if r.Method == http.MethodPost {
		var body struct {
			Title string `json:"title"`
		}
		_ = json.NewDecoder(r.Body).Decode(&body)
		id, status = body.Title, http.StatusCreated
	}
	c.mu.Lock()
	c.arrivals[id]++
	c.mu.Unlock()
	conn, _ := r.Context().Value(connKey{}).(net.Conn)
	switch fateOf(id, r.ProtoMajor == 2) {
	case "503":
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(http.StatusServiceUnavailable)
	case "slow":
		select {
		case <-time.After(100 * time.Millisecond):
		case <-r.Context().Done():
		}
		answer(w, status, thing(id, nil))
	case "close":
		_ = conn.Close()
	case "reset":
		if tcp, ok := conn.(*net.TCPConn); ok {
			reset(tcp)
		}
		_ = conn.Close()
	case "refused":
		panic(http.ErrAbortHandler) // HTTP/2 resets the stream
	default:
		answer(w, status, thing(id, nil))
	}
}

// TestCount makes a few hundred calls at a time, each with an id of its own, and
// compares what each client was told with how often its id arrived. Over HTTP/2
// calls share a connection, and what ends it ends all of them.
//
// clause: E-18, E-19
func TestCount(t *testing.T) { // fault I42
	t.Parallel()
	for name, secure := range map[string]bool{"HTTP1": false, "HTTP2": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCounter(t, secure)
			config := tool.UpstreamConfig{BaseURL: c.URL, Timeout: 10 * time.Second}
			if secure {
				config.TLS = c.Client().Transport.(*http.Transport).TLSClientConfig
			}
			x, err := tool.NewUpstream(map[string]tool.UpstreamConfig{"wire": config})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(x.Close)
			server := newEdge(t, nil, edge.Config{Admission: edge.Admission{CallerConcurrency: 1000, Concurrency: 1000, CallsPerMinute: -1}},
				edge.Options{Exchange: x})
			var told sync.Map
			var wait sync.WaitGroup
			for worker := range 40 {
				session := connect(t, server, eras[worker%2], "a")
				wait.Go(func() {
					for n := range 15 {
						id := fmt.Sprintf("%d-%d", worker, n)
						name, arguments := asked(n, id)
						got, err := call(t, session, name, arguments)
						if err != nil {
							t.Errorf("%s: %v", id, err)
							return
						}
						told.Store(id, got.String())
					}
				})
			}
			wait.Wait()
			c.compare(t, &told, secure)
		})
	}
}

// asked is the nth call of a worker: a read, or one of the writes that net/http
// tells apart.
func asked(n int, id string) (name, arguments string) {
	switch n % 3 {
	case 0:
		return "get_thing", fmt.Sprintf(`{"path":{"id":%q}}`, id)
	case 1:
		return "create_thing", fmt.Sprintf(`{"parameters":{"Idempotency-Key":%q},"body":{"title":%q}}`, id, id)
	default:
		return "change_thing", fmt.Sprintf(`{"path":{"id":%q},"body":{"title":"t"}}`, id)
	}
}

// compare holds what was told against what arrived.
func (c *counter) compare(t *testing.T, told *sync.Map, secure bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	calls, fine, lost := 0, 0, 0
	told.Range(func(key, value any) bool {
		calls++
		id, got := key.(string), strings.TrimSuffix(value.(string), " ?")
		fate, arrived := fateOf(id, secure), c.arrivals[id]
		var worker, n int
		_, _ = fmt.Sscanf(id, "%d-%d", &worker, &n)
		failed, unknown := strings.HasPrefix(got, "!"), got != value.(string)
		switch {
		case unknown != (failed && n%3 > 0 && got != "! 0 upstream_unreachable"):
			t.Errorf("%s, which is %s: its caller was told %s", id, fate, value)
		case strings.HasSuffix(got, fmt.Sprintf(`{"id":%q}`, id)) && arrived == 1 && (fate == "fine" || fate == "slow"):
			fine++
		case got == "! 503 upstream_503" && arrived == 1 && fate == "503":
		case got == "! 0 upstream_lost" && arrived == 1 && (fate == "close" || fate == "reset" || fate == "refused"):
			lost++
		case strings.HasSuffix(got, " upstream_lost") && secure: // another call's fate
			lost++
		case got == "! 0 upstream_unreachable" && arrived == 0 && secure:
		default:
			t.Errorf("%s, which is %s: arrived %d times, and its caller was told %s", id, fate, arrived, value)
		}
		return true
	})
	for id, n := range c.arrivals {
		if n > 1 {
			t.Errorf("%s arrived %d times", id, n)
		}
	}
	if calls != 600 || fine < 100 || lost < 20 {
		t.Errorf("%d calls, %d of them fine and %d lost", calls, fine, lost)
	}
}

// TestCounter shows that the counter does see what net/http repeats: otherwise
// TestCount would prove nothing.
func TestCounter(t *testing.T) {
	t.Parallel()
	c := newCounter(t, false)
	client := &http.Client{Transport: new(http.Transport)}
	t.Cleanup(client.CloseIdleConnections)
	for n := range 200 {
		response, err := client.Get(fmt.Sprintf("%s/things/%d", c.URL, n))
		if err == nil {
			_, _ = io.Copy(io.Discard, response.Body)
			_ = response.Body.Close()
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.arrivals {
		if n > 1 {
			return
		}
	}
	t.Error("nothing arrived twice from a client that repeats")
}
