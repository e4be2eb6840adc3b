package worldtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/operation"
)

// quit ends it as `pg_ctl stop -m immediate` does.
func (o *own) quit() error {
	text, err := os.ReadFile(filepath.Join(o.cluster.Folder, "data", "postmaster.pid"))
	if err != nil {
		return err
	}
	line, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil {
		return err
	}
	if err := syscall.Kill(pid, syscall.SIGQUIT); err != nil {
		return err
	}
	<-o.process.Ended()
	o.process = nil
	return nil
}

// interrupted is a journal at one of whose writes something happens once: before
// it, or after it and before the engine knows.
type interrupted struct {
	*journal.Store
	mu     sync.Mutex
	writes int
	at     int
	after  bool
	happen func()
}

// arm has something happen at the n-th write from now.
func (i *interrupted) arm(n int, after bool, happen func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.at, i.after, i.happen = i.writes+n, after, happen
}

func (i *interrupted) passed(n int, after bool) {
	i.mu.Lock()
	happen := i.happen
	now := happen != nil && n == i.at && after == i.after
	if now {
		i.happen = nil
	}
	i.mu.Unlock()
	if now {
		happen()
	}
}

func (i *interrupted) write(f func() (journal.Operation, error)) (journal.Operation, error) {
	i.mu.Lock()
	i.writes++
	n := i.writes
	i.mu.Unlock()
	i.passed(n, false)
	o, err := f()
	i.passed(n, true)
	return o, err
}

// Intent implements operation.Journal.
func (i *interrupted) Intent(ctx context.Context, s journal.Slice) (journal.Operation, error) {
	return i.write(func() (journal.Operation, error) { return i.Store.Intent(ctx, s) })
}

// Confirm implements operation.Journal.
func (i *interrupted) Confirm(ctx context.Context, s journal.Slice, sample []journal.Conflict) (journal.Operation, error) {
	return i.write(func() (journal.Operation, error) { return i.Store.Confirm(ctx, s, sample) })
}

// Finish implements operation.Journal.
func (i *interrupted) Finish(ctx context.Context, id uuid.UUID, status journal.Status, reason string) (journal.Operation, error) {
	return i.write(func() (journal.Operation, error) { return i.Store.Finish(ctx, id, status, reason) })
}

// persist repeats a call until PostgreSQL can be asked, as its caller is told to.
func (w *wreck) persist(t testing.TB, call func() (fields, error)) fields {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		result, err := call()
		if err == nil {
			return result
		}
		passes := fault.CodeOf(err) == fault.Unavailable || errors.Is(err, context.DeadlineExceeded)
		if !passes || time.Now().After(deadline) {
			t.Fatal(err)
		}
		if w.trouble != nil {
			w.trouble()
		}
	}
}

// goesOn builds a plan in the middle of whatever happens to the journal, and
// holds the process, which lives, to ending it by itself.
func (w *wreck) goesOn(t testing.TB, s *site, key, block string) {
	t.Helper()
	ctx := t.Context()
	plan := w.persist(t, func() (fields, error) {
		return s.prepare(ctx, box(geom.Pos{X: -10, Y: 70, Z: -10}, geom.Pos{X: 9, Y: 73, Z: 9}, block))
	})
	o := w.persist(t, func() (fields, error) { return s.apply(ctx, key, plan) })
	again := w.persist(t, func() (fields, error) { return s.apply(ctx, key, plan) })
	if again.text("operation_id") != o.text("operation_id") {
		t.Errorf("the same call made %s and %s", o.text("operation_id"), again.text("operation_id"))
	}
	after := w.persist(t, func() (fields, error) { return s.wait(ctx, o) })
	if after.text("status") != string(journal.Applied) || after["written"] != plan["changed_blocks"] || after["conflicts"] != 0.0 {
		t.Errorf("after it: %v, of %v blocks", after, plan["changed_blocks"])
	}
}

// agrees holds the disk to the journal, which has as many operations.
func (w *wreck) agrees(t testing.TB, operations int) {
	t.Helper()
	l, err := readLedger(t.Context(), journal.New(journal.Config{Pool: w.pool, World: w.world}), nil)
	ok(t, err)
	if len(l.entries) != operations {
		t.Errorf("%d operations, want %d", len(l.entries), operations)
	}
	found, err := differences(w.durable())
	ok(t, err)
	if wrong := l.wrong(found); wrong != "" {
		t.Error(wrong)
	}
}

// inWorld is a new world in a folder, with its journal.
func inWorld(t testing.TB, folder, url string) *wreck {
	t.Helper()
	p, closed, err := inFolder(folder, poolAt(t, url))
	ok(t, err)
	t.Cleanup(func() { _ = closed() })
	return &wreck{place: p}
}

// living opens it until the test ends.
func (w *wreck) living(t testing.TB) *site {
	t.Helper()
	s, err := w.open(t.Context())
	ok(t, err)
	w.world = s.Host.Info().World
	t.Cleanup(func() { _ = s.close() })
	return s
}

// TestPostgresDies kills the journal's server before and after writes of an
// operation, and starts it again after a time; the process that builds lives on
// and goes on by itself.
//
// clause: W-15, W-20, W-24
func TestPostgresDies(t *testing.T) {
	t.Parallel()
	server := newOwn(t, t.TempDir())
	rounds := 4
	if *long {
		rounds = 24
	}
	random := rand.New(rand.NewPCG(*seed, 3))
	w := inWorld(t, t.TempDir(), server.url)
	var kept *interrupted
	w.wrap = func(s *journal.Store) operation.Journal {
		kept = &interrupted{Store: s}
		return kept
	}
	s := w.living(t)
	for n := range rounds {
		died := make(chan struct{})
		// A build has 4 slices at least: 9 writes with its end.
		kept.arm(1+random.IntN(9), n%2 == 1, func() {
			if n%4 < 2 {
				server.kill()
			} else if err := server.quit(); err != nil {
				t.Error(err)
			}
			close(died)
		})
		back := make(chan error, 1)
		go func() {
			select {
			case <-died:
			case <-t.Context().Done():
				back <- t.Context().Err()
				return
			}
			_, err := s.call(t.Context(), "project_context", fields{})
			if fault.CodeOf(err) != fault.Unavailable {
				t.Errorf("without a server: %v", err)
			}
			back <- server.start(t.Context())
		}()
		w.goesOn(t, s, fmt.Sprint("round-", n), []string{"minecraft:bricks", "minecraft:stone"}[n%2])
		select {
		case <-died:
			ok(t, <-back)
		default:
			t.Fatal("no server died")
		}
		w.agrees(t, n+1)
	}
}
