package platformtest

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// TestKill kills a process while it carries out a write. Its caller, who was
// not answered, repeats the request at the other process, and has the answer of
// what was done, once.
// clause: E-41
func TestKill(t *testing.T) {
	t.Parallel()
	database := pgtest.URL(t, "platform")
	pool := pgtest.Pool(t, database)
	token := addUser(t, database, "ada")
	other := serve(t, database, noRuns)
	for n, c := range []struct {
		at   moment
		done int // how often the write was done when the process is dead
	}{{committing, 0}, {committed, 1}, {answering, 1}} {
		t.Run(string(c.at), func(t *testing.T) {
			t.Parallel()
			create := opening(n)
			var victim *process
			r := &relay{mark: fmt.Appendf(nil, "ticket %d", n), at: c.at, then: func() { victim.kill() }}
			var url string
			if c.at == answering {
				victim = serve(t, database, noRuns)
				r.to = func() (net.Conn, error) { return net.Dial("tcp", strings.TrimPrefix(victim.url, "http://")) }
				r.start(t)
				url = "http://" + r.address
			} else {
				victim = serve(t, r.toDatabase(t, database), noRuns)
				url = victim.url
			}
			count := func(table, column string) int {
				t.Helper()
				return one[int](t, pool, "SELECT count(*) FROM platform."+table+" WHERE "+column+" = $1", identifier('1', n))
			}

			ada := newCaller(t, token)
			if got, err := ada.do(t.Context(), url, create); err == nil {
				t.Fatalf("it was answered with %+v", got)
			}
			<-victim.ended
			if !r.came.Load() {
				t.Fatal("the process was not killed")
			}
			if rows, receipts := count("ticket", "id"), count("receipt", "aggregate_id"); rows != c.done || receipts != c.done {
				t.Errorf("%d tickets and %d receipts after the death, want %d", rows, receipts, c.done)
			}
			first := ada.must(t, other.url, create, http.StatusCreated)
			second := ada.must(t, other.url, create, http.StatusCreated)
			if d := cmp.Diff(first, second); d != "" {
				t.Errorf("repeated once more (-first +second):\n%s", d)
			}
			if rows, receipts := count("ticket", "id"), count("receipt", "aggregate_id"); rows != 1 || receipts != 1 {
				t.Errorf("%d tickets and %d receipts in the end, want 1", rows, receipts)
			}
		})
	}
}
