package platformtest

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// many is how often a request is sent at the same time, half of it to each of
// two processes.
const many = 16

// together sends requests at the same time, to one process and the other.
func (c *caller) together(t *testing.T, urls []string, request func(n int) call) []reply {
	t.Helper()
	replies := make([]reply, many)
	begin := make(chan struct{})
	var all sync.WaitGroup
	for n := range many {
		all.Go(func() {
			<-begin
			var err error
			if replies[n], err = c.do(t.Context(), urls[n%len(urls)], request(n)); err != nil {
				t.Error(err)
			}
		})
	}
	close(begin)
	all.Wait()
	return replies
}

// TestCommands gives commands to two processes.
// clause: E-41
func TestCommands(t *testing.T) {
	t.Parallel()
	database := pgtest.URL(t, "platform")
	pool := pgtest.Pool(t, database)
	urls := []string{serve(t, database, noRuns).url, serve(t, database, noRuns).url}
	c := newCaller(t, addUser(t, database, "ada"))

	create := func(x call, other, table string, status int) {
		t.Helper()
		replies := c.together(t, urls, func(int) call { return x })
		first := c.must(t, urls[0], x, status)
		if first.ETag != `"1"` && status == http.StatusCreated || first.MediaType != "application/json" {
			t.Errorf("creating a %s: %+v", table, first)
		}
		for n, r := range replies {
			if d := cmp.Diff(first, r); d != "" {
				t.Errorf("creating a %s, reply %d (-want +got):\n%s", table, n, d)
			}
		}
		if n := one[int](t, pool, "SELECT count(*) FROM platform."+table); n != 1 {
			t.Errorf("%d rows of %s, want 1", n, table)
		}

		x.body = other
		reused := outcome{x.path[len(x.path)-36:], 0, "rejected", "idempotency_key_reuse"}
		for n, r := range c.together(t, urls, func(int) call { return x }) {
			if got := r.outcome(t); r.Status != http.StatusConflict || got != reused {
				t.Errorf("the key of a %s with another body, reply %d: %d %+v", table, n, r.Status, got)
			}
		}
	}
	create(opening(1), `{"title":"ticket 2","body":"It does not work."}`, "ticket", http.StatusCreated)
	create(call{
		method: "PUT", path: "/projects/" + identifier('b', 1), key: identifier('c', 1), ifMatch: "0", body: `{"slug":"tides","name":"Tides"}`,
	}, `{"slug":"tides","name":"Other tides"}`, "project", http.StatusCreated)
	pipeline := "/pipelines/" + identifier('d', 1)
	create(call{
		method: "PUT", path: pipeline, key: identifier('c', 2), ifMatch: "0",
		body: newPipeline("greeting", `{"kind":"echo","name":"greet","text":"hello"}`),
	}, newPipeline("greeting", `{"kind":"echo","name":"greet","text":"good-bye"}`), "pipeline", http.StatusCreated)
	c.must(t, urls[0], call{method: "POST", path: pipeline + "/publish", key: identifier('c', 3), ifMatch: "1"}, http.StatusOK)
	create(submission(1), strings.Replace(submission(1).body, "short", "long", 1), "run", http.StatusAccepted)

	// Many who change the same revision: one does, the others hear of the next.
	ticket := opening(1)
	change := func(n int) call {
		return call{
			method: "PATCH", path: ticket.path, key: identifier('e', n), ifMatch: `"1"`, body: fmt.Sprintf(`{"title":"changed by %d"}`, n),
		}
	}
	replies := c.together(t, urls, change)
	applied := 0
	for n, r := range replies {
		want := outcome{identifier('1', 1), 2, "rejected", "stale_revision"}
		if r.Status == http.StatusOK {
			applied++
			want.Status, want.Rejection = "applied", ""
		}
		if got := r.outcome(t); got != want || want.Rejection != "" && r.Status != http.StatusConflict {
			t.Errorf("change %d: %d %+v, want %+v", n, r.Status, got, want)
		}
	}
	if revision := one[int](t, pool, "SELECT revision FROM platform.ticket"); applied != 1 || revision != 2 {
		t.Errorf("%d changes of one revision were applied, which is %d now", applied, revision)
	}
	// Repeated at the other process, each has the answer that it got.
	for n, want := range replies {
		got, err := c.do(t.Context(), urls[(n+1)%2], change(n))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("change %d, repeated (-want +got):\n%s", n, d)
		}
	}
}
