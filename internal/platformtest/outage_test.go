package platformtest

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// The load of an outage: so many clients, and so many tickets that they see
// through from opening to closing between two events.
const (
	clients = 8
	between = 40
)

// recovery is the most that it may take from when the database takes
// connections until every client is served again.
const recovery = 10 * time.Second

// load is clients at work.
type load struct {
	t      *testing.T
	ctx    context.Context
	urls   []string
	caller *caller

	tickets  atomic.Int64 // seen through
	served   atomic.Int64 // good replies
	refused  atomic.Int64 // for the time being
	slowest  atomic.Int64 // of all replies
	servedTo [clients]atomic.Int64
}

// work sees tickets through until over is closed: each is opened, read, listed,
// commented on and closed.
func (l *load) work(client int, over <-chan struct{}) {
	for n := client; ; n += clients {
		select {
		case <-over:
			return
		default:
		}
		open := opening(n)
		read := call{method: "GET", path: open.path}
		list := call{method: "GET", path: "/support/tickets?limit=5"}
		comment := call{
			method: "POST", path: open.path + "/comments", key: identifier('3', n), ifMatch: "1", body: `{"body":"Any news?"}`,
		}
		closing := call{method: "POST", path: open.path + "/close", key: identifier('4', n), ifMatch: "2"}
		for _, step := range []struct {
			call
			status int
		}{{open, 201}, {read, 200}, {list, 200}, {comment, 201}, {read, 200}, {closing, 200}} {
			if !l.insist(client, n, step.call, step.status) {
				return
			}
		}
		l.tickets.Add(1)
	}
}

// insist repeats a request, at one process and the other, until it is served.
// Until then every reply must say that it is for the time being.
func (l *load) insist(client, n int, x call, status int) bool {
	for try := 0; ; try++ {
		begun := time.Now()
		r, err := l.caller.do(l.ctx, l.urls[(n+try)%len(l.urls)], x)
		took := int64(time.Since(begun))
		for was := l.slowest.Load(); took > was && !l.slowest.CompareAndSwap(was, took); was = l.slowest.Load() {
		}
		switch {
		case err == nil && r.Status == status:
			l.served.Add(1)
			l.servedTo[client].Add(1)
			return true
		case err != nil || !r.passing():
			l.t.Errorf("%s %s after %s, try %d: %+v, %v", x.method, x.path, time.Duration(took), try, r, err)
			return false
		}
		l.refused.Add(1)
		time.Sleep(5 * time.Millisecond) // the client's own patience, shortened
	}
}

// passing tells that a reply is a problem document which says when to try again.
func (r reply) passing() bool {
	var p struct {
		Code   string
		Status int
	}
	after, err := strconv.Atoi(r.RetryAfter)
	return err == nil && after >= 1 && r.Status == http.StatusServiceUnavailable &&
		r.MediaType == "application/problem+json" && json.Unmarshal([]byte(r.Body), &p) == nil &&
		p.Code == "unavailable" && p.Status == r.Status
}

// more waits until clients have seen so many tickets through.
func (l *load) more(tickets int64) {
	l.t.Helper()
	want := l.tickets.Load() + tickets
	await(l.t, time.Minute, "the clients go on", func() bool { return l.tickets.Load() >= want || l.t.Failed() })
}

// all waits until each client is served once more.
func (l *load) all(limit time.Duration) {
	l.t.Helper()
	var was [clients]int64
	for n := range was {
		was[n] = l.servedTo[n].Load()
	}
	await(l.t, limit, "every client is served again", func() bool {
		for n := range was {
			if l.servedTo[n].Load() == was[n] && !l.t.Failed() {
				return false
			}
		}
		return true
	})
}

