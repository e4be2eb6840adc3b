package operation_test

import (
	"errors"
	"io/fs"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/operation"
)

// interrupt begins a plan whose engine dies at the nth of a kind of moments, and
// starts another.
func (w *world) interrupt(p journal.Plan, at moment, nth int) journal.Operation {
	w.t.Helper()
	dies := func(m moment) error {
		if m == at {
			if nth--; nth == 0 {
				runtime.Goexit()
			}
		}
		return nil
	}
	w.host.on(dies)
	w.journal.on(dies)
	o := w.begin(p)
	if _, err := w.engine.Wait(w.t.Context(), project, o.ID); err == nil {
		w.t.Fatalf("the engine lives on: its operation passed %q too seldom", at)
	}
	w.reopen()
	return o
}

// clause: W-20, W-21, W-22, W-23
func TestRecovery(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := w.apply(w.plan(row(4, 4, air, dirt)))
	p := w.plan(append(row(0, 4, air, stone), append(row(4, 4, dirt, stone), row(8, 4, air, stone)...)...))
	w.place(at(2), glass) // skipped in the first slice
	o := w.interrupt(p, beforeFlush, 2)

	got := w.status(o.ID)
	if got.Status != journal.RecoveryRequired || got.Reason == "" {
		t.Fatalf("status %s, reason %q, want recovery_required", got.Status, got.Reason)
	}
	next := w.plan(row(20, 1, air, stone))
	_, err := w.engine.Apply(t.Context(), request(next, "next"))
	want(t, err, journal.NeedsRecovery)
	_, err = w.engine.Estate(t.Context(), project, o.ID)
	want(t, err, journal.NeedsRecovery)

	w.place(at(5), glass)
	r, err := w.engine.Review(t.Context(), project, o.ID)
	if err != nil {
		t.Fatal(err)
	}
	mask := positions(0, 1, 3, 4, 5, 6, 7)
	wantReview := operation.Review{
		Positions: 7, After: 6, Foreign: 1,
		Digest: operation.Digest(mask, []string{stone, stone, stone, stone, glass, stone, stone}),
	}
	if d := cmp.Diff(wantReview, r, cmpopts.IgnoreFields(operation.Review{}, "Operation", "Sampled")); d != "" {
		t.Errorf("review (-want +got):\n%s", d)
	}
	_, err = w.engine.Review(t.Context(), "another", o.ID)
	want(t, err, fault.NotFound)
	_, err = w.engine.Review(t.Context(), project, before.ID)
	want(t, err, fault.Invalid)

	w.place(at(5), dirt)
	_, err = w.engine.Abandon(t.Context(), project, o.ID, r.Digest)
	want(t, err, fault.Invalid)
	if s := w.status(o.ID).Status; s != journal.RecoveryRequired {
		t.Errorf("after a wrong digest it is %s", s)
	}
	w.place(at(5), glass)
	done, err := w.engine.Abandon(t.Context(), project, o.ID, r.Digest)
	if err != nil || done.Status != journal.Failed || !done.UndoOff {
		t.Fatalf("abandoned: %+v, %v", done, err)
	}
	again, err := w.engine.Abandon(t.Context(), project, o.ID, r.Digest)
	if err != nil || again.Status != journal.Failed {
		t.Errorf("again: %s, %v", again.Status, err)
	}
	if d := cmp.Diff([]string{stone, stone, glass, stone, stone, glass, stone, stone, air, air, air, air}, w.row(0, 12)); d != "" {
		t.Errorf("world (-want +got):\n%s", d)
	}
	if e := w.estate(done); len(e.Own) > 0 || len(e.Lost) != 3 || e.Lost[0].Why != operation.Abandoned {
		t.Errorf("the abandoned one has %v, and has lost %v", e.Own, e.Lost)
	}
	if d := cmp.Diff(map[operation.Why][]geom.Pos{operation.LaterWrite: positions(4, 5, 6, 7)}, lost(w.estate(before))); d != "" {
		t.Errorf("lost by the one before (-want +got):\n%s", d)
	}
	if o := w.apply(next); o.Status != journal.Applied {
		t.Errorf("the next is %s", o.Status)
	}
}

// A chunk that is gone must not keep the world closed for ever.
func TestRecoveryOfLostChunks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	o := w.interrupt(w.plan(row(0, 3, air, stone)), afterIntent, 1)
	w.host.on(func(m moment) error {
		if m == beforeView {
			return &unusable
		}
		return nil
	})
	r, err := w.engine.Review(t.Context(), project, o.ID)
	if err != nil || r.Foreign != 3 {
		t.Fatalf("review %+v, %v, want 3 foreign states", r, err)
	}
	if _, err := w.engine.Abandon(t.Context(), project, o.ID, r.Digest); err != nil {
		t.Error(err)
	}
}

// clause: W-22, W-23
func TestAbandonFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	o := w.interrupt(w.plan(row(0, 3, air, stone)), beforeConfirm, 1)
	r, err := w.engine.Review(t.Context(), project, o.ID)
	if err != nil {
		t.Fatal(err)
	}
	full := &fs.PathError{Op: "write", Path: "/srv/save/region/r.0.0.mca", Err: errors.New("no space left on device")}
	for _, m := range []moment{beforeFlush, beforeAbandon} {
		fails := func(got moment) error {
			if got == m {
				return full
			}
			return nil
		}
		w.host.on(fails)
		w.journal.on(fails)
		_, err := w.engine.Abandon(t.Context(), project, o.ID, r.Digest)
		if m == beforeAbandon && !errors.Is(err, full) {
			t.Errorf("%s: error %v", m, err)
		}
		if m == beforeFlush { // who decides is told what to do, and no folder
			f := fault.From(err)
			if f.Code != fault.Unavailable || !strings.Contains(f.Message, "write r.0.0.mca: no space") || strings.Contains(f.Message, "/srv") {
				t.Errorf("%s: error %v", m, err)
			}
		}
		if s := w.status(o.ID).Status; s != journal.RecoveryRequired {
			t.Errorf("%s: it is %s", m, s)
		}
	}
}
