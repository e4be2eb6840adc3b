package run

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// The database dies under an executor and comes back: no step that was executed
// is lost or executed again, since the executor insists on writing it.
func TestDatabaseOutage(t *testing.T) {
	t.Parallel()
	server := pgtest.Server(t)
	if err := pg.Migrate(t.Context(), server.URL, "platform"); err != nil {
		t.Fatal(err)
	}
	f := newFixtureOn(t, pgtest.Pool(t, server.URL))
	const runs = 40
	id := f.published(steps(wait("one", 3), echo("two", "2"), wait("three", 4)))
	var all []uuid.UUID
	for range runs {
		all = append(all, f.submit(id, nil))
	}
	var waits atomic.Int64
	real := clock{time.Now, func(d time.Duration) <-chan time.Time {
		if d == 3*time.Millisecond || d == 4*time.Millisecond {
			waits.Add(1)
		}
		return time.After(d)
	}}
	f.Runs.executor = newExecutor(f.pool, slog.New(slog.DiscardHandler), real, ExecutorConfig{Name: "one", Poll: 50 * time.Millisecond})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	stopped := make(chan struct{})
	cut := f.listenFor(func() bool { return one[int](f, "SELECT count(*) FROM platform.run_step") > runs })
	go func() { defer close(stopped); f.Run(ctx) }()
	cut()
	server.Kill()
	server.Start(t)
	f.pool.Reset() // what the test itself asks must not meet a dead connection
	f.listenFor(func() bool {
		return one[int](f, "SELECT count(*) FROM platform.run WHERE finished_at IS NOT NULL") == runs
	})()
	stop()
	<-stopped
	for _, id := range all {
		if r := f.get(id); r.State != Succeeded || r.taken != 1 {
			t.Errorf("run %s is %s (%s), taken up %d times", id, r.State, r.Reason, r.taken)
		}
	}
	if n := one[int](f, "SELECT count(*) FROM platform.run_step"); n != 3*runs || waits.Load() != 2*runs {
		t.Errorf("%d steps, %d of them waits that were executed; want %d and %d", n, waits.Load(), 3*runs, 2*runs)
	}
}
