package scenario_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/play/scenario"
)

// The authors of these tests, and what they write.
var (
	ada  = uuid.MustParse("aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa")
	bob  = uuid.MustParse("bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb")
	tale = uuid.MustParse("10000000-0000-4000-8000-000000000001")
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// fixture is a service over a database of its own with two authors. Its clock
// goes on by a minute whenever it is read.
type fixture struct {
	*scenario.Service
	pool *pgxpool.Pool
	t    *testing.T
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{pool: pgtest.Database(t, "play"), t: t}
	f.Service = service(f.pool)
	for name, id := range map[string]uuid.UUID{"ada": ada, "bob": bob} {
		f.exec(`INSERT INTO play.account (id, username, display_name, language, password, active, created_at, updated_at)
			VALUES ($1, $2, $2, 'en', '$argon2id$', true, $3, $3)`, id, name, noon)
	}
	return f
}

func service(pool *pgxpool.Pool) *scenario.Service {
	var minutes atomic.Int64
	return scenario.New(scenario.Config{Pool: pool, Now: func() time.Time {
		return noon.Add(time.Duration(minutes.Add(1)) * time.Minute)
	}})
}

func (f *fixture) exec(sql string, arguments ...any) {
	f.t.Helper()
	if _, err := f.pool.Exec(f.t.Context(), sql, arguments...); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) ctx() context.Context { return f.t.Context() }

// a is a scenario to create.
func a(id uuid.UUID) scenario.NewScenario {
	return scenario.NewScenario{ID: id, Title: "The Clockmaker", Summary: "A short tale.", Language: scenario.English}
}

// scene is a node to create.
func scene(id string) scenario.NewNode {
	return scenario.NewNode{ID: id, Kind: scenario.Scene, Title: "Scene " + id, Body: "What is seen.", GMNotes: "What is not."}
}

// write makes a scenario of ada's whose draft has one scene.
func (f *fixture) write() {
	f.t.Helper()
	must(f.t)(f.Create(f.ctx(), ada, a(tale)))
	must(f.t)(f.CreateNode(f.ctx(), ada, tale, 1, scene("yard")))
}

// publish makes a scenario of ada's whose version 1 is published, at revision 2.
func (f *fixture) publish() {
	f.t.Helper()
	f.write()
	must(f.t)(f.Publish(f.ctx(), ada, tale, 1, 2))
}

// content is what the database holds of all scenarios.
func (f *fixture) content() string {
	f.t.Helper()
	var out string
	err := f.pool.QueryRow(f.ctx(), `SELECT concat(
		(SELECT string_agg(s::text, E'\n' ORDER BY s::text) FROM play.scenario AS s), E'\n',
		(SELECT string_agg(v::text, E'\n' ORDER BY v::text) FROM play.scenario_version AS v), E'\n',
		(SELECT string_agg(n::text, E'\n' ORDER BY n::text) FROM play.node AS n))`).Scan(&out)
	if err != nil {
		f.t.Fatal(err)
	}
	return out
}

// unchanged runs do and sees that the database holds afterwards what it held.
func (f *fixture) unchanged(name string, do func()) {
	f.t.Helper()
	before := f.content()
	do()
	if diff := cmp.Diff(before, f.content()); diff != "" {
		f.t.Errorf("%s changed something (-before +after):\n%s", name, diff)
	}
}

// must fails the test where there is an error.
func must(t *testing.T) func(_ any, err error) {
	return func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
}

// refused sees that an error is a fault with a code, whose text has a part.
func refused(t *testing.T, name string, err error, code fault.Code, part string) {
	t.Helper()
	if fault.CodeOf(err) != code || !strings.Contains(err.Error(), part) {
		t.Errorf("%s: %q: %v, want %q with %q", name, fault.CodeOf(err), err, code, part)
	}
}

func new32(n int32) *int32 { return &n }
