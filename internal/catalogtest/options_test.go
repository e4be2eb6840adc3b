package catalogtest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/catalogtest/generated/desk"
	"github.com/pharos-mcp/pharos/internal/catalogtest/generated/deskapi"
)

// odd is a desk some of whose methods a test has its way with.
type odd struct {
	Desk
	get    func(ctx context.Context) error
	create func(ctx context.Context) error
}

// GetNote implements desk.Handler.
func (o *odd) GetNote(ctx context.Context, in *desk.GetNoteInput) (deskapi.NoteModel, error) {
	if o.get != nil {
		if err := o.get(ctx); err != nil {
			return deskapi.NoteModel{}, err
		}
		return deskapi.NoteModel{ID: in.ID, Title: "t", Tags: []deskapi.TagModel{}, Version: 1}, nil
	}
	return o.Desk.GetNote(ctx, in)
}

// CreateNote implements desk.Handler.
func (o *odd) CreateNote(ctx context.Context, in *desk.CreateNoteInput) (deskapi.NoteModel, error) {
	if o.create != nil {
		if err := o.create(ctx); err != nil {
			return deskapi.NoteModel{}, err
		}
	}
	return o.Desk.CreateNote(ctx, in)
}

// mount makes a server for a handler, known by named.
func mount(t *testing.T, h desk.Handler, c edge.Config, o edge.Options) *edge.Server {
	t.Helper()
	if o.Authenticator == nil {
		o.Authenticator = named{}
	}
	if o.Inject == nil {
		o.Inject = ownProject
	}
	s, err := edge.New(c, desk.Catalog(h), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sent is a message as a caller sends it.
func sent(caller, method, message string) *http.Request {
	r := httptest.NewRequest(method, "http://localhost/mcp", strings.NewReader(message))
	r.Header = http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {"2025-11-25"},
	}
	if caller != "" {
		r.Header.Set("Authorization", "Bearer "+caller)
	}
	return r
}

// calls is a message that calls a tool.
func calls(name, arguments string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments + `}}`
}

// post sends a message and returns the reply.
func post(h http.Handler, caller, message string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, sent(caller, http.MethodPost, message))
	return w
}

