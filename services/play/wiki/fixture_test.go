package wiki_test

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
	"github.com/pharos-mcp/pharos/services/play/wiki"
)

// The authors of these tests.
var (
	ada = uuid.MustParse("aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa")
	bob = uuid.MustParse("bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb")
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// fixture is a service over a database of its own with two authors. Its clock
// goes on by a minute whenever it is read.
type fixture struct {
	*wiki.Service
	pool *pgxpool.Pool
	t    testing.TB
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	f := &fixture{pool: pgtest.Database(t, "play"), t: t}
	f.Service = service(f.pool)
	for name, id := range map[string]uuid.UUID{"ada": ada, "bob": bob} {
		f.exec(`INSERT INTO play.account (id, username, display_name, language, password, active, created_at, updated_at)
			VALUES ($1, $2, $2, 'en', '$argon2id$', true, $3, $3)`, id, name, noon)
	}
	return f
}

func service(pool *pgxpool.Pool) *wiki.Service {
	var minutes atomic.Int64
	return wiki.New(wiki.Config{Pool: pool, Now: func() time.Time {
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

// write makes a page of ada's.
func (f *fixture) write(id, title, body string) wiki.Page {
	f.t.Helper()
	p, err := f.Create(f.ctx(), ada, id, title, body)
	if err != nil {
		f.t.Fatal(err)
	}
	return p
}

// unchanged runs do and sees that the database holds afterwards what it held.
func (f *fixture) unchanged(name string, do func()) {
	f.t.Helper()
	content := func() (out string) {
		err := f.pool.QueryRow(f.ctx(), `SELECT COALESCE(string_agg(p::text, E'\n' ORDER BY p::text), '') FROM play.wiki_page AS p`).Scan(&out)
		if err != nil {
			f.t.Fatal(err)
		}
		return out
	}
	before := content()
	do()
	if diff := cmp.Diff(before, content()); diff != "" {
		f.t.Errorf("%s changed something (-before +after):\n%s", name, diff)
	}
}

// refused sees that an error is a fault with a code, whose text has a part.
func refused(t testing.TB, name string, err error, code fault.Code, part string) {
	t.Helper()
	if fault.CodeOf(err) != code || !strings.Contains(err.Error(), part) {
		t.Errorf("%s: %q: %v, want %q with %q", name, fault.CodeOf(err), err, code, part)
	}
}
