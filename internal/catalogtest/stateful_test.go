package catalogtest

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/catalogtest/generated/desk"
	"github.com/pharos-mcp/pharos/internal/catalogtest/generated/deskapi"
)

// leased lets one session at a time use the desk: the one that began last.
type leased struct {
	Desk
	mu     sync.Mutex
	holder *edge.Session
	ended  chan string // "caller: ending"
}

func newLeased() *leased { return &leased{ended: make(chan string, 8)} }

func (l *leased) begin(_ context.Context, s *edge.Session) error {
	switch s.Caller.Subject {
	case "banned":
		return fault.New(fault.Conflict, "the desk is not for you")
	case "unlucky":
		return errors.New("open /etc/secret: permission denied")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holder = s
	return nil
}

func (l *leased) end(s *edge.Session, why edge.Ending) {
	l.mu.Lock()
	if l.holder == s {
		l.holder = nil
	}
	l.mu.Unlock()
	l.ended <- s.Caller.Subject + ": " + string(why)
}

// ListNotes implements desk.Handler for the holder alone.
func (l *leased) ListNotes(ctx context.Context, in *desk.ListNotesInput) (notes deskapi.NotesModel, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if edge.SessionOf(ctx) != l.holder {
		return notes, fault.New("CONTROLLER_DISPLACED", "another session has the desk")
	}
	return l.Desk.ListNotes(ctx, in)
}

// expect waits for the end of a session.
func (l *leased) expect(t *testing.T, want string) {
	t.Helper()
	select {
	case got := <-l.ended:
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	case <-time.After(10 * time.Second):
		t.Fatalf("no end, want %q", want)
	}
}

// stateful serves a leased desk.
func stateful(t *testing.T, l *leased, o edge.Sessions) string {
	t.Helper()
	o.Begin, o.End = l.begin, l.end
	s, err := edge.New(edge.Config{}, desk.Catalog(l), edge.Options{
		Authenticator: named{}, Inject: ownProject, Sessions: &o,
	})
	if err != nil {
		t.Fatal(err)
	}
	return serve(t, s)
}

// TestSessionsTakeTheLease: the newest session displaces the others, which stay
// open to be told so; the handshake era is what clients fall back to.
func TestSessionsTakeTheLease(t *testing.T) {
	t.Parallel()
	l := newLeased()
	url := stateful(t, l, edge.Sessions{})
	ann := connected(t, url, "ann")
	if v := ann.InitializeResult().ProtocolVersion; v != "2025-11-25" {
		t.Errorf("protocol %s", v)
	}
	if got := text(t, ann, "list_notes", `{}`); got != `{"notes":[]}` {
		t.Errorf("ann, alone: %s", got)
	}
	bob := connected(t, url, "bob")
	if got := text(t, ann, "list_notes", `{}`); got != "CONTROLLER_DISPLACED: another session has the desk" {
		t.Errorf("ann, displaced: %s", got)
	}
	if got := text(t, bob, "list_notes", `{}`); got != `{"notes":[]}` {
		t.Errorf("bob: %s", got)
	}
	if err := bob.Close(); err != nil {
		t.Error(err)
	}
	l.expect(t, "bob: left")
	if got := text(t, ann, "list_notes", `{}`); !strings.HasPrefix(got, "CONTROLLER_DISPLACED") {
		t.Errorf("ann took the lease back: %s", got)
	}
}

// TestSessionsRefused: a refusal of Begin reaches the client if it is a fault,
// and nothing is begun or ended.
func TestSessionsRefused(t *testing.T) {
	t.Parallel()
	l := newLeased()
	url := stateful(t, l, edge.Sessions{Most: 1})
	for caller, want := range map[string]string{"banned": "the desk is not for you", "unlucky": "internal error"} {
		_, err := dial(t, url, caller)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %q", caller, err, want)
		}
	}
	connected(t, url, "ann")
	if _, err := dial(t, url, "bob"); err == nil || !strings.Contains(err.Error(), "too many sessions") {
		t.Errorf("a second session: %v", err)
	}
	select {
	case got := <-l.ended:
		t.Errorf("ended: %s", got)
	default:
	}
}

// TestSessionsOust: where the newest is let in, the one that began first ends
// for it, and is told so when it comes back.
//
// clause: S-02
func TestSessionsOust(t *testing.T) {
	t.Parallel()
	l := newLeased()
	url := stateful(t, l, edge.Sessions{Most: 2, Newest: true})
	var all []*raw
	for _, name := range []string{"ann", "bob", "carl", "dora"} {
		c := &raw{t: t, url: url, name: name}
		c.open()
		all = append(all, c)
	}
	first, second := <-l.ended, <-l.ended
	if first > second {
		first, second = second, first
	}
	if first != "ann: ousted" || second != "bob: ousted" {
		t.Errorf("ended: %s, %s", first, second)
	}
	for i, want := range []int{http.StatusNotFound, http.StatusNotFound, http.StatusAccepted, http.StatusAccepted} {
		if status := all[i].notify(); status != want {
			t.Errorf("%s: status %d, want %d", all[i].name, status, want)
		}
	}
}

func TestSessionsAreClosed(t *testing.T) {
	t.Parallel()
	l := newLeased()
	ann := connected(t, stateful(t, l, edge.Sessions{}), "ann")
	text(t, ann, "list_notes", `{}`)
	l.mu.Lock()
	holder := l.holder
	l.mu.Unlock()
	holder.Close()
	l.expect(t, "ann: closed")
}

