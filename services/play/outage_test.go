package play_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/play"
)

// limited is the world over connections whose server waits and works no longer
// than it says.
func (w world) limited(t *testing.T, setting, value string) world {
	t.Helper()
	address, err := url.Parse(w.pool.Config().ConnString())
	if err != nil {
		t.Fatal(err)
	}
	query := address.Query()
	query.Set(setting, value)
	address.RawQuery = query.Encode()
	w.pool = pgtest.Pool(t, address.String())
	w.service = play.New(play.Config{Pool: w.pool, Origin: "http://127.0.0.1"})
	return w
}

// TestDatabaseInTheWay: a wait for a lock is a 503 with advice, a statement over
// its time a 504, for tools and programs alike; nothing is written.
//
// clause: P-26, P-37
func TestDatabaseInTheWay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	seat := w.assign(t)
	hold := held(t, w.pool, "SELECT FROM play.assignment WHERE id = '"+seat.AssignmentID.String()+"' FOR UPDATE",
		"LOCK TABLE play.wiki_page")
	for setting, want := range map[string]fault.Code{"lock_timeout": fault.Unavailable, "statement_timeout": fault.Timeout} {
		slow := w.limited(t, setting, "100")
		_, turned := slow.players(t, seat).call(t, "commit_play_turn", turn(1))
		_, listed := slow.authors(t, w.greta).call(t, "list_wiki_pages", object{})
		for tool, err := range map[string]error{"commit_play_turn": turned, "list_wiki_pages": listed} {
			f := fault.From(err)
			if err == nil || f.Code != want || f.RetryAfter == 0 || !strings.Contains(f.Message, "nothing was") {
				t.Errorf("%s, %s: %v, want %s", setting, tool, err, want)
			}
		}
		greta := as(t, slow.serve(t), "greta")
		a := greta.send(t, "POST", "/api/plays/"+seat.AssignmentID.String()+"/review/", object{
			"operation_id": seat.AssignmentID.String(), "expected_version": 1,
			"decisions": []object{{"id": seat.AssignmentID.String(), "decision": "approved"}},
		}).is(t, setting, want.Status(), string(want))
		if want == fault.Unavailable && a.header.Get("Retry-After") == "" {
			t.Errorf("%s: nothing says when to try again: %v", setting, a.header)
		}
	}
	hold()
	if version := w.players(t, seat).must(t, "get_play_context", object{})["version"]; version != 1. {
		t.Errorf("the version is %v, want 1", version)
	}
}

// held runs statements in a transaction that stays open until it is let go.
func held(t *testing.T, pool *pgxpool.Pool, statements ...string) (release func()) {
	t.Helper()
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range statements {
		if _, err := tx.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	return func() {
		if err := tx.Rollback(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
