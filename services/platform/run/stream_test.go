package run

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	catalog "github.com/pharos-mcp/pharos/generated/platform"
	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/services/platform/access"
)

// client is one that follows a party's events.
type client struct {
	t     *testing.T
	lines *bufio.Scanner
	close func()
}

// serve serves the streams of a party over HTTP.
func (f *fixture) serve(as string) string {
	f.t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request := platformapi.StreamEventsRequestObject{}
		if last := r.Header.Get("Last-Event-ID"); last != "" {
			request.Params.LastEventID = &last
		}
		ctx := access.With(r.Context(), access.Principal{Party: f.ids[as]})
		reply, err := f.StreamEvents(ctx, request)
		if err != nil {
			http.Error(w, err.Error(), fault.CodeOf(err).Status())
			return
		}
		if err := reply.VisitStreamEventsResponse(w); err != nil {
			f.t.Error(err)
		}
	}))
	f.t.Cleanup(server.Close)
	return server.URL
}

// follow opens a stream, after an event.
func (f *fixture) follow(url, last string) *client {
	f.t.Helper()
	ctx, cancel := context.WithCancel(f.t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		f.t.Fatal(err)
	}
	if last != "" {
		request.Header.Set("Last-Event-ID", last)
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		f.t.Fatal(err)
	}
	close := func() { cancel(); _ = reply.Body.Close() }
	f.t.Cleanup(close)
	if got := reply.Header.Get("Content-Type"); reply.StatusCode != 200 || got != "text/event-stream" {
		f.t.Fatalf("status %d, %s", reply.StatusCode, got)
	}
	c := &client{f.t, bufio.NewScanner(reply.Body), close}
	if got := c.block(); got != "retry: 2000" {
		f.t.Fatalf("the stream begins with %q", got)
	}
	return c
}

// block reads up to an empty line; at the end of the stream it is "".
func (c *client) block() string {
	var lines []string
	for c.lines.Scan() && c.lines.Text() != "" {
		lines = append(lines, c.lines.Text())
	}
	return strings.Join(lines, "\n")
}

// kinds reads so many events, and gives the id of the last one.
func (c *client) kinds(n int) (kinds []string, last string) {
	c.t.Helper()
	for range n {
		block := c.block()
		id, data, ok := strings.Cut(block, "\nevent: run\ndata: ")
		if !ok {
			c.t.Fatalf("no event: %q", block)
		}
		last = strings.TrimPrefix(id, "id: ")
		_, kind, _ := strings.Cut(data, `"kind":"`)
		kind, _, _ = strings.Cut(kind, `"`)
		kinds = append(kinds, kind)
	}
	return kinds, last
}

func TestStream(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.published(steps(echo("one", "1")))
	before := f.submit(id, nil) // before anybody follows
	url := f.serve("ada")
	c := f.follow(url, "")
	stop := f.start(ExecutorConfig{Name: "one", Lease: time.Hour})
	kinds, last := c.kinds(3)
	if d := cmp.Diff([]string{"started", "step_succeeded", "succeeded"}, kinds); d != "" {
		t.Errorf("from now on (-want +got):\n%s", d)
	}
	f.submit(id, nil)
	c.kinds(4)
	c.close()

	// Behind an event, and from the beginning.
	kinds, _ = f.follow(url, last).kinds(4)
	if d := cmp.Diff([]string{"submitted", "started", "step_succeeded", "succeeded"}, kinds); d != "" {
		t.Errorf("after event %s (-want +got):\n%s", last, d)
	}
	first := f.follow(url, "1")
	block := first.block()
	want := "id: 2\nevent: run\ndata: {\"run_id\":\"" + before.String() + `","at":"2026-11-30T12:00:00Z","attempt":1,"kind":"started","number":2,"state":"running"}`
	if block != want {
		t.Errorf("an event is %s\nwant %s", block, want)
	}
	// Of what is to come, a number beyond the end tells nothing.
	future := f.follow(url, "9000000000")
	stop()
	for {
		if block := future.block(); block == "" {
			break
		}
	}
	if future.lines.Err() != nil {
		t.Errorf("the end of the service ends a stream with %v", future.lines.Err())
	}
	if _, err := f.Follow(f.as("ada"), nil); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("following a service that ended: %v", err)
	}
}

// A stream looks by itself, says that it is there, and ends for its client to
// come again.
func TestStreamTimes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.published(steps(echo("one", "1")))
	f.Runs.clock = f.time.clock()
	c := f.follow(f.serve("ada"), "")
	f.awaitWait(heartbeat)
	f.submit(id, nil) // and nobody listens
	f.time.advance(heartbeat)
	if got := c.block(); got != ":" {
		t.Errorf("a heartbeat is %q", got)
	}
	if kinds, _ := c.kinds(1); kinds[0] != "submitted" {
		t.Errorf("then comes %s", kinds)
	}
	f.awaitWait(heartbeat)
	f.time.advance(streamTime)
	for range 2 { // a heartbeat may be due at the same time
		if got := c.block(); got == "" {
			return
		}
	}
	t.Error("the stream goes on")
}