// TestOutages stops, kills and starts the database of two processes while
// clients read and write and runs go on.
func TestOutages(t *testing.T) {
	t.Parallel()
	const runs = 4
	server := pgtest.Server(t)
	pool := pgtest.Pool(t, server.URL)
	names := [2]string{"first", "second"}
	var processes []*process
	for _, name := range names {
		processes = append(processes, serve(t, named(t, server.URL, name), runs))
	}
	l := &load{
		t: t, ctx: t.Context(), caller: newCaller(t, addUser(t, server.URL, "ada")),
		urls: []string{processes[0].url, processes[1].url},
	}
	over := make(chan struct{})
	var all sync.WaitGroup
	for client := range clients {
		all.Go(func() { l.work(client, over) })
	}
	stop := sync.OnceFunc(func() { close(over); all.Wait() })
	defer stop()
	l.more(between)
	files := [2]int{processes[0].files(t), processes[1].files(t)}

	l.caller.submit(t, l.urls[0], runs)
	await(t, patience, "all runs go on", func() bool {
		return one[int](t, pool, "SELECT count(*) FROM platform.run WHERE state = 'running'") == runs
	})
	rounds := 1
	if *long {
		rounds = 25
	}
	var slowest time.Duration
	for range rounds {
		for _, end := range []func(){server.Stop, server.Kill} {
			end()
			was := l.refused.Load()
			time.Sleep(time.Second) // a step of each run ends meanwhile
			await(t, patience, "clients are refused", func() bool { return l.refused.Load() > was+2*clients })
			server.Start(t)
			begun := time.Now()
			l.all(recovery)
			slowest = max(slowest, time.Since(begun))
			l.more(between)
		}
	}
	stop()
	t.Logf("%d tickets, %d good replies, %d refused; the slowest reply after %s, the slowest recovery after %s",
		l.tickets.Load(), l.served.Load(), l.refused.Load(), time.Duration(l.slowest.Load()), slowest)

	l.check(pool)
	await(t, time.Minute, "all runs have ended", func() bool {
		return one[int](t, pool, "SELECT count(*) FROM platform.run WHERE finished_at IS NULL") == 0
	})
	l.caller.checkRuns(t, l.urls[0], pool, runs)
	if n := one[int](t, pool, "SELECT count(*) FROM platform.run_event WHERE kind = 'requeued'"); n != 0 {
		t.Errorf("%d runs were queued again, though nobody died", n)
	}
	for _, name := range names {
		n := one[int](t, pool, "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1", name)
		if n == 0 || n > connections {
			t.Errorf("%d connections of the %s process, want at most %d", n, name, connections)
		}
	}
	l.caller.client.CloseIdleConnections()
	fresh := serve(t, server.URL, runs)
	l.caller.must(t, fresh.url, call{method: "GET", path: "/support/tickets"}, http.StatusOK)
	l.caller.client.CloseIdleConnections()
	for n, p := range processes {
		await(t, 20*time.Second, "files are closed", func() bool { return p.files(t) <= files[n] })
	}
	want := fresh.goroutines()
	for _, p := range processes {
		if got := p.goroutines(); got > want+fewGoroutines || want == 0 {
			t.Errorf("%d goroutines after all that, %d in a fresh process\n%s", got, want, p.stderr.String())
		}
	}
}

// connections are those of a process: its pool, and the one that listens.
const connections = 16 + 1

// named is the URL of a database for connections that say whose they are.
func named(t *testing.T, database, name string) string {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("application_name", name)
	u.RawQuery = q.Encode()
	return u.String()
}

// fewGoroutines is how many more a process may have than a fresh one: a
// connection that is just being closed has some.
const fewGoroutines = 6

// check holds what is in the database against what was acknowledged.
func (l *load) check(pool *pgxpool.Pool) {
	l.t.Helper()
	tickets := int(l.tickets.Load())
	for what, sql := range map[string]string{
		"tickets":           "SELECT count(*) FROM platform.ticket",
		"whole tickets":     "SELECT count(*) FROM platform.ticket WHERE state = 'closed' AND comments = 1 AND revision = 3",
		"comments":          "SELECT count(*) FROM platform.ticket_comment",
		"thirds of answers": "SELECT count(*) / 3 FROM platform.receipt JOIN platform.ticket ON id = aggregate_id",
	} {
		if got := one[int](l.t, pool, sql); got != tickets {
			l.t.Errorf("%d %s, want %d", got, what, tickets)
		}
	}
}