func TestSessionsIdle(t *testing.T) {
	t.Parallel()
	l := newLeased()
	// One that does not react: another might leave before it is told.
	c := &raw{t: t, url: stateful(t, l, edge.Sessions{Idle: 500 * time.Millisecond}), name: "ann"}
	c.open()
	l.expect(t, "ann: idle")
}

// TestSessionsEndWithTheServer: listening clients do not keep it from stopping.
func TestSessionsEndWithTheServer(t *testing.T) {
	t.Parallel()
	l := newLeased()
	s, err := edge.New(edge.Config{Listen: "127.0.0.1:0"}, desk.Catalog(l), edge.Options{
		Authenticator: named{}, Inject: ownProject, Sessions: &edge.Sessions{Begin: l.begin, End: l.end},
	})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := s.Listen()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- s.Serve(ctx, listener) }()
	connected(t, "http://"+listener.Addr().String(), "ann")
	stop()
	l.expect(t, "ann: closed")
	select {
	case err := <-stopped:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the server did not stop")
	}
}

// raw is a client that holds its requests in its own hands.
type raw struct {
	t    *testing.T
	url  string
	name string
	id   string // of its session
}

func (c *raw) do(ctx context.Context, method, body string) *http.Response {
	c.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, c.url+"/mcp", strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+c.name)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if c.id != "" {
		r.Header.Set("Mcp-Session-Id", c.id)
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = reply.Body.Close() })
	return reply
}

// open begins a session.
func (c *raw) open() {
	c.t.Helper()
	reply := c.do(c.t.Context(), http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":
		{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`)
	c.id = reply.Header.Get("Mcp-Session-Id")
	if reply.StatusCode != http.StatusOK || c.id == "" {
		c.t.Fatalf("initialize: %s", reply.Status)
	}
	if status := c.notify(); status != http.StatusAccepted {
		c.t.Fatalf("initialized: status %d", status)
	}
}

func (c *raw) notify() int {
	return c.do(c.t.Context(), http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/initialized"}`).StatusCode
}

// listen opens a stream; the function it returns breaks it.
func (c *raw) listen() context.CancelFunc {
	c.t.Helper()
	ctx, cancel := context.WithCancel(c.t.Context())
	if reply := c.do(ctx, http.MethodGet, ""); reply.StatusCode != http.StatusOK {
		c.t.Fatalf("listen: %s", reply.Status)
	}
	return cancel
}

// TestSessionsLost: a stream that breaks and is not renewed ends the session.
func TestSessionsLost(t *testing.T) {
	t.Parallel()
	l := newLeased()
	c := &raw{t: t, url: stateful(t, l, edge.Sessions{Grace: 20 * time.Millisecond}), name: "ann"}
	c.open()
	c.listen()()
	l.expect(t, "ann: lost")
	if status := c.notify(); status != http.StatusNotFound {
		t.Errorf("a lost session answered %d", status)
	}
}

// TestSessionsComeBack: a client that listens again, or that never listened,
// is not lost; a refused stream is none.
func TestSessionsComeBack(t *testing.T) {
	t.Parallel()
	const grace = 200 * time.Millisecond
	l := newLeased()
	url := stateful(t, l, edge.Sessions{Grace: grace})
	ann, bob := &raw{t: t, url: url, name: "ann"}, &raw{t: t, url: url, name: "bob"}
	ann.open()
	bob.open()
	stop := ann.listen()
	if reply := ann.do(t.Context(), http.MethodGet, ""); reply.StatusCode == http.StatusOK {
		t.Error("a second stream was opened")
	}
	stop()
	for status := 0; status != http.StatusOK; { // until the server has noticed
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		status = ann.do(ctx, http.MethodGet, "").StatusCode
	}
	select {
	case got := <-l.ended:
		t.Errorf("ended: %s", got)
	case <-time.After(2 * grace):
	}
}

// TestSessionsAreTheirCallers: nobody else uses a session, ends it or keeps it.
func TestSessionsAreTheirCallers(t *testing.T) {
	t.Parallel()
	l := newLeased()
	c := &raw{t: t, url: stateful(t, l, edge.Sessions{}), name: "ann"}
	c.open()
	thief := &raw{t: t, url: c.url, name: "bob", id: c.id}
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
		if reply := thief.do(t.Context(), method, `{"jsonrpc":"2.0","id":2,"method":"ping"}`); reply.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %s", method, reply.Status)
		}
	}
	if status := c.notify(); status != http.StatusAccepted {
		t.Errorf("the owner's session answered %d", status)
	}
	l.mu.Lock()
	holder := l.holder
	l.mu.Unlock()
	holder.Close()
	l.expect(t, "ann: closed")
}

// TestStatelessHasNoSessions: without them a handler finds none, and streams
// are refused.
func TestStatelessHasNoSessions(t *testing.T) {
	t.Parallel()
	if edge.SessionOf(t.Context()) != nil {
		t.Error("a session out of nowhere")
	}
	s, err := edge.New(edge.Config{}, desk.Catalog(new(Desk)), edge.Options{Authenticator: named{}})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1/mcp", nil)
	r.Header.Set("Authorization", "Bearer ann")
	s.ServeHTTP(w, r)
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("status %d", w.Code)
	}
}
