package run

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/services/platform/pipeline"
)

// finish takes up a run and waits for its job.
func finish(t *testing.T, e *executor) {
	t.Helper()
	if taken, err := e.take(t.Context()); err != nil || !taken {
		t.Fatalf("took %v, %v; want a run", taken, err)
	}
	e.jobs.Wait()
}

func TestExecution(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e := f.newExecutor("one")
	value := "world"
	greeting := pipeline.Definition{
		Parameters: []pipeline.Parameter{{Name: "who", Default: &value}},
		Steps:      []pipeline.Step{echo("greet", "hello ${who}"), hashing("digest", "abc", 2), echo("dollars", "$5 $${who}")},
	}
	good := f.submit(f.published(greeting), map[string]string{"who": "Ada"})
	finish(t, e)
	at := noon
	want := Run{
		ID: good, Project: f.project, Pipeline: f.get(good).Pipeline, Version: 1, Queue: "short",
		Parameters: map[string]string{"who": "Ada"}, State: Succeeded, Revision: 1, Attempt: 1, Steps: 3, StepsDone: 3,
		SubmittedBy: f.ids["ada"], CreatedAt: noon, QueuedAt: noon, StartedAt: &at, FinishedAt: &at, taken: 1,
	}
	if d := cmp.Diff(want, f.get(good), cmp.AllowUnexported(Run{})); d != "" {
		t.Errorf("the run (-want +got):\n%s", d)
	}
	text, err := f.Log(f.as("vic"), good)
	// The digest of the digest of abc.
	const log = "#1.1 greet: hello Ada\n" +
		"#1.2 digest: 4f8b42c22dd3729b519ba6f68d2da7cc5b2d606d05daed5ad5128cc03e6c6358\n" +
		"#1.3 dollars: $5 ${who}\n"
	if text != log || err != nil {
		t.Errorf("log %q, %v; want %q", text, err, log)
	}
	kinds := []Kind{Submitted, Started, StepSucceeded, StepSucceeded, StepSucceeded, HasEnded}
	if d := cmp.Diff(kinds, f.kinds(good)); d != "" {
		t.Errorf("what happened (-want +got):\n%s", d)
	}

	bad := f.submit(f.published(steps(echo("greet", "hello"), failing("stop", "not yet"), echo("never", "never"))), nil)
	finish(t, e)
	if r := f.get(bad); r.State != Failed || r.Reason != "step stop: not yet" || r.StepsDone != 2 {
		t.Errorf("a failing run is %s (%q) after %d steps", r.State, r.Reason, r.StepsDone)
	}
	if text, _ := f.Log(f.as("ada"), bad); text != "#1.1 greet: hello\n#1.2 stop failed: not yet\n" {
		t.Errorf("the log of a failing run is %q", text)
	}
	usage := one[string](f, `SELECT started || ' ' || succeeded || ' ' || failed || ' ' || cancelled
		FROM platform.project_usage WHERE project_id = $1`, f.project)
	if usage != "2 1 1 0" {
		t.Errorf("the project's usage is %s", usage)
	}
	if taken, err := e.take(t.Context()); taken || err != nil {
		t.Errorf("an empty queue gives %v, %v", taken, err)
	}
}

