package desk

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/camera/worker"
)

// start runs a desk until the test ends.
func start(t *testing.T, d *Desk) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); d.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
}

// await fetches until there is an answer.
func await(t *testing.T, d *Desk, project, id string) (worker.Frame, error) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if f, done, err := d.Fetch(project, id); done || err != nil {
			return f, err
		}
	}
	t.Fatal("the picture was never made")
	return worker.Frame{}, nil
}

// TestOneAtATime: pictures are made one after the other, in the order of asking,
// and are for the project that asked.
//
// clause: W-50, W-51
func TestOneAtATime(t *testing.T) {
	t.Parallel()
	d := New()
	start(t, d)
	var now, most, count atomic.Int64
	var ids []string
	for range Waiting {
		id, err := d.Order("a", func(context.Context) (worker.Frame, error) {
			most.Store(max(most.Load(), now.Add(1)))
			defer now.Add(-1)
			return worker.Frame{Revision: uint64(count.Add(1))}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	for i, id := range ids {
		if f, err := await(t, d, "a", id); err != nil || f.Revision != uint64(i+1) {
			t.Errorf("picture %d was made as %d (%v)", i+1, f.Revision, err)
		}
		if _, _, err := d.Fetch("b", id); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("another project: %v", err)
		}
	}
	if most.Load() != 1 {
		t.Errorf("%d were made at a time", most.Load())
	}
}

// TestEnds: what fails, takes too long or is asked for too often is never a
// success.
//
// clause: W-52
func TestEnds(t *testing.T) {
	t.Parallel()
	d := New()
	d.limit = 50 * time.Millisecond
	start(t, d)
	broken := fault.New(worker.Unavailable, "no camera")
	id, err := d.Order("a", func(context.Context) (worker.Frame, error) { return worker.Frame{}, broken })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := await(t, d, "a", id); !errors.Is(err, broken) {
		t.Errorf("no camera: %v", err)
	}
	id, err = d.Order("a", func(ctx context.Context) (worker.Frame, error) { <-ctx.Done(); return worker.Frame{}, ctx.Err() })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := await(t, d, "a", id); fault.CodeOf(err) != worker.NotReady || !strings.Contains(err.Error(), "not made within") {
		t.Errorf("too long: %v", err)
	}
}

// TestBounds: what waits and what is kept is bounded, and old pictures go.
func TestBounds(t *testing.T) {
	t.Parallel()
	d := New() // nobody works at it yet
	at := time.Unix(1000, 0)
	d.now = func() time.Time { return at }
	job := func(context.Context) (worker.Frame, error) { return worker.Frame{}, nil }
	var first string
	for i := range Waiting {
		id, err := d.Order("a", job)
		if err != nil {
			t.Fatalf("order %d: %v", i+1, err)
		}
		if i == 0 {
			first = id
		}
	}
	if _, err := d.Order("a", job); fault.CodeOf(err) != "busy" {
		t.Errorf("one too many: %v", err)
	}
	for o := d.next(); o != nil; o = d.next() {
		o.done, o.ended = true, at
	}
	at = at.Add(Life)
	if _, done, err := d.Fetch("a", first); !done || err != nil {
		t.Errorf("at the end of its life: %t, %v", done, err)
	}
	for range 2 * Kept {
		if _, err := d.Order("a", job); err != nil {
			t.Fatal(err)
		}
		o := d.next()
		o.done, o.ended = true, at
	}
	if n := d.done(); n > Kept {
		t.Errorf("%d are kept", n)
	}
	at = at.Add(Life + 1)
	if _, _, err := d.Fetch("a", first); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("after its life: %v", err)
	}
}
