package run

import (
	"context"
	"log/slog"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// executorOf is the variable that makes the test binary an executor of the
// database at a URL.
const executorOf = "PHAROS_TEST_EXECUTOR_OF"

// brief is the lease of executors that die.
const brief = time.Second

func TestMain(m *testing.M) {
	url := os.Getenv(executorOf)
	if url == "" {
		os.Exit(m.Run())
	}
	pool, err := pg.Pool(url)
	if err != nil {
		panic(err)
	}
	c := clock{time.Now, time.After}
	newExecutor(pool, slog.Default(), c, ExecutorConfig{Name: "victim", Lease: brief}).run(context.Background())
}

// A process that is killed while it executes a run: another goes on with it once
// the lease is over, after the last step that was recorded.
func TestKilledProcess(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t, "platform")
	f := newFixtureOn(t, pgtest.Pool(t, url))
	run := f.submit(f.published(steps(echo("one", "1"), wait("two", 60_000), echo("three", "3"))), nil)
	recorded := f.listenFor(func() bool { return one[int](f, "SELECT count(*) FROM platform.run_step") == 1 })
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	victim := exec.CommandContext(t.Context(), self)
	victim.Env = append(os.Environ(), executorOf+"="+url)
	victim.Stderr = os.Stderr
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	recorded()
	if err := victim.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = victim.Wait() // it was killed
	killed := time.Now()

	hurried := clock{time.Now, func(d time.Duration) <-chan time.Time {
		if d == time.Minute {
			d = 0
		}
		return time.After(d)
	}}
	f.Runs.executor = newExecutor(f.pool, slog.New(slog.DiscardHandler), hurried, ExecutorConfig{Name: "heir", Lease: brief})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := f.listenFor(func() bool { return f.get(run).State.Finished() })
	stopped := make(chan struct{})
	go func() { defer close(stopped); f.Run(ctx) }()
	ended()
	stop()
	<-stopped
	if text, _ := f.Log(f.as("ada"), run); text != "#1.1 one: 1\n#1.2 two: waited 60000 ms\n#1.3 three: 3\n" {
		t.Errorf("log %q", text)
	}
	want := []Kind{Submitted, Started, StepSucceeded, Requeued, Started, StepSucceeded, StepSucceeded, HasEnded}
	if d := cmp.Diff(want, f.kinds(run)); d != "" {
		t.Errorf("what happened (-want +got):\n%s", d)
	}
	t.Logf("ended %s after the kill, with a lease of %s", time.Since(killed).Round(time.Millisecond), brief)
}
