package run

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// start runs the service's listening and executing until the function that it
// gives is called.
func (f *fixture) start(config ExecutorConfig) (stop func()) {
	f.t.Helper()
	ctx, cancel := context.WithCancel(f.t.Context())
	f.Runs.executor = newExecutor(f.pool, slog.New(slog.DiscardHandler), f.time.clock(), config)
	done := make(chan struct{})
	go func() { defer close(done); f.Run(ctx) }()
	return func() { cancel(); <-done }
}

// A run that waits is cancelled as soon as that is asked for: the executor is
// told, its clock stands still.
func TestCancelDuringWait(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.published(steps(echo("one", "1"), wait("two", 60_000)))
	defer f.start(ExecutorConfig{Name: "one", Poll: time.Hour, Lease: time.Hour})()
	run := f.submit(id, nil)
	f.awaitWait(time.Minute)
	ended := f.listenFor(func() bool { return f.get(run).State.Finished() })
	o, err := f.Cancel(f.as("ada"), on("cancelRun", run, 1))
	answered(t, "cancelling", o, err, 202, 2, "")
	ended()
	if r := f.get(run); r.State != Cancelled || r.StepsDone != 1 || r.Reason != "" {
		t.Errorf("the run is %s after %d steps (%q)", r.State, r.StepsDone, r.Reason)
	}
	want := []Kind{Submitted, Started, StepSucceeded, CancelRequested, WasCancelled}
	if d := cmp.Diff(want, f.kinds(run)); d != "" {
		t.Errorf("what happened (-want +got):\n%s", d)
	}
}

// Without the notice, an executor learns of a cancellation by its next sign of
// life, and between two steps.
func TestCancelUnheard(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.published(steps(echo("one", "1"), wait("two", 60_000), echo("three", "3")))
	e := f.newExecutor("one")
	for name, learn := range map[string]func(){
		"a sign of life": func() {
			if err := e.beat(t.Context()); err != nil {
				t.Fatal(err)
			}
		},
		"the end of a step": func() { f.time.advance(time.Minute) },
	} {
		run := f.submit(id, nil)
		if taken, err := e.take(t.Context()); err != nil || !taken {
			t.Fatalf("took %v, %v", taken, err)
		}
		f.awaitWait(time.Minute)
		o, err := f.Cancel(f.as("ada"), on("cancelRun", run, 1))
		answered(t, "cancelling", o, err, 202, 2, "")
		o, err = f.Cancel(f.as("ada"), on("cancelRun", run, 2))
		answered(t, "cancelling once more", o, err, 409, 2, "run_cancelling")
		learn()
		e.jobs.Wait()
		if r := f.get(run); r.State != Cancelled || r.StepsDone == 3 {
			t.Errorf("after %s the run is %s, with %d steps", name, r.State, r.StepsDone)
		}
	}
}

// Cancelling against ending: one of them comes first, and all agree on which.
func TestCancelRaces(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.published(steps(echo("one", "1"), echo("two", "2")))
	e := f.newExecutor("one")
	cancelled := 0
	for range 40 {
		run := f.submit(id, nil)
		var group sync.WaitGroup
		group.Go(func() {
			if _, err := e.take(t.Context()); err != nil {
				t.Error(err)
			}
		})
		o, err := f.Cancel(f.as("ada"), on("cancelRun", run, 1))
		group.Wait()
		e.jobs.Wait()
		if err != nil {
			t.Fatal(err)
		}
		r, kinds := f.get(run), f.kinds(run)
		want := Cancelled
		if o.Rejection != "" {
			want = Succeeded
		} else {
			cancelled++
		}
		if r.State != want || Kind(r.State) != kinds[len(kinds)-1] || r.held != nil {
			t.Errorf("the answer is %d %q, the run %s, after %v", o.Status, o.Rejection, r.State, kinds)
		}
		if r.State == Cancelled && slices.Contains(kinds, HasEnded) {
			t.Errorf("a cancelled run: %v", kinds)
		}
	}
	if n := one[int](f, "SELECT started - succeeded - cancelled FROM platform.project_usage"); n != 0 {
		t.Errorf("the project's usage leaves %d runs open", n)
	}
	t.Logf("%d of 40 were cancelled", cancelled)
}
