package live_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/memory"
	"github.com/pharos-mcp/pharos/services/world/live"
)

// site is a page of a world in memory, and what is known of who was let in.
type site struct {
	*live.Page
	world *memory.Host

	mu         sync.Mutex
	operations []live.Operation
	err        error
	taken      []string
}

// newSite makes one. A test may change how the world is read.
func newSite(t *testing.T, change func(*live.Config)) *site {
	t.Helper()
	pack, err := blocks.Load(blocks.Default)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{world: memory.New(memory.Config{Pack: pack, Exists: func(c host.ChunkPos) bool { return c.X < 1000 }})}
	c := live.Config{World: s.world, Operations: s.list, Poll: 5 * time.Millisecond, Taken: s.took}
	if change != nil {
		change(&c)
	}
	s.Page = live.New(c)
	t.Cleanup(s.Close)
	return s
}

func (s *site) list(context.Context) ([]live.Operation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.operations, s.err
}

func (s *site) tell(operations []live.Operation, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.operations, s.err = operations, err
}

func (s *site) took(link string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken = append(s.taken, link)
}

func (s *site) links() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken
}

// ask makes a request as a browser with a cookie would.
func (s *site) ask(method, address string, cookie *http.Cookie) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, address, nil)
	r.Host = "127.0.0.1:8768"
	if cookie != nil {
		r.AddCookie(cookie)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// enter opens the link.
func (s *site) enter(t *testing.T) *http.Cookie {
	t.Helper()
	w := s.ask(http.MethodGet, s.Link(), nil)
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/" || len(w.Result().Cookies()) != 1 {
		t.Fatalf("entering: %d, to %q, %d cookies", w.Code, w.Header().Get("Location"), len(w.Result().Cookies()))
	}
	return w.Result().Cookies()[0]
}

// put sets blocks in one edit.
func put(t *testing.T, world host.Host, set map[geom.Pos]string) {
	t.Helper()
	var box geom.Box
	first := true
	for p := range set {
		if one := (geom.Box{Min: p, Max: p}); first {
			box, first = one, false
		} else {
			box = box.Union(one)
		}
	}
	_, err := world.Edit(t.Context(), host.Cause{Kind: host.ByOther}, box, func(w host.Writer) error {
		for p, state := range set {
			if err := w.Set(p, state); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// revision is what a chunk's bytes say of when it was read.
func revision(t *testing.T, w *httptest.ResponseRecorder) uint64 {
	t.Helper()
	if w.Code != http.StatusOK || w.Body.Len() < 24 {
		t.Fatalf("%d: %q", w.Code, w.Body)
	}
	return binary.LittleEndian.Uint64(w.Body.Bytes()[16:])
}

// listener is a stream of events.
type listener struct {
	t     *testing.T
	body  io.ReadCloser
	lines *bufio.Scanner
}

// listen follows the events over a real connection.
func (s *site) listen(t *testing.T, server *httptest.Server, cookie *http.Cookie) *listener {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/api/v1/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.AddCookie(cookie)
	w, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Body.Close() })
	if w.StatusCode != http.StatusOK || w.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("events: %s", w.Status)
	}
	l := &listener{t, w.Body, bufio.NewScanner(w.Body)}
	l.lines.Buffer(nil, 1<<20)
	return l
}

// next is the next event of a kind; the others are passed over.
func (l *listener) next(kind string, into any) {
	l.t.Helper()
	for l.lines.Scan() {
		if l.lines.Text() != "event: "+kind {
			continue
		}
		l.lines.Scan()
		if err := json.Unmarshal([]byte(strings.TrimPrefix(l.lines.Text(), "data: ")), into); err != nil {
			l.t.Fatalf("%s: %q: %v", kind, l.lines.Text(), err)
		}
		return
	}
	l.t.Fatalf("the stream ended before an event %q", kind)
}

// status is what the lists are made of.
type status struct {
	Players []struct {
		ID, Name string
		Feet     [3]float64
	}
	More       int `json:"more_players"`
	Operations []struct {
		ID, Status string
		Sample     []struct {
			At               [3]int32
			Expected, Actual string
		}
		Min, Max [3]int32
	}
	Problem string
}

// until reads statuses up to one that is as wanted.
func (l *listener) until(wanted func(status) bool) (s status) {
	l.t.Helper()
	for {
		s = status{}
		if l.next("status", &s); wanted(s) {
			return s
		}
	}
}

func player(n byte, name string) host.Player { return host.Player{ID: uuid.UUID{15: n}, Name: name} }

func silent(string) error { return nil }
