package operation_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/operation"
)

// estate is what an operation has, and what it has lost.
func (w *world) estate(o journal.Operation) operation.Estate {
	w.t.Helper()
	e, err := w.engine.Estate(w.t.Context(), project, o.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	return e
}

// clause: W-18
func TestEstate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		step func(w *world)
		own  []geom.Pos
		lost map[operation.Why][]geom.Pos
	}{
		"untouched": {func(*world) {}, positions(0, 1, 2), map[operation.Why][]geom.Pos{}},
		"changed by somebody": {
			func(w *world) { w.place(at(1), dirt) },
			positions(0, 2), map[operation.Why][]geom.Pos{operation.Outside: positions(1)},
		},
		"changed by somebody, back": {
			func(w *world) { w.place(at(1), dirt, stone) },
			positions(0, 2), map[operation.Why][]geom.Pos{operation.Outside: positions(1)},
		},
		"beside": {
			func(w *world) { w.place(at(3), dirt) },
			positions(0, 1, 2), map[operation.Why][]geom.Pos{},
		},
		"changed by us": {
			func(w *world) { w.apply(w.plan(row(1, 1, stone, dirt))) },
			positions(0, 2), map[operation.Why][]geom.Pos{operation.LaterWrite: positions(1)},
		},
		"changed by us, back": {func(w *world) {
			w.apply(w.plan(row(1, 1, stone, dirt)))
			w.apply(w.plan(row(1, 1, dirt, stone)))
		}, positions(0, 2), map[operation.Why][]geom.Pos{operation.LaterWrite: positions(1)}},
		"conflict of ours": {
			func(w *world) { w.apply(w.plan(row(1, 1, glass, dirt))) },
			positions(0, 1, 2), map[operation.Why][]geom.Pos{},
		},
		"undone of ours": {func(w *world) {
			o := w.apply(w.plan(row(2, 1, stone, dirt)))
			w.apply(w.undo(o))
		}, positions(0, 1), map[operation.Why][]geom.Pos{operation.LaterWrite: positions(2)}},
		"by somebody, then a restart": {
			func(w *world) { w.place(at(1), dirt, stone); w.reopen() },
			positions(0, 1, 2), map[operation.Why][]geom.Pos{},
		},
		"by us, then a restart": {func(w *world) {
			w.apply(w.plan(row(1, 1, stone, dirt)))
			w.reopen()
		}, positions(0, 2), map[operation.Why][]geom.Pos{operation.LaterWrite: positions(1)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			o := w.apply(w.plan(row(0, 3, air, stone)))
			c.step(w)
			e := w.estate(o)
			if d := cmp.Diff(c.own, own(e)); d != "" {
				t.Errorf("own (-want +got):\n%s", d)
			}
			if d := cmp.Diff(c.lost, lost(e)); d != "" {
				t.Errorf("lost (-want +got):\n%s", d)
			}
		})
	}
	t.Run("of what was written alone", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		p := w.plan(row(0, 3, air, stone))
		w.place(at(1), dirt)
		if d := cmp.Diff(positions(0, 2), own(w.estate(w.apply(p)))); d != "" {
			t.Errorf("own (-want +got):\n%s", d)
		}
	})
	t.Run("of what is not done", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		var err error
		w.journal.on(func(m moment) error {
			if m == afterIntent {
				o, _ := w.store.Unfinished(t.Context())
				_, err = w.engine.Estate(t.Context(), project, o[0].ID)
			}
			return nil
		})
		w.apply(w.plan(row(0, 1, air, stone)))
		want(t, err, journal.Busy)
	})
}

// clause: W-17, W-18
func TestUndo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		step func(w *world, o journal.Operation) // after the undo is prepared
		want counts
		row  []string
	}{
		"all": {
			func(*world, journal.Operation) {},
			counts{journal.Applied, 6, 0}, []string{air, air, air, air, air, air},
		},
		"not what was changed": {
			func(w *world, _ journal.Operation) { w.place(at(1), dirt) },
			counts{journal.Conflicted, 5, 1}, []string{air, dirt, air, air, air, air},
		},
		"not what changed and back": {
			func(w *world, _ journal.Operation) { w.place(at(1), dirt, stone) }, counts{journal.Conflicted, 5, 1},
			[]string{air, stone, air, air, air, air},
		},
		"nor in the last moment": {
			func(w *world, _ journal.Operation) {
				w.journal.on(once(afterIntent, func() { w.place(at(1), dirt, stone) }))
			}, counts{journal.Conflicted, 5, 1}, []string{air, stone, air, air, air, air},
		},
		"nor what we changed and back": {
			func(w *world, _ journal.Operation) {
				w.apply(w.plan(row(4, 1, stone, dirt)))
				w.apply(w.plan(row(4, 1, dirt, stone)))
			}, counts{journal.Conflicted, 5, 1}, []string{air, air, air, air, stone, air},
		},
		"nor twice": {
			func(w *world, o journal.Operation) {
				w.apply(w.undo(o))
				w.apply(w.plan(row(0, 6, air, stone)))
			}, counts{journal.Conflicted, 0, 6}, []string{stone, stone, stone, stone, stone, stone},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			o := w.apply(w.plan(row(0, 6, air, stone)))
			p := w.undo(o)
			c.step(w, o)
			if d := cmp.Diff(c.want, of(w.apply(p))); d != "" {
				t.Errorf("operation (-want +got):\n%s", d)
			}
			if d := cmp.Diff(c.row, w.row(0, 6)); d != "" {
				t.Errorf("world (-want +got):\n%s", d)
			}
		})
	}
	t.Run("of an undo", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		o := w.apply(w.plan(row(0, 2, air, stone)))
		u := w.apply(w.undo(o))
		if d := cmp.Diff(counts{journal.Applied, 2, 0}, of(w.apply(w.undo(u)))); d != "" || w.state(at(1)) != stone {
			t.Errorf("operation (-want +got):\n%s", d)
		}
	})
	t.Run("of what was abandoned", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		o := w.interrupt(w.plan(row(0, 6, air, stone)), beforeConfirm, 2)
		r, err := w.engine.Review(t.Context(), project, o.ID)
		if err == nil {
			_, err = w.engine.Abandon(t.Context(), project, o.ID, r.Digest)
		}
		if err != nil {
			t.Fatal(err)
		}
		p := w.plan(row(0, 6, stone, air), func(p *journal.Plan) { p.Kind, p.Undoes = journal.Undo, &o.ID })
		if d := cmp.Diff(counts{journal.Conflicted, 0, 6}, of(w.apply(p))); d != "" {
			t.Errorf("operation (-want +got):\n%s", d)
		}
	})
}