// Several executors on one queue: every step of every run is executed once, and
// never more runs go on than the queue lets.
func TestManyExecutors(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	const runs, executors = 200, 4
	id := f.published(steps(echo("one", "1"), hashing("two", "2", 10), wait("three", 1), echo("four", "4")))
	var all []uuid.UUID
	for range runs {
		all = append(all, f.submit(id, nil))
	}
	ended := f.listenFor(func() bool {
		return one[int](f, "SELECT count(*) FROM platform.run WHERE finished_at IS NOT NULL") == runs
	})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var group sync.WaitGroup
	var waits atomic.Int64 // the third step of each run
	for n := range executors {
		real := clock{time.Now, func(d time.Duration) <-chan time.Time {
			if d == time.Millisecond {
				waits.Add(1)
			}
			return time.After(d)
		}}
		e := newExecutor(f.pool, slog.New(slog.DiscardHandler), real, ExecutorConfig{Name: fmt.Sprint(n), Poll: 50 * time.Millisecond})
		group.Go(func() { e.run(ctx) })
	}
	ended()
	stop()
	group.Wait()
	for _, id := range all {
		if r := f.get(id); r.State != Succeeded || r.taken != 1 {
			t.Errorf("run %s is %s, taken up %d times", id, r.State, r.taken)
		}
	}
	if n := one[int](f, "SELECT count(*) FROM platform.run_step"); n != runs*4 {
		t.Errorf("%d steps, want %d", n, runs*4)
	}
	if n := waits.Load(); n != runs {
		t.Errorf("%d waits were executed, want %d", n, runs)
	}
	most := one[int](f, `SELECT max(going) FROM (
		SELECT sum(change) OVER (ORDER BY sequence) AS going FROM (
			SELECT sequence, CASE kind WHEN 'started' THEN 1 WHEN 'succeeded' THEN -1 ELSE 0 END AS change FROM platform.run_event
		) AS changes) AS sums`)
	if most > 8 || most < 2 {
		t.Errorf("%d runs went on at once, want several, and at most the queue's 8", most)
	}
	if n := one[int](f, "SELECT count(*) FROM platform.executor"); n != 0 {
		t.Errorf("%d executors are left", n)
	}
	gaps := one[int](f, "SELECT max(sequence) - count(*) FROM platform.run_event")
	if gaps != 0 {
		t.Errorf("the feed has %d gaps", gaps)
	}
}

// Executors die while others work: every run ends, and a step is executed again
// only where its run was taken from a dead executor.
func TestManyDeaths(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	const runs = 60
	id := f.published(steps(wait("one", 3), wait("two", 4), wait("three", 5)))
	var all []uuid.UUID
	for range runs {
		all = append(all, f.submit(id, nil))
	}
	ended := f.listenFor(func() bool {
		return one[int](f, "SELECT count(*) FROM platform.run WHERE finished_at IS NOT NULL") == runs
	})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var group sync.WaitGroup
	var executed atomic.Int64
	real := clock{time.Now, func(d time.Duration) <-chan time.Time {
		if d >= 3*time.Millisecond && d <= 5*time.Millisecond {
			executed.Add(1)
		}
		return time.After(d)
	}}
	start := func(name string, pool *pgxpool.Pool) {
		e := newExecutor(pool, slog.New(slog.DiscardHandler), real,
			ExecutorConfig{Name: name, Lease: 600 * time.Millisecond, Poll: 20 * time.Millisecond})
		group.Go(func() { e.run(ctx) })
	}
	start("survivor", f.pool)
	for n := range 3 {
		pool, err := pgxpool.NewWithConfig(t.Context(), f.pool.Config())
		if err != nil {
			t.Fatal(err)
		}
		start(fmt.Sprint("victim ", n), pool)
		cut := f.listenFor(func() bool {
			return one[int](f, "SELECT count(*) FROM platform.run_step") > 10*(n+1)
		})
		cut()
		go pool.Close() // from here on it can neither write nor give a sign of life
	}
	ended()
	stop()
	group.Wait()
	again := int64(0)
	for _, id := range all {
		r := f.get(id)
		if r.State != Succeeded && r.Reason != "3 executors stopped while they had it" {
			t.Errorf("run %s is %s: %s", id, r.State, r.Reason)
		}
		again += r.taken - 1
	}
	if n := one[int64](f, "SELECT count(*) FROM platform.run_step"); executed.Load() > n+again {
		t.Errorf("%d steps were executed for %d that are recorded and %d deaths", executed.Load(), n, again)
	}
	t.Logf("%d steps executed, runs taken over %d times", executed.Load(), again)
}

