package platform_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	catalog "github.com/pharos-mcp/pharos/generated/platform"
	"github.com/pharos-mcp/pharos/internal/leak"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/platform"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/party"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func now() time.Time { return noon }

// door is an instance of the platform behind its handlers.
type door struct {
	service         *platform.Service
	public, private http.Handler
	pool            *pgxpool.Pool
	log             *log
	ada             string // the token of a member
	otto            string // that of an operator
}

// log keeps what is logged.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// take gives the events so far and forgets them.
func (l *log) take() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.text.Reset()
	return l.text.String()
}

func newDoor(t *testing.T) *door {
	t.Helper()
	return newDoorTo(t, pgtest.Database(t, "platform"))
}

// newDoorTo makes another instance on a database, and its users unless they are
// there.
func newDoorTo(t *testing.T, pool *pgxpool.Pool) *door {
	t.Helper()
	d := &door{pool: pool, log: &log{}}
	var err error
	d.service, err = platform.New(platform.Config{Pool: pool, Now: now, Log: slog.New(slog.NewJSONHandler(leak.Watch("the log", d.log), nil)), Delegation: delegation()})
	if err != nil {
		t.Fatal(err)
	}
	d.public, d.private = d.service.Handler(), d.service.PrivateHandler()
	return d
}

// users makes the users of these tests known.
func (d *door) users(t *testing.T) *door {
	t.Helper()
	d.ada, d.otto = d.user(t, "ada", false), d.user(t, "otto", true)
	return d
}

// user makes a user known who may do business, and gives a token of theirs with
// all scopes, or with those that are named.
func (d *door) user(t testing.TB, name string, operator bool, scopes ...string) (token string) {
	t.Helper()
	u, err := party.New(party.Config{Pool: d.pool, Now: now}).AddUser(t.Context(), party.NewUser{
		Username: name, Password: "correct horse battery staple", Operator: operator, AcceptPolicy: true,
		Profile: &party.Profile{DisplayName: name, Email: name + "@example.org"},
	})
	if err != nil {
		t.Fatal(err)
	}
	a, err := access.New(access.Config{Pool: d.pool, Now: now, Catalog: catalog.Catalog()})
	if err != nil {
		t.Fatal(err)
	}
	p := access.Principal{Party: u.Party, Operator: u.Operator, AuthVersion: u.AuthVersion}
	if len(scopes) == 0 {
		scopes = a.Scopes(p)
	}
	_, token, err = a.CreateToken(t.Context(), p, "test", scopes, noon.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// patience bounds a request. One that waits for a database that is away is
// answered in less.
const patience = 40 * time.Second

// call is a request and what it needs.
type call struct {
	token, method, path, body string
	header                    map[string]string
}

// request sends a call through a handler.
func (c call) request(h http.Handler) *httptest.ResponseRecorder { return c.requestWith(h, nil) }

// requestWith sends a call with headers that may stand several times.
func (c call) requestWith(h http.Handler, more http.Header) *httptest.ResponseRecorder {
	ctx, cancel := context.WithTimeout(context.Background(), patience) // a stream that should not be there ends too
	defer cancel()
	r := httptest.NewRequestWithContext(ctx, c.method, c.path, strings.NewReader(c.body))
	r.Host = "localhost"
	if c.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	for name, value := range c.header {
		r.Header.Set(name, value)
	}
	maps.Copy(r.Header, more)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// problem reads a reply that must be a problem document, and gives its code.
func problem(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	var p struct {
		Code, Title string
		Status      int
	}
	d := json.NewDecoder(w.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil || p.Status != w.Code || p.Title == "" ||
		w.Header().Get("Content-Type") != "application/problem+json" {
		t.Errorf("no problem document: %d %v %+v %v", w.Code, w.Header(), p, err)
	}
	return p.Code
}

func text(t *testing.T, r io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
