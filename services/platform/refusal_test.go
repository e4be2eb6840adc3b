package platform_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

const (
	ticket = "/support/tickets/11111111-1111-4111-8111-111111111111"
	keyA   = "22222222-2222-4222-8222-222222222222"
	body   = `{"title":"A support request","body":"Please investigate."}`
)

func command(revision string) map[string]string {
	return map[string]string{"Idempotency-Key": keyA, "If-Match": revision}
}

// TestRefusals are problem documents, whoever refuses.
// clause: E-42
func TestRefusals(t *testing.T) {
	t.Parallel()
	d := newDoor(t).users(t)
	reader := d.user(t, "reader", false, "support:read")
	for name, c := range map[string]struct {
		call
		status int
		code   string
		header map[string]string
	}{
		"nobody": {call{method: "GET", path: ticket}, 401, "unauthenticated",
			map[string]string{"Www-Authenticate": `Bearer realm="pharos"`}},
		"nobody, at no path":        {call{method: "GET", path: "/x"}, 401, "unauthenticated", nil},
		"a wrong token":             {call{token: "pharos_pat_x", method: "GET", path: ticket}, 401, "unauthenticated", nil},
		"a scope that is missing":   {call{token: reader, method: "PUT", path: ticket, body: body, header: command("0")}, 403, "forbidden", nil},
		"no operator":               {call{token: d.ada, method: "GET", path: "/support/admin/tickets"}, 403, "forbidden", nil},
		"a page of another host":    {call{token: d.ada, method: "GET", path: ticket, header: map[string]string{"Origin": "https://evil.example"}}, 403, "forbidden", nil},
		"no such ticket":            {call{token: d.ada, method: "GET", path: ticket}, 404, "not_found", nil},
		"no such path":              {call{token: d.ada, method: "GET", path: "/x"}, 404, "not_found", nil},
		"a path that is not clean":  {call{token: d.ada, method: "GET", path: "/support//tickets"}, 404, "not_found", nil},
		"a path with an end":        {call{token: d.ada, method: "GET", path: "/support/tickets/"}, 404, "not_found", nil},
		"a method that is missing":  {call{token: d.ada, method: "POST", path: ticket}, 405, "invalid_request", map[string]string{"Allow": "GET, HEAD, PATCH, PUT"}},
		"an id that is none":        {call{token: d.ada, method: "GET", path: "/support/tickets/x"}, 400, "invalid_request", nil},
		"an id in upper case":       {call{token: d.ada, method: "GET", path: strings.ToUpper(ticket[:17]) + "AAAA"}, 404, "not_found", nil},
		"a parameter that is wrong": {call{token: d.ada, method: "GET", path: "/support/tickets?limit=x"}, 400, "invalid_request", nil},
		"a parameter over a bound":  {call{token: d.ada, method: "GET", path: "/support/tickets?limit=101"}, 400, "invalid_request", nil},
		"a query cut by ;":          {call{token: d.ada, method: "GET", path: "/support/tickets?status=closed;limit=1"}, 400, "invalid_request", nil},
		"a query that is no query":  {call{token: d.ada, method: "GET", path: "/support/tickets?status=%zz"}, 400, "invalid_request", nil},
		"a header that is missing":  {call{token: d.ada, method: "PUT", path: ticket, body: body}, 400, "invalid_request", nil},
		"a body that is no JSON":    {call{token: d.ada, method: "PUT", path: ticket, body: "{", header: command("0")}, 400, "invalid_request", nil},
		"a member too many":         {call{token: d.ada, method: "PUT", path: ticket, body: `{"title":"a","body":"b","c":1}`, header: command("0")}, 400, "invalid_request", nil},
		"NUL":                       {call{token: d.ada, method: "PUT", path: ticket, body: `{"title":"a","body":"b\u0000"}`, header: command("0")}, 400, "invalid_request", nil},
		"NUL in a path":             {call{token: d.ada, method: "GET", path: "/support/tickets/%00"}, 400, "invalid_request", nil},
		"a body that is too large":  {call{token: d.ada, method: "PUT", path: ticket, body: strings.Repeat(" ", 256<<10+1), header: command("0")}, 413, "invalid_request", nil},
		"what is private":           {call{token: d.otto, method: "GET", path: "/internal/executors"}, 404, "not_found", nil},
		"what is private, spelled":  {call{token: d.otto, method: "GET", path: "/%69nternal/executors"}, 404, "not_found", nil},
		"what is private, to none":  {call{method: "GET", path: "/internal/executors"}, 404, "not_found", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := c.request(d.public)
			if code := problem(t, w); w.Code != c.status || code != c.code {
				t.Errorf("%d %s, want %d %s", w.Code, code, c.status, c.code)
			}
			for name, want := range c.header {
				if got := w.Header().Get(name); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
		})
	}
	t.Run("the largest body", func(t *testing.T) {
		t.Parallel()
		w := call{token: d.ada, method: "PUT", path: strings.ReplaceAll(ticket, "1", "2"), body: body + strings.Repeat(" ", 256<<10-len(body)), header: command("0")}.
			request(d.public)
		if w.Code != 201 {
			t.Errorf("status %d", w.Code)
		}
	})
}