// failure is the text of a result that is an error.
func failure(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	var reply struct {
		Result struct {
			IsError           bool
			StructuredContent any
			Content           []struct{ Text string }
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &reply); err != nil || w.Code != 200 || !reply.Result.IsError ||
		reply.Result.StructuredContent != nil || len(reply.Result.Content) != 1 {
		t.Fatalf("status %d, %s: no result with one text that is an error", w.Code, w.Body)
	}
	return reply.Result.Content[0].Text
}

// TestErrorsBeginWithTheirStatus: every error of a tool, and the same error by
// its code where nobody asked for statuses.
//
// clause: P-37
func TestErrorsBeginWithTheirStatus(t *testing.T) {
	t.Parallel()
	o := new(odd)
	var err error
	o.get = func(context.Context) error { return err }
	byStatus := mount(t, o, edge.Config{}, edge.Options{StatusErrors: true})
	byCode := mount(t, o, edge.Config{}, edge.Options{})
	call := calls("get_note", `{"id":1}`)
	for code, status := range map[fault.Code]string{
		fault.Invalid: "400", fault.Unauthenticated: "401", fault.Forbidden: "403", fault.SetupRequired: "403", fault.NotFound: "404",
		fault.Conflict: "409", fault.Exists: "409", fault.Unprocessable: "422", fault.TooMany: "429", fault.Internal: "500",
		fault.Unavailable: "503", fault.Timeout: "504", "its_own": "500",
	} {
		err = fault.New(code, "version is 3, not 2")
		if got, want := failure(t, post(byStatus, "ann", call)), status+": version is 3, not 2"; got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
		if got, want := failure(t, post(byCode, "ann", call)), string(code)+": version is 3, not 2"; got != want {
			t.Errorf("%s by its code: %q, want %q", code, got, want)
		}
	}
	err = errors.New("dial db-17: refused")
	for arguments, want := range map[string]string{
		`{"id":1}`: "500: internal error",
		`{"id":0}`: "422: /id",
		`{"id":1,"more":"` + strings.Repeat("x", 20) + `"}`:    "422: ",
		`{"id":1,"more":"` + strings.Repeat("x", 16384) + `"}`: "413: the arguments are larger than 16384 bytes",
	} {
		if got := failure(t, post(byStatus, "ann", calls("get_note", arguments))); !strings.HasPrefix(got, want) {
			t.Errorf("%.40s: %q, want %q", arguments, got, want)
		}
	}
}

// TestHandlersLearnWhenToComeBack: a fault's time is a header of the reply.
func TestHandlersLearnWhenToComeBack(t *testing.T) {
	t.Parallel()
	o := new(odd)
	var after time.Duration
	o.get = func(context.Context) error {
		return &fault.Fault{Code: fault.Unavailable, Message: "a lock is held; try again", RetryAfter: after}
	}
	s := mount(t, o, edge.Config{}, edge.Options{StatusErrors: true})
	for d, want := range map[time.Duration]string{0: "", time.Millisecond: "1", time.Second: "1", time.Second + 1: "2"} {
		after = d
		w := post(s, "ann", calls("get_note", `{"id":1}`))
		if got := failure(t, w); got != "503: a lock is held; try again" || w.Header().Get("Retry-After") != want {
			t.Errorf("%v: %q and Retry-After %q, want %q", d, got, w.Header().Get("Retry-After"), want)
		}
	}
}

type seatKey struct{}

// TestContextOfAHandler: a service's own identity, by each way to a handler.
//
// clause: P-03
func TestContextOfAHandler(t *testing.T) {
	t.Parallel()
	var seen []string
	o := new(odd)
	o.get = func(ctx context.Context) error {
		seat, _ := ctx.Value(seatKey{}).(string)
		seen = append(seen, seat)
		return nil
	}
	options := edge.Options{
		Authenticator: named{},
		Context: func(ctx context.Context, p *edge.Principal, op *tool.Operation) context.Context {
			return context.WithValue(ctx, seatKey{}, p.Subject+" for "+op.Tool)
		},
		Inject: func(ctx context.Context, p *edge.Principal, op *tool.Operation) (map[string]json.RawMessage, error) {
			if ctx.Value(seatKey{}) == nil {
				return nil, errors.New("Inject is asked first")
			}
			return ownProject(ctx, p, op)
		},
	}
	s := mount(t, o, edge.Config{}, options)
	post(s, "ann", calls("get_note", `{"id":1}`))
	// The SDK answers what is not regular.
	post(s, "bob", strings.Replace(calls("get_note", `{"id":1}`), `"params":{`, `"params":{"_meta":{"progressToken":1},`, 1))
	options.Inject = nil
	rpc, err := edge.NewRPC(edge.Config{}, desk.Catalog(o), options, edge.RPC{Members: []string{"project_id"}})
	if err != nil {
		t.Fatal(err)
	}
	if w := post(rpc, "eve", `{"method":"get_note","params":{"project_id":"p","id":1}}`); w.Code != 200 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if diff := cmp.Diff([]string{"ann for get_note", "bob for get_note", "eve for get_note"}, seen); diff != "" {
		t.Error(diff)
	}
}

// TestInstructions are the edge's own, or the program's in their place; what
// the configuration adds follows either.
//
// clause: P-19
func TestInstructions(t *testing.T) {
	t.Parallel()
	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	for name, c := range map[string]struct {
		instead, added, begins, ends string
	}{
		"the edge's":           {"", "", "Ask the user for approval", "anything else is refused."},
		"with more":            {"", "And more.", "Ask the user for approval", "\nAnd more."},
		"the program's":        {"You facilitate.", "", "You facilitate.", "You facilitate."},
		"the program's & more": {"You facilitate.", "And more.", "You facilitate.\nAnd more.", "You facilitate.\nAnd more."},
	} {
		s := mount(t, new(Desk), edge.Config{Instructions: c.added}, edge.Options{Instructions: c.instead})
		w := post(s, "ann", initialize)
		var reply struct{ Result struct{ Instructions string } }
		if err := json.Unmarshal(w.Body.Bytes(), &reply); err != nil {
			t.Fatalf("%v: %s", err, w.Body)
		}
		got := reply.Result.Instructions
		if !strings.HasPrefix(got, c.begins) || !strings.HasSuffix(got, c.ends) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestOnlyPOST: a server without sessions serves nothing else, and says so to
// whoever may call.
//
// clause: P-01
func TestOnlyPOST(t *testing.T) {
	t.Parallel()
	s := mount(t, new(Desk), edge.Config{}, edge.Options{})
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut, http.MethodHead} {
		for _, version := range []string{"2025-11-25", "2026-07-28", "2020-01-01", ""} {
			r := sent("ann", method, "")
			r.Header.Set("Mcp-Protocol-Version", version)
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			if w.Code != 405 || w.Header().Get("Allow") != "POST" {
				t.Errorf("%s in %q: %d, Allow %q", method, version, w.Code, w.Header().Get("Allow"))
			}
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, sent("", method, ""))
		if w.Code != 401 || w.Header().Get("Www-Authenticate") != "Bearer" {
			t.Errorf("%s by nobody: %d %v", method, w.Code, w.Header())
		}
	}
}
