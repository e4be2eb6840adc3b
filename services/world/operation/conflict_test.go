package operation_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// once does something at the first of a kind of moments.
func once(at moment, do func()) func(moment) error {
	done := false
	return func(m moment) error {
		if m == at && !done {
			done = true
			do()
		}
		return nil
	}
}

// clause: W-16
func TestConflict(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		step func(w *world)
		want counts
		row  []string
	}{
		"before the operation": {
			func(w *world) { w.place(at(1), dirt) },
			counts{journal.Conflicted, 5, 1}, []string{stone, dirt, stone, stone, stone, stone},
		},
		"before the intent": {
			func(w *world) { w.journal.on(once(beforeIntent, func() { w.place(at(1), dirt) })) },
			counts{journal.Conflicted, 5, 1}, []string{stone, dirt, stone, stone, stone, stone},
		},
		"after the intent": {
			func(w *world) { w.journal.on(once(afterIntent, func() { w.place(at(1), dirt) })) },
			counts{journal.Conflicted, 5, 1}, []string{stone, dirt, stone, stone, stone, stone},
		},
		"of a later slice": {
			func(w *world) { w.journal.on(once(afterIntent, func() { w.place(at(5), dirt) })) },
			counts{journal.Conflicted, 5, 1}, []string{stone, stone, stone, stone, stone, dirt},
		},
		"that is as wanted already": {
			func(w *world) { w.place(at(2), stone) },
			counts{journal.Conflicted, 5, 1}, []string{stone, stone, stone, stone, stone, stone},
		},
		"that is taken back": {
			func(w *world) { w.place(at(2), dirt, air) },
			counts{journal.Applied, 6, 0}, []string{stone, stone, stone, stone, stone, stone},
		},
		"that only the host sees": {
			func(w *world) { w.journal.on(once(afterIntent, func() { w.memory.Alter(at(0), glass) })) },
			counts{journal.Conflicted, 5, 1}, []string{glass, stone, stone, stone, stone, stone},
		},
		"with contents": {
			func(w *world) {
				w.journal.on(once(afterIntent, func() { w.memory.Put(at(3), air, "minecraft:chest") }))
			},
			counts{journal.Conflicted, 5, 1}, []string{stone, stone, stone, air, stone, stone},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p := w.plan(row(0, 6, air, stone))
			c.step(w)
			o := w.apply(p)
			if d := cmp.Diff(c.want, of(o)); d != "" {
				t.Errorf("operation (-want +got):\n%s", d)
			}
			if d := cmp.Diff(c.row, w.row(0, 6)); d != "" {
				t.Errorf("world (-want +got):\n%s", d)
			}
			if len(o.Sample) != c.want.Conflicts {
				t.Errorf("sample %v, want %d", o.Sample, c.want.Conflicts)
			}
		})
	}
}

// clause: W-16, W-17
func TestSample(t *testing.T) {
	t.Parallel()
	for _, n := range []int{32, 33} {
		w := newWorld(t)
		p := w.plan(row(0, n, air, stone))
		for x := range n {
			w.place(at(x), dirt)
		}
		o := w.apply(p)
		if o.Conflicts != n || len(o.Sample) != 32 || o.Sample[0] != (journal.Conflict{Pos: at(0), Expected: air, Actual: dirt}) {
			t.Errorf("%d conflicts, sample of %d, first %v", o.Conflicts, len(o.Sample), o.Sample[0])
		}
	}
}

// clause: W-12, W-16
func TestDependency(t *testing.T) {
	t.Parallel()
	far := geom.Pos{X: -5000, Y: 80, Z: 7000} // what lies between need not exist
	for name, c := range map[string]struct {
		step func(w *world)
		want counts
	}{
		"as it was":        {func(*world) {}, counts{journal.Applied, 6, 0}},
		"changed before":   {func(w *world) { w.place(far, dirt) }, counts{journal.Conflicted, 0, 6}},
		"changed and back": {func(w *world) { w.place(far, dirt, air) }, counts{journal.Applied, 6, 0}},
		"after the intent": {
			func(w *world) { w.journal.on(once(afterIntent, func() { w.place(far, dirt) })) },
			counts{journal.Conflicted, 0, 6},
		},
		"between two slices": {
			func(w *world) { w.journal.on(once(afterConfirm, func() { w.place(far, dirt) })) },
			counts{journal.Conflicted, 4, 2},
		},
		"missing": {func(w *world) {}, counts{journal.Conflicted, 0, 6}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			on := far
			if name == "missing" {
				on = geom.Pos{X: 64 * 16, Y: 80}
			}
			p := w.plan(row(0, 6, air, stone), func(p *journal.Plan) { p.Dependencies = []journal.Dependency{{Pos: on, State: air}} })
			c.step(w)
			o := w.apply(p)
			if d := cmp.Diff(c.want, of(o)); d != "" {
				t.Errorf("operation (-want +got):\n%s", d)
			}
			if o.Status == journal.Conflicted && (o.Reason == "" || len(o.Sample) != 1 || o.Sample[0].Pos != on) {
				t.Errorf("reason %q, sample %v, want the dependency in both", o.Reason, o.Sample)
			}
		})
	}
}

// A dependency is looked at outside the lock of what is written: a change in
// between takes the edit back.
func TestDependencyInTheEdit(t *testing.T) {
	t.Parallel()
	far := geom.Pos{X: -500, Y: 80}
	for tries, want := range map[int]counts{1: {journal.Applied, 6, 0}, 7: {journal.Applied, 6, 0}} {
		w := newWorld(t)
		p := w.plan(row(0, 6, air, stone), func(p *journal.Plan) { p.Dependencies = []journal.Dependency{{Pos: far, State: air}} })
		left := tries
		intent := false
		w.journal.on(func(m moment) error { intent = m == afterIntent; return nil })
		w.host.on(func(m moment) error {
			if m == afterView && intent && left > 0 {
				left--
				w.place(geom.Pos{Z: 90, Y: 70}, dirt, air) // somewhere else
			}
			return nil
		})
		if d := cmp.Diff(want, of(w.apply(p))); d != "" || left > 0 {
			t.Errorf("moved %d times, %d left: operation (-want +got):\n%s", tries, left, d)
		}
	}
}

func TestMissingChunks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	edge := 64 * 16 // from here on nothing exists
	p := w.plan([]journal.Change{
		{Pos: geom.Pos{X: -4000, Y: 70}, Before: air, After: stone}, {Pos: at(edge - 1), Before: air, After: stone},
		{Pos: geom.Pos{X: -9, Y: 70, Z: 8000}, Before: air, After: stone},
	})
	if d := cmp.Diff(counts{journal.Applied, 3, 0}, of(w.apply(p))); d != "" {
		t.Errorf("far apart (-want +got):\n%s", d)
	}
	o := w.apply(w.plan(row(edge-2, 4, stone, dirt)[1:]))
	if o.Status != journal.Failed || o.Reason == "" || o.Written > 1 {
		t.Errorf("beyond the edge: %v, reason %q, want failed", of(o), o.Reason)
	}
	w.memory.MakeReadOnly("the test says so")
	o = w.apply(w.plan(row(0, 4, air, dirt)))
	if d := cmp.Diff(counts{journal.Failed, 0, 0}, of(o)); d != "" {
		t.Errorf("read only (-want +got):\n%s", d)
	}
}