// TestPrivate is served by the private handler, which has nothing else.
func TestPrivate(t *testing.T) {
	t.Parallel()
	d := newDoor(t).users(t)
	for _, path := range []string{"/healthz", "/support/tickets", ticket, "/internal/", "/internal/x"} {
		w := call{token: d.otto, method: "GET", path: path}.request(d.private)
		if code := problem(t, w); w.Code != 404 || code != "not_found" {
			t.Errorf("%s: %d %s", path, w.Code, code)
		}
	}
	w := call{method: "GET", path: "/internal/executors"}.request(d.private)
	if got := text(t, w.Body); w.Code != 200 || got != `{"items":[],"queued":0}`+"\n" {
		t.Errorf("%d %s", w.Code, got)
	}
}

// TestDiagnostics need nobody.
func TestDiagnostics(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	for _, path := range []string{"/healthz", "/readyz"} {
		if w := (call{method: "GET", path: path}).request(d.public); w.Code != 200 || text(t, w.Body) != "ok\n" {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	w := call{method: "GET", path: "/version"}.request(d.public)
	var b platformapi.BuildModel
	if err := json.Unmarshal(w.Body.Bytes(), &b); err != nil || b.Version == "" || !strings.HasPrefix(b.Go, "go1.") {
		t.Errorf("%+v, %v", b, err)
	}
	// It is not ready any more once it is being stopped.
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan bool)
	go func() {
		d.service.Run(ctx)
		close(ended)
	}()
	stop()
	<-ended
	w = call{method: "GET", path: "/readyz"}.request(d.public)
	if code := problem(t, w); w.Code != 503 || code != "unavailable" || w.Header().Get("Retry-After") == "" {
		t.Errorf("%d %s", w.Code, code)
	}
	if w := (call{method: "GET", path: "/healthz"}).request(d.public); w.Code != 200 {
		t.Errorf("/healthz: %d", w.Code)
	}
}

// TestOutage is a database that goes and comes back.
func TestOutage(t *testing.T) {
	t.Parallel()
	server := pgtest.Server(t)
	if err := pg.Migrate(t.Context(), server.URL, "platform"); err != nil {
		t.Fatal(err)
	}
	pool, err := pg.Pool(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	d := newDoorTo(t, pool).users(t)
	create := call{token: d.ada, method: "PUT", path: ticket, body: body, header: command("0")}
	if w := create.request(d.public); w.Code != 201 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	asked, asserted := ask(login(identityOf("ada"))), mine.as(d.anAssertion(t, "ada", "getMyParty", "parties:read"))
	server.Kill()
	for _, c := range []call{create, {token: d.ada, method: "GET", path: ticket}, {method: "GET", path: "/readyz"}} {
		w := c.request(d.public)
		if code := problem(t, w); w.Code != 503 || code != "unavailable" || w.Header().Get("Retry-After") == "" {
			t.Errorf("%s %s: %d %s %v", c.method, c.path, w.Code, code, w.Header())
		}
	}
	for c, h := range map[*call]http.Handler{&asked: d.private, &asserted: d.public} {
		w := c.request(h)
		if code := problem(t, w); w.Code != 503 || code != "unavailable" || w.Header().Get("Retry-After") == "" {
			t.Errorf("%s %s: %d %s %v", c.method, c.path, w.Code, code, w.Header())
		}
	}
	server.Start(t)
	for c, h := range map[*call]http.Handler{&asked: d.private, &asserted: d.public} {
		if w := c.request(h); w.Code != 200 {
			t.Errorf("%s %s afterwards: %d %s", c.method, c.path, w.Code, w.Body)
		}
	}
	if w := create.request(d.public); w.Code != 201 {
		t.Errorf("afterwards: %d %s", w.Code, w.Body)
	}
}

// TestEvents are one for each request, and tell nothing of what it says.
func TestEvents(t *testing.T) {
	t.Parallel()
	d := newDoor(t).users(t)
	d.log.take()
	for _, c := range []struct {
		call
		want map[string]any
	}{
		{call{token: d.ada, method: "PUT", path: ticket, body: body, header: command("0")},
			map[string]any{"level": "INFO", "msg": "request", "operation": "CreateSupportTicket", "status": 201.0}},
		{call{token: d.ada, method: "GET", path: "/support/tickets?limit=0"},
			map[string]any{"level": "INFO", "msg": "request", "operation": "ListSupportTickets", "status": 400.0, "code": "invalid_request"}},
		{call{token: "wrong", method: "GET", path: ticket},
			map[string]any{"level": "INFO", "msg": "request", "operation": "", "status": 401.0, "code": "unauthenticated",
				"reason": "it stands for nobody: the token is not valid: pharos-mcp-assertion+jwt: not three parts"}},
		{call{method: "GET", path: "/healthz"},
			map[string]any{"level": "INFO", "msg": "request", "operation": "Health", "status": 200.0}},
	} {
		w := c.request(d.public)
		line := d.log.take()
		for _, secret := range []string{d.ada, "wrong", "investigate", keyA, ticket} {
			if strings.Contains(line, secret) {
				t.Errorf("the event tells %q: %s", secret, line)
			}
		}
		var event map[string]any
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		id, took := event["id"], event["duration_ms"]
		if id == "" || id != w.Header().Get("X-Request-Id") || took == nil {
			t.Errorf("%v, %v", event, w.Header())
		}
		for _, name := range []string{"id", "duration_ms", "time"} {
			delete(event, name)
		}
		if diff := cmp.Diff(c.want, event); diff != "" {
			t.Error(diff)
		}
	}
}

// TestMistake is an error of our own: the caller sees that there is one, the
// log what it is.
func TestMistake(t *testing.T) {
	t.Parallel()
	d := newDoor(t).users(t)
	if _, err := d.pool.Exec(t.Context(), "ALTER TABLE platform.ticket RENAME COLUMN title TO secret"); err != nil {
		t.Fatal(err)
	}
	d.log.take()
	w := call{token: d.ada, method: "GET", path: ticket}.request(d.public)
	if code := problem(t, w); w.Code != 500 || code != "internal" {
		t.Errorf("%d %s", w.Code, code)
	}
	if line := d.log.take(); !strings.Contains(line, `"level":"ERROR"`) || !strings.Contains(line, "42703") {
		t.Error(line)
	}
}

// TestCodes are all in the document, but for those that nothing of the platform
// has a use for.
func TestCodes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../generated/platform/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Components struct {
			Schemas map[string]struct{ Enum []fault.Code }
		}
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	declared := document.Components.Schemas["ProblemCode"].Enum
	slices.Sort(declared)
	want := slices.DeleteFunc(fault.Codes(), func(code fault.Code) bool {
		return code == fault.Unprocessable || code == fault.Timeout
	})
	if diff := cmp.Diff(want, declared); diff != "" {
		t.Error(diff)
	}
}
