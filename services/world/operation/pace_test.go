package operation_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/operation"
)

// floor is n changes of one chunk's layers.
func floor(n int) []journal.Change {
	var changes []journal.Change
	for p := range (geom.Box{Max: geom.Pos{X: 15, Y: 80, Z: 15}}).Positions() {
		if len(changes) == n {
			break
		}
		changes = append(changes, journal.Change{Pos: p, Before: air, After: stone})
	}
	return changes
}

// sizes are how many blocks each slice of an operation meant and wrote.
func (w *world) sizes(o journal.Operation) (intents, written []int) {
	w.t.Helper()
	all, err := w.store.Slices(w.t.Context(), o.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, s := range all {
		intents, written = append(intents, len(s.Intent)), append(written, len(s.Written))
	}
	return intents, written
}

// clause: W-15
func TestPace(t *testing.T) {
	t.Parallel()
	paced := func(c *operation.Config) { *c = c.WithSlices(operation.SliceBlocks); c.Unpaced = false }
	t.Run("at most 512 blocks a tick", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, paced)
		o := w.apply(w.plan(floor(1025)))
		intents, _ := w.sizes(o)
		if d := cmp.Diff([]int{512, 512, 1}, intents); d != "" {
			t.Errorf("slices (-want +got):\n%s", d)
		}
		if d := cmp.Diff([]time.Duration{operation.Tick, operation.Tick}, w.clock.slept); d != "" {
			t.Errorf("slept (-want +got):\n%s", d)
		}
	})
	t.Run("at most 5 ms an edit", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, paced)
		w.clock.each = 2500 * time.Microsecond // the second look at the clock is too late
		o := w.apply(w.plan(floor(200)))
		intents, written := w.sizes(o)
		if d := cmp.Diff([][]int{{200, 72}, {128, 72}}, [][]int{intents, written}); d != "" || o.Status != journal.Applied {
			t.Errorf("%s: intents and written (-want +got):\n%s", o.Status, d)
		}
		w = newWorld(t, paced)
		w.clock.each = 5 * time.Millisecond
		o = w.apply(w.plan(floor(200)))
		if _, written := w.sizes(o); !slices.Equal(written, []int{64, 64, 64, 8}) || o.Status != journal.Applied {
			t.Errorf("%s: written %v", o.Status, written)
		}
	})
	t.Run("none where nobody minds", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, paced, func(c *operation.Config) { c.Unpaced = true })
		w.clock.each = time.Second
		if _, written := w.sizes(w.apply(w.plan(floor(600)))); !slices.Equal(written, []int{512, 88}) || w.clock.slept != nil {
			t.Errorf("written %v, slept %v", written, w.clock.slept)
		}
	})
}
