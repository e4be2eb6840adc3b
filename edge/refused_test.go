package edge_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
)

// events are the log's events of calls, each as tool, outcome and the status of
// its refusal.
func (b *bench) events(t *testing.T) (events []string) {
	t.Helper()
	for line := range strings.Lines(b.log.String()) {
		var e struct {
			Msg, Tool, Operation, Caller, Outcome string
			Refused                               int
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if e.Msg == "call" {
			events = append(events, fmt.Sprintf("%s %s %d by %q", e.Tool, e.Outcome, e.Refused, e.Caller))
		}
	}
	slices.Sort(events)
	return events
}

// TestRefusedCallsAreTold has calls refused everywhere on their way, and other
// messages too, which are no calls.
//
// clause: E-57
func TestRefusedCallsAreTold(t *testing.T) {
	t.Parallel()
	w := watch(t, shop(), edge.Config{Admission: edge.Admission{CallsPerMinute: 4}}, respond(200, "application/json", `{"id":"x"}`))
	call := fmt.Sprintf(askItem, 1)
	stranger := http.Header{"Authorization": {"Bearer hunter2"}}
	w.post(t, "2025-11-25", call, http.Header{"Host": {"evil.example"}})
	w.post(t, "2025-11-25", call, stranger)
	w.post(t, "2025-11-25", strings.Replace(call, "get_item", "hunter2", 1), stranger)
	w.post(t, "2025-11-25", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, stranger) // no call
	w.post(t, "2025-11-25", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_item","x":"`+
		strings.Repeat("x", 1<<20)+`"}}`, nil)
	w.post(t, "2025-11-25", strings.Replace(call, `"name"`, `"Name":"hunter2","name"`, 1), nil)        // 1st of a minute
	w.post(t, "2025-11-25", call, http.Header{"Accept": {"text/plain"}})                               // 2nd
	w.post(t, "2025-11-25", strings.Replace(call, `"arguments":{`, `"_meta":7,"arguments":{`, 1), nil) // 3rd
	w.post(t, "2025-11-25", call, nil)                                                                 // 4th, the only one that begins
	w.post(t, "2025-11-25", call, nil)
	w.post(t, "2025-11-25", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, nil) // no call
	metrics, calls := w.scrape(t)
	w.stop()
	if diff := cmp.Diff([]string{
		`get_item invalid_request 200 by "development"`,
		`get_item invalid_request 400 by "development"`,
		`get_item ok 0 by "development"`,
		`get_item too_many_requests 429 by "development"`,
		`get_item unauthenticated 401 by ""`,
		`unknown forbidden 403 by ""`,
		`unknown invalid_request 400 by "development"`,
		`unknown too_large 413 by ""`,
		`unknown unauthenticated 401 by ""`,
	}, w.events(t)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{
		`{operation="",outcome="forbidden",status="none",tool="unknown"} 1`,
		`{operation="",outcome="invalid_request",status="none",tool="unknown"} 1`,
		`{operation="",outcome="too_large",status="none",tool="unknown"} 1`,
		`{operation="",outcome="unauthenticated",status="none",tool="unknown"} 1`,
		`{operation="getItem",outcome="invalid_request",status="none",tool="get_item"} 2`,
		`{operation="getItem",outcome="ok",status="2xx",tool="get_item"} 1`,
		`{operation="getItem",outcome="too_many_requests",status="none",tool="get_item"} 1`,
		`{operation="getItem",outcome="unauthenticated",status="none",tool="get_item"} 1`,
	}, calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	if all := metrics + w.log.String() + w.spans.String(); strings.Contains(all, "hunter2") || strings.Contains(all, "evil") {
		t.Errorf("what a caller chose is told: %s", all)
	}
}

// TestRefusedWithoutRoom refuses a call before anything of it is read.
//
// clause: E-57
func TestRefusedWithoutRoom(t *testing.T) {
	t.Parallel()
	arrived, release := make(chan struct{}), make(chan struct{})
	b := setup(t, shop(), edge.Config{Admission: edge.Admission{Requests: 1}}, func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-release
		respond(200, "application/json", `{"id":"x"}`)(w, r)
	})
	first := make(chan int)
	go func() { first <- b.call(t, "get_item", withID).Status }()
	<-arrived
	if a := b.call(t, "get_item", withID); a.Status != http.StatusTooManyRequests {
		t.Errorf("the second of one: %d %s", a.Status, a.Body)
	}
	close(release)
	<-first
	want := []string{`get_item ok 0 by "development"`, `unknown too_many_requests 429 by ""`}
	if diff := cmp.Diff(want, b.events(t)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// TestRefusedCallsOfProgramsAreTold is the same for the mount for programs.
//
// clause: E-57
func TestRefusedCallsOfProgramsAreTold(t *testing.T) {
	t.Parallel()
	b := &bench{log: &lockedBuffer{}}
	c := shop()
	c.Bare = true
	h, err := edge.NewRPC(edge.Config{Admission: edge.Admission{CallsPerMinute: 2}}, c,
		edge.Options{Authenticator: byHeader{}, Exchange: &wire{}, Log: b.logger()}, edge.RPC{})
	if err != nil {
		t.Fatal(err)
	}
	post := func(host, scopes, body string) {
		r := httptest.NewRequest(http.MethodPost, "http://"+host+"/rpc", strings.NewReader(body))
		r.Header = http.Header{"Content-Type": {"application/json"}, "X-Scopes": {scopes}}
		h.ServeHTTP(httptest.NewRecorder(), r)
	}
	const all = "shop:read"
	post("evil.example", all, `{"method":"get_item"}`)
	post("localhost", "", `{"method":"get_item"}`)
	post("localhost", "", `{"method":"hunter2"}`)
	post("localhost", all, `{"method":"get_item","x":1}`)
	post("localhost", all, `{"method":"delete_item"}`)
	post("localhost", all, `{"method":"get_item"}`)
	if diff := cmp.Diff([]string{
		`delete_item forbidden 403 by "test"`,
		`get_item too_many_requests 429 by "test"`,
		`get_item unauthenticated 401 by ""`,
		`unknown forbidden 403 by ""`,
		`unknown invalid_request 400 by "test"`,
		`unknown unauthenticated 401 by ""`,
	}, b.events(t)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if strings.Contains(b.log.String(), "hunter2") {
		t.Errorf("what a caller chose is told: %s", b.log.String())
	}
}

// TestRPCWithinTime has a method that does not end, whatever its context says.
func TestRPCWithinTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := shop()
		c.Bare = true
		c.Dispatch = func(context.Context, tool.Exchange, *tool.Operation, []byte) (tool.Result, error) {
			time.Sleep(time.Hour)
			return tool.Result{}, nil
		}
		config := edge.Config{Timeout: edge.Duration(10 * time.Second), Admission: edge.Admission{CallerConcurrency: 2}}
		h, err := edge.NewRPC(config, c, edge.Options{Authenticator: byHeader{}, Exchange: &wire{}}, edge.RPC{})
		if err != nil {
			t.Fatal(err)
		}
		post := func(method string) *httptest.ResponseRecorder {
			body := `{"method":"` + method + `","params":` + withID + `}`
			r := httptest.NewRequest(http.MethodPost, "http://localhost/rpc", strings.NewReader(body))
			r.Header = http.Header{"Content-Type": {"application/json"}, "X-Scopes": {"shop:read shop:write"}}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w
		}
		start := time.Now()
		const late = "the server did not finish in time"
		if w := post("get_item"); w.Code != 504 || !strings.Contains(w.Body.String(), `"code":"timeout","message":"`+late+`"}`) {
			t.Errorf("a read: %d %s", w.Code, w.Body)
		}
		if took := time.Since(start); took != 10*time.Second {
			t.Errorf("it was answered after %v", took)
		}
		if w := post("delete_item"); w.Code != 504 || !strings.Contains(w.Body.String(), late+"; the outcome is unknown: repeat the call with exactly these arguments") {
			t.Errorf("a write: %d %s", w.Code, w.Body)
		}
		if w := post("get_item"); w.Code != 429 {
			t.Errorf("both places are taken, and a third gets %d %s", w.Code, w.Body)
		}
		time.Sleep(2 * time.Hour)
	})
}
