package party_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	catalog "github.com/pharos-mcp/pharos/generated/platform"
	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/party"
)

// clock is the time of a test.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// door is the platform as far as parties and access are served, over a database
// of its own.
type door struct {
	*clock
	pool    *pgxpool.Pool
	access  *access.Service
	parties *party.Service
	handler http.Handler
}

type others struct {
	platformapi.StrictServerInterface
}

func newDoor(t *testing.T, configure ...func(*access.Config)) *door {
	t.Helper()
	d := &door{clock: &clock{now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}, pool: pgtest.Database(t, "platform")}
	config := access.Config{Pool: d.pool, Now: d.time, Catalog: catalog.Catalog()}
	for _, f := range configure {
		f(&config)
	}
	d.pool = config.Pool
	var err error
	if d.access, err = access.New(config); err != nil {
		t.Fatal(err)
	}
	d.parties = party.New(party.Config{
		Pool: d.pool, Now: d.time, Door: command.NewDoor(d.pool, d.time), Access: d.access,
	})
	failed := func(w http.ResponseWriter, _ *http.Request, err error) {
		f := fault.From(err)
		if f.Code == fault.Internal {
			t.Errorf("internal: %v", err)
		}
		if f.RetryAfter > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(int(f.RetryAfter/time.Second)))
		}
		w.WriteHeader(f.Code.Status())
		_ = json.NewEncoder(w).Encode(map[string]string{"code": string(f.Code), "title": f.Message})
	}
	strict := platformapi.NewStrictHandlerWithOptions(struct {
		access.Sessions
		party.Parties
		others
	}{access.Sessions{Service: d.access}, party.Parties{Service: d.parties}, others{}},
		[]platformapi.StrictMiddlewareFunc{access.Middleware[platformapi.StrictHandlerFunc](d.access)},
		platformapi.StrictHTTPServerOptions{RequestErrorHandlerFunc: failed, ResponseErrorHandlerFunc: failed})
	d.handler = d.access.Gate(platformapi.Handler(strict), failed)
	return d
}

const password = "correct horse battery staple"

var ada = party.Profile{DisplayName: "Ada Byron", Email: "ada@example.org", Affiliation: "Example University"}

// user adds a user who may do business.
func (d *door) user(t *testing.T, username string) party.Resolved {
	t.Helper()
	r, err := d.parties.AddUser(t.Context(), party.NewUser{Username: username, Password: password, Profile: &ada})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// publish publishes a policy that takes effect at a time from now.
func (d *door) publish(t *testing.T, after time.Duration) party.Policy {
	t.Helper()
	p, err := d.parties.Publish(t.Context(), "Acceptable use", "Research only, since "+d.time().String(), d.time().Add(after))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// browser keeps a session.
type browser struct {
	*door
	cookie, csrf string
	header       http.Header // of the next requests
}

// send sends a request and returns what comes back. It takes over the session
// that a reply begins or ends.
func (b *browser) send(t *testing.T, method, path, body string) (int, string, http.Header) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if b.cookie != "" {
		r.AddCookie(&http.Cookie{Name: "pharos_session", Value: b.cookie})
	}
	if b.csrf != "" && method != http.MethodGet {
		r.Header.Set(access.CSRFHeader, b.csrf)
	}
	for name, values := range b.header {
		r.Header[name] = values
	}
	w := httptest.NewRecorder()
	b.handler.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		b.cookie = c.Value
	}
	var reply struct {
		CSRF string `json:"csrf_token"`
	}
	if json.Unmarshal(w.Body.Bytes(), &reply) == nil && reply.CSRF != "" {
		b.csrf = reply.CSRF
	}
	return w.Code, w.Body.String(), w.Header()
}

// want sends a request and holds the reply to a status and a part of its body.
func (b *browser) want(t *testing.T, method, path, body string, status int, says string) string {
	t.Helper()
	got, text, _ := b.send(t, method, path, body)
	if got != status || !strings.Contains(text, says) {
		t.Errorf("%s %s: %d %s\nwant %d with %s", method, path, got, text, status, says)
	}
	return text
}

// login begins a session.
func (d *door) login(t *testing.T, username, password string) *browser {
	t.Helper()
	b := &browser{door: d}
	b.want(t, "POST", "/auth/login", `{"username":"`+username+`","password":"`+password+`"}`, 200, `"username":"`+username+`"`)
	return b
}

// token makes a personal access token of a user and gives who shows it.
func (d *door) token(t *testing.T, r party.Resolved, scopes ...string) *browser {
	t.Helper()
	p := access.Principal{Party: r.Party, Operator: r.Operator, AuthVersion: r.AuthVersion}
	_, text, err := d.access.CreateToken(t.Context(), p, "test", scopes, d.time().Add(24*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	return d.bearer(text)
}

func (d *door) bearer(token string) *browser {
	return &browser{door: d, header: http.Header{"Authorization": {"Bearer " + token}}}
}

// column gives the one column of a query.
func (d *door) column(t *testing.T, query string) []string {
	t.Helper()
	rows, err := d.pool.Query(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	values, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// keyed is the header of a command.
func keyed(key, revision string) http.Header {
	return http.Header{"Idempotency-Key": {key}, "If-Match": {revision}}
}