// An executor that dies: its run is taken up again after the lease, goes on
// after the last recorded step, and the dead one can write no more.
func TestDeath(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.submit(f.published(steps(echo("one", "1"), echo("two", "2"))), nil)
	dead, living := f.newExecutor("dead"), f.newExecutor("living")
	lease := uuid.New()
	dead.keep(lease, &job{stop: func(error) {}})
	task, found, err := dead.claim(t.Context(), lease)
	if err != nil || !found {
		t.Fatalf("claimed %v, %v", found, err)
	}
	first := step{1, 1, "one", pipeline.Echo, false, "1", noon, noon}
	if err := dead.record(&task, first); err != nil {
		t.Fatal(err)
	}

	f.time.advance(30 * time.Second) // to the end of the lease, not beyond it
	for range 2 {
		if err := living.beat(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := living.sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if f.time.time().Equal(noon.Add(30 * time.Second)) {
			if r := f.get(id); r.State != Running {
				t.Fatalf("at the end of the lease the run is %s", r.State)
			}
			f.time.advance(time.Microsecond)
		}
	}
	if r := f.get(id); r.State != Queued || r.held != nil || r.StepsDone != 1 {
		t.Fatalf("after the lease the run is %s, held %v, with %d steps", r.State, r.held, r.StepsDone)
	}
	second := step{1, 2, "two", pipeline.Echo, false, "from the dead", noon, noon}
	if err := dead.record(&task, second); !errors.Is(err, errLost) {
		t.Errorf("the dead executor writes: %v", err)
	}
	finish(t, living)
	if err := dead.record(&task, second); !errors.Is(err, errLost) {
		t.Errorf("the dead executor writes after the end: %v", err)
	}
	if text, _ := f.Log(f.as("ada"), id); text != "#1.1 one: 1\n#1.2 two: 2\n" {
		t.Errorf("log %q", text)
	}
	want := []Kind{Submitted, Started, StepSucceeded, Requeued, Started, StepSucceeded, HasEnded}
	if d := cmp.Diff(want, f.kinds(id)); d != "" {
		t.Errorf("what happened (-want +got):\n%s", d)
	}
	if name := one[string](f, "SELECT name FROM platform.executor"); name != "living" {
		t.Errorf("%s is known, want the living one", name)
	}
}

// An attempt ends when too many executors die of it, and a retry begins anew.
func TestDeaths(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.submit(f.published(steps(wait("long", 1000))), nil)
	living := f.newExecutor("living")
	for n := range maxTaken {
		if r := f.get(id); r.State != Queued {
			t.Fatalf("after %d deaths the run is %s", n, r.State)
		}
		dead := f.newExecutor("dead")
		lease := uuid.New()
		if _, found, err := dead.claim(t.Context(), lease); err != nil || !found {
			t.Fatalf("claimed %v, %v", found, err)
		}
		f.time.advance(31 * time.Second)
		if err := errors.Join(living.beat(t.Context()), living.sweep(t.Context())); err != nil {
			t.Fatal(err)
		}
	}
	if r := f.get(id); r.State != Failed || r.Reason != "3 executors stopped while they had it" {
		t.Errorf("the run is %s: %q", r.State, r.Reason)
	}
	o, err := f.Retry(f.as("ada"), on("retryRun", id, 1))
	if err != nil || o.Status != 202 || o.Version != 2 {
		t.Fatalf("retrying: %+v, %v", o, err)
	}
	if r := f.get(id); r.State != Queued || r.Attempt != 2 || r.taken != 0 || r.StartedAt != nil || r.FinishedAt != nil {
		t.Errorf("after a retry: %+v", r)
	}
}

// An executor that finds in the database what it does not know to have gives it
// back: a claim whose answer was lost holds no run for ever.
func TestForgottenClaim(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.submit(f.published(steps(echo("one", "1"))), nil)
	e := f.newExecutor("one")
	if _, found, err := e.claim(t.Context(), uuid.New()); err != nil || !found {
		t.Fatalf("claimed %v, %v", found, err)
	}
	if err := e.beat(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := f.get(id); r.State != Queued || r.taken != 0 {
		t.Errorf("the run is %s, taken up %d times", r.State, r.taken)
	}
}

// Stopping gives back what has not ended, and the next executor goes on with it.
func TestStop(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.submit(f.published(steps(echo("one", "1"), wait("two", 5000))), nil)
	ctx, stop := context.WithCancel(t.Context())
	e := newExecutor(f.pool, slog.New(slog.DiscardHandler), f.time.clock(), ExecutorConfig{Name: "one"})
	stopped := make(chan struct{})
	go func() { defer close(stopped); e.run(ctx) }()
	f.awaitWait(5 * time.Second)
	stop()
	<-stopped
	if r := f.get(id); r.State != Queued || r.StepsDone != 1 || r.taken != 0 {
		t.Errorf("after the stop the run is %s with %d steps, taken up %d times", r.State, r.StepsDone, r.taken)
	}
	if n := one[int](f, "SELECT count(*) FROM platform.executor"); n != 0 {
		t.Errorf("%d executors are known", n)
	}
	next := f.newExecutor("next")
	if taken, err := next.take(t.Context()); err != nil || !taken {
		t.Fatalf("took %v, %v", taken, err)
	}
	f.awaitWait(5 * time.Second)
	f.time.advance(5 * time.Second)
	next.jobs.Wait()
	if text, _ := f.Log(f.as("ada"), id); text != "#1.1 one: 1\n#1.2 two: waited 5000 ms\n" {
		t.Errorf("log %q", text)
	}
}

// A run that takes longer than its queue allows fails.
func TestOvertime(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.exec("UPDATE platform.hpc_queue SET run_seconds = 2 WHERE name = 'short'")
	id := f.submit(f.published(steps(wait("long", 60_000))), nil)
	e := f.newExecutor("one")
	if taken, err := e.take(t.Context()); err != nil || !taken {
		t.Fatalf("took %v, %v", taken, err)
	}
	f.awaitWait(2 * time.Second)
	f.time.advance(2 * time.Second)
	e.jobs.Wait()
	if r := f.get(id); r.State != Failed || r.Reason != "it took longer than the 2s that its queue allows" {
		t.Errorf("the run is %s: %q", r.State, r.Reason)
	}
}

// A queue executes no more runs than it lets go on, and none when it is closed.
func TestQueueBounds(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.exec("UPDATE platform.hpc_queue SET running_runs = 2 WHERE name = 'short'")
	id := f.published(steps(wait("long", 1000)))
	for range 4 {
		f.submit(id, nil)
	}
	e := f.newExecutor("one")
	take := func(want bool) {
		t.Helper()
		if taken, err := e.take(t.Context()); err != nil || taken != want {
			t.Fatalf("took %v, %v; want %v", taken, err, want)
		}
	}
	// The queue is looked at once more under its lock: others may have been
	// faster.
	claim := func(want bool) {
		t.Helper()
		if _, found, err := e.claimFrom(t.Context(), "short", uuid.New()); err != nil || found != want {
			t.Fatalf("claimed %v, %v; want %v", found, err, want)
		}
	}
	take(true)
	take(true)
	take(false)
	claim(false)
	f.exec("UPDATE platform.hpc_queue SET running_runs = 3, state = 'draining' WHERE name = 'short'")
	take(true)
	f.exec("UPDATE platform.hpc_queue SET running_runs = 4, state = 'closed' WHERE name = 'short'")
	take(false)
	claim(false)
	f.exec("UPDATE platform.hpc_queue SET state = 'open' WHERE name = 'short'")
	claim(true)
	e.stopAll()
	e.jobs.Wait()
}

// awaitWait waits until something waits for so long on the fixture's clock.
func (f *fixture) awaitWait(d time.Duration) {
	f.t.Helper()
	limit := time.After(20 * time.Second)
	for {
		select {
		case got := <-f.time.asked:
			if got == d {
				return
			}
		case <-limit:
			f.t.Fatalf("nothing waits for %s", d)
		}
	}
}

// listenFor listens to what happens to ada's runs. The function that it gives
// waits until something holds, which it looks at each time that it is told.
func (f *fixture) listenFor(holds func() bool) (wait func()) {
	f.t.Helper()
	conn, err := pgx.ConnectConfig(f.t.Context(), f.pool.Config().ConnConfig)
	if err != nil {
		f.t.Fatal(err)
	}
	if _, err := conn.Exec(f.t.Context(), "LISTEN "+channelHappened); err != nil {
		f.t.Fatal(err)
	}
	return func() {
		f.t.Helper()
		defer conn.Close(context.WithoutCancel(f.t.Context()))
		ctx, cancel := context.WithTimeout(f.t.Context(), 60*time.Second)
		defer cancel()
		for !holds() {
			if _, err := conn.WaitForNotification(ctx); err != nil {
				f.t.Fatal(err)
			}
		}
	}
}