// A stream ends with the credential that began it, before anything else is told.
//
// clause: E-23, E-40
func TestStreamOfEndedCredential(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]string{
		"a token that is deleted":        "DELETE FROM platform.access_token WHERE party_id = $1",
		"an authority that changed":      "UPDATE platform.party SET auth_version = auth_version + 1 WHERE id = $1",
		"a setup that became incomplete": "UPDATE platform.party SET state = 'setup_pending' WHERE id = $1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			id := f.published(steps(echo("one", "1")))
			f.Runs.clock = f.time.clock()
			c := f.follow(f.serveToken("ada"), "")
			f.awaitWait(heartbeat)
			f.submit(id, nil)
			f.time.advance(heartbeat)
			if got := c.block(); got != ":" {
				t.Errorf("a heartbeat is %q", got)
			}
			if kinds, _ := c.kinds(1); kinds[0] != "submitted" {
				t.Errorf("then comes %s", kinds)
			}
			f.awaitWait(heartbeat)
			f.exec(end, f.ids["ada"])
			f.submit(id, nil)
			f.time.advance(heartbeat)
			for block := c.block(); block != ""; block = c.block() {
				if block != ":" {
					t.Fatalf("the stream still tells %s", block)
				}
			}
		})
	}
}

// serveToken serves the streams of who shows a token, behind the gate.
func (f *fixture) serveToken(as string) string {
	f.t.Helper()
	gate, err := access.New(access.Config{Pool: f.pool, Now: f.time.time, Catalog: catalog.Catalog()})
	if err != nil {
		f.t.Fatal(err)
	}
	version := one[int64](f, "SELECT auth_version FROM platform.party WHERE id = $1", f.ids[as])
	who := access.Principal{Party: f.ids[as], AuthVersion: version}
	_, token, err := gate.CreateToken(f.t.Context(), who, "test", []string{"runs:read"}, f.time.time().Add(time.Hour))
	if err != nil {
		f.t.Fatal(err)
	}
	streams := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reply, err := f.StreamEvents(access.With(r.Context(), who), platformapi.StreamEventsRequestObject{})
		if err != nil {
			http.Error(w, err.Error(), fault.CodeOf(err).Status())
			return
		}
		_ = reply.VisitStreamEventsResponse(w) // which is never an error
	})
	refuse := func(w http.ResponseWriter, _ *http.Request, err error) {
		http.Error(w, err.Error(), fault.CodeOf(err).Status())
	}
	guarded := gate.Gate(streams, refuse)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+token)
		guarded.ServeHTTP(w, r)
	}))
	f.t.Cleanup(server.Close)
	return server.URL
}

// Who left a project sees no more of its runs.
func TestStreamOfFormerMember(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.published(steps(echo("one", "1")))
	o, _, err := f.Submit(f.as("cyd"), on("submitRun", uuid.New(), 0), Submission{id, 1, "short", nil})
	answered(t, "submitting", o, err, 202, 1, "")
	feed := func() int {
		events, err := feedOf(t.Context(), f.pool, f.ids["cyd"], 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		return len(events)
	}
	if n := feed(); n != 1 {
		t.Errorf("a member sees %d events", n)
	}
	f.exec("DELETE FROM platform.member WHERE party_id = $1", f.ids["cyd"])
	if n := feed(); n != 0 {
		t.Errorf("a former member sees %d events", n)
	}
}

func TestStreamBounds(t *testing.T) {
	t.Parallel()
	h := newHub()
	party := uuid.New()
	var all []*subscription
	for range maxStreamsOfOne {
		s, err := h.subscribe(party)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	if _, err := h.subscribe(party); fault.CodeOf(err) != fault.TooMany {
		t.Errorf("one stream too many of one: %v", err)
	}
	for range maxStreams - maxStreamsOfOne {
		if _, err := h.subscribe(uuid.New()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.subscribe(uuid.New()); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("one stream too many: %v", err)
	}
	h.leave(all[0])
	if _, err := h.subscribe(party); err != nil {
		t.Errorf("after one left: %v", err)
	}
}

func TestLastEventID(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, id := range []string{"0", "-1", "01", "x", strconv.Itoa(1<<62) + "0"} {
		r := platformapi.StreamEventsRequestObject{Params: platformapi.StreamEventsParams{LastEventID: &id}}
		if _, err := f.StreamEvents(f.as("ada"), r); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("Last-Event-ID %s: %v", id, err)
		}
	}
}

func TestExecutorsView(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.published(steps(wait("one", 1000)))
	f.submit(id, nil)
	f.submit(id, nil)
	e := f.newExecutor("one")
	if taken, err := e.take(t.Context()); err != nil || !taken {
		t.Fatalf("took %v, %v", taken, err)
	}
	f.Runs.clock = f.time.clock()
	live, queued, err := f.Executors(t.Context())
	want := []Live{{e.id, "one", 4, 1, noon, noon.Add(30 * time.Second)}}
	if d := cmp.Diff(want, live); d != "" || queued != 1 || err != nil {
		t.Errorf("queued %d, %v (-want +got):\n%s", queued, err, d)
	}
	f.time.advance(30*time.Second + time.Microsecond)
	if live, _, err := f.Executors(t.Context()); len(live) != 0 || err != nil {
		t.Errorf("after its lease: %v, %v", live, err)
	}
	e.stopAll()
	e.jobs.Wait()
}
