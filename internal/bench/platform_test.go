package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/platform"
)

// seeded gives a database with few tickets.
func seeded(t *testing.T) seed {
	t.Helper()
	s := seed{url: pgtest.URL(t, "platform"), tickets: fewTickets}
	if err := s.fill(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPlatformSubjects lets every subject do what it does, in this process.
func TestPlatformSubjects(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	address := served(t, role{Kind: kindPlatform, Database: s.url, Log: t.TempDir() + "/log"})
	b := &platformBench{few: serving{s, address}, many: serving{s, address}}
	t.Cleanup(b.close)
	rows, err := b.rows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	lists, err := b.lists()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range append(rows, lists...) {
		for _, s := range c.subjects {
			for n, call := range s.workers {
				for range 2 {
					if err := call(); err != nil {
						t.Errorf("%s, %s, worker %d: %v", c.name, s.name, n, err)
					}
				}
			}
		}
	}
}

// trace keeps the statements that a pool sends.
type trace struct {
	mu   sync.Mutex
	sent []string
}

func (tr *trace) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.sent = append(tr.sent, data.SQL)
	return ctx
}

func (*trace) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// take gives the statements so far, but for what marks a token as used, and
// forgets them.
func (tr *trace) take() []string {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	var sent []string
	for _, sql := range tr.sent {
		if name, ok := strings.CutPrefix(sql, "-- name: "); !ok {
			sent = append(sent, strings.Fields(sql)[0])
		} else if name, _, _ = strings.Cut(name, " "); name != "TouchToken" {
			sent = append(sent, name)
		}
	}
	tr.sent = nil
	return sent
}

// TestDirect: what a request is compared with are the statements of the request.
func TestDirect(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	c, err := pgxpool.ParseConfig(s.url)
	if err != nil {
		t.Fatal(err)
	}
	tr := &trace{}
	c.ConnConfig.Tracer = tr
	pool, err := pgxpool.NewWithConfig(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	api, err := platform.New(platform.Config{Pool: pool})
	if err != nil {
		t.Fatal(err)
	}
	request := func(method, id, body string) {
		t.Helper()
		r := httptest.NewRequest(method, "http://localhost/support/tickets/"+id, strings.NewReader(body))
		for name, value := range map[string]string{
			"Authorization": "Bearer " + s.token, "Content-Type": "application/json", "Idempotency-Key": uuid.NewString(), "If-Match": "1",
		} {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		api.Handler().ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	d := direct{s, pool}
	read, written := readFrom(0, 0), writtenTo(0, true)
	tr.take()
	request("GET", read.String(), "")
	want := tr.take()
	if err := d.read(t.Context(), read); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, tr.take()); diff != "" {
		t.Errorf("reading (-the request's +compared with):\n%s", diff)
	}
	request("PATCH", written.String(), `{"title":"x"}`)
	want = tr.take()
	if err := d.write(t.Context(), written, "y"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, tr.take()); diff != "" || len(want) < 5 {
		t.Errorf("writing (-the request's +compared with):\n%s", diff)
	}
}

// TestJudgePlatform: a read counts at the level where it is slower beside pgx,
// and the list that is slower out of many.
func TestJudgePlatform(t *testing.T) {
	t.Parallel()
	row := comparison{name: "read", levels: []int{1, 8}, subjects: []subject{{name: "HTTP"}, {name: "row"}, {name: "pgx"}}}
	lists := []comparison{
		{name: "a", levels: []int{1}, subjects: []subject{{name: "many"}, {name: "few"}}},
		{name: "b", levels: []int{1}, subjects: []subject{{name: "many"}, {name: "few"}}},
	}
	cells := map[cell]samples{
		{"HTTP", "read", 1}: {{rate: 60}}, {"row", "read", 1}: {{rate: 900}}, {"pgx", "read", 1}: {{rate: 100}},
		{"HTTP", "read", 8}: {{rate: 40}}, {"row", "read", 8}: {{rate: 900}}, {"pgx", "read", 8}: {{rate: 100}},
		{"many", "a", 1}: {{rate: 50}}, {"few", "a", 1}: {{rate: 100}}, {"many", "b", 1}: {{rate: 100}}, {"few", "b", 1}: {{rate: 100}},
	}
	var text strings.Builder
	var got []string
	for _, g := range judgePlatform(&text, []comparison{row}, lists, cells) {
		got = append(got, g.String())
	}
	want := []string{"goal platform-read-to-pgx 0.4x 0.5x short", "goal platform-list-of-many 2x 3x ok"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("goals (-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(text.String(), "platform-read-to-pgx is worst with read, 8 at a time\n") {
		t.Errorf("got %q", text.String())
	}
}
