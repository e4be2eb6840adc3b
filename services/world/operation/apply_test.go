package operation_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// clause: W-15, W-17
func TestApply(t *testing.T) {
	t.Parallel()
	t.Run("writes a plan in slices", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		o := w.apply(w.plan(row(0, 10, air, stone)))
		if d := cmp.Diff(counts{journal.Applied, 10, 0}, of(o)); d != "" {
			t.Errorf("operation (-want +got):\n%s", d)
		}
		if d := cmp.Diff(slices.Repeat([]string{stone}, 10), w.row(0, 10)); d != "" {
			t.Errorf("world (-want +got):\n%s", d)
		}
		s, err := w.store.Slices(t.Context(), o.ID)
		if err != nil || len(s) != 3 {
			t.Errorf("%d slices, %v, want 3 of at most 4 blocks", len(s), err)
		}
	})
	t.Run("does nothing for a plan without changes", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		if d := cmp.Diff(counts{journal.Applied, 0, 0}, of(w.apply(w.plan(nil)))); d != "" {
			t.Errorf("operation (-want +got):\n%s", d)
		}
	})
	t.Run("gives the same operation again", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		p := w.plan(row(0, 3, air, stone))
		o := w.apply(p)
		w.place(at(0), air)
		again := w.apply(p)
		if o.ID != again.ID || w.state(at(0)) != air {
			t.Errorf("the same call made operation %s after %s, %s stands there", again.ID, o.ID, w.state(at(0)))
		}
		w.reopen()
		if again := w.apply(p); o.ID != again.ID {
			t.Errorf("the same call after a restart made %s, want %s", again.ID, o.ID)
		}
		_, err := w.engine.Apply(t.Context(), request(p, "another"))
		want(t, err, journal.PlanUsed)
		_, err = w.engine.Apply(t.Context(), request(w.plan(row(5, 1, air, stone)), p.ID.String()))
		want(t, err, journal.KeyReused)
	})
	t.Run("begins one at a time", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		p, q := w.plan(row(0, 9, air, stone)), w.plan(row(20, 1, air, stone))
		var errs []error
		w.journal.on(func(m moment) error {
			if m == afterIntent {
				_, err := w.engine.Apply(t.Context(), request(q, "q"))
				errs = append(errs, err)
			}
			return nil
		})
		w.apply(p)
		w.journal.forget()
		for _, err := range errs {
			want(t, err, journal.Busy)
		}
		if len(errs) != 3 {
			t.Errorf("%d tries, want 3", len(errs))
		}
		if o := w.apply(q); o.Status != journal.Applied {
			t.Errorf("afterwards: %s", o.Status)
		}
	})
	t.Run("asks for the permission", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		p := w.plan(row(0, 1, air, stone))
		w.forbid(fault.New(journal.PermissionDenied, "not any more"))
		_, err := w.engine.Apply(t.Context(), request(p, "k"))
		want(t, err, journal.PermissionDenied)
		if w.state(at(0)) != air {
			t.Error("it was written")
		}
	})
}

// clause: W-04
func TestPermissionTakenAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	slicesDone := 0
	w.journal.on(func(m moment) error {
		if m == afterConfirm {
			if slicesDone++; slicesDone == 2 {
				w.forbid(fault.New(journal.PermissionDenied, "it was taken away"))
			}
		}
		return nil
	})
	o := w.apply(w.plan(row(0, 12, air, stone)))
	if d := cmp.Diff(counts{journal.Failed, 8, 0}, of(o)); d != "" || o.Reason == "" {
		t.Errorf("operation (-want +got):\n%s, reason %q", d, o.Reason)
	}
	if w.state(at(8)) != air {
		t.Error("a slice was written without a permission")
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	o := w.apply(w.plan(row(0, 1, air, stone)))
	for name, call := range map[string]func() error{
		"status of another project": func() error {
			_, err := w.engine.Status(t.Context(), "another", o.ID)
			return err
		},
		"cancel of another project": func() error {
			_, err := w.engine.Cancel(t.Context(), "another", o.ID)
			return err
		},
		"status of nothing": func() error {
			_, err := w.engine.Status(t.Context(), project, uuid.New())
			return err
		},
		"estate of another project": func() error {
			_, err := w.engine.Estate(t.Context(), "another", o.ID)
			return err
		},
	} {
		if err := call(); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%s: %v, want not_found", name, err)
		}
	}
}
