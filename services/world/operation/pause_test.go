package operation_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// clause: W-17
func TestCancel(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		at   moment
		want counts
	}{
		"before the first slice":  {afterBegin, counts{journal.Cancelled, 0, 0}},
		"before an intent":        {beforeIntent, counts{journal.Cancelled, 0, 0}},
		"in a slice":              {afterIntent, counts{journal.Cancelled, 4, 0}},
		"between slices":          {afterConfirm, counts{journal.Cancelled, 4, 0}},
		"when all is done":        {beforeFinish, counts{journal.Applied, 10, 0}},
		"when it has ended":       {afterFinish, counts{journal.Applied, 10, 0}},
		"while it waits to go on": {inEdit, counts{journal.Cancelled, 0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			cancel := func() {
				all, err := w.store.Recent(t.Context(), project, 1)
				if err == nil {
					_, err = w.engine.Cancel(t.Context(), project, all[0].ID)
				}
				if err != nil {
					t.Error(err)
				}
			}
			if c.at == inEdit { // it is paused and has nothing written when it is cancelled
				w.journal.on(once(beforeIntent, func() {
					if err := w.engine.Pause(t.Context(), project); err != nil {
						t.Error(err)
					}
				}))
				o := w.begin(w.plan(row(0, 10, air, stone)))
				cancel()
				if d := cmp.Diff(c.want, of(w.wait(o.ID))); d != "" {
					t.Errorf("operation (-want +got):\n%s", d)
				}
				return
			}
			w.journal.on(once(c.at, cancel))
			o := w.apply(w.plan(row(0, 10, air, stone)))
			if d := cmp.Diff(c.want, of(o)); d != "" {
				t.Errorf("operation (-want +got):\n%s", d)
			}
		})
	}
	t.Run("outlives the process", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.journal.on(once(afterIntent, func() {
			all, _ := w.store.Recent(t.Context(), project, 1)
			if _, err := w.engine.Cancel(t.Context(), project, all[0].ID); err != nil {
				t.Error(err)
			}
			w.host.on(once(beforeFlush, runtime.Goexit))
		}))
		o := w.begin(w.plan(row(0, 10, air, stone)))
		if _, err := w.engine.Wait(t.Context(), project, o.ID); err == nil {
			t.Fatal("the engine lives on")
		}
		w.reopen()
		if got := w.status(o.ID); !got.CancelRequested || got.Status != journal.RecoveryRequired {
			t.Errorf("%s, cancel requested %v", got.Status, got.CancelRequested)
		}
		_, err := w.engine.Cancel(t.Context(), project, o.ID)
		want(t, err, journal.NeedsRecovery)
	})
}

// clause: W-41
func TestPause(t *testing.T) {
	t.Parallel()
	t.Run("stops before the next slice", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		stopped := make(chan struct{})
		w.journal.on(once(afterConfirm, func() {
			if err := w.engine.Pause(t.Context(), project); err != nil {
				t.Error(err)
			}
			close(stopped)
		}))
		o := w.begin(w.plan(row(0, 10, air, stone)))
		<-stopped
		if got := w.status(o.ID); !got.Paused || got.Status != journal.Applying || got.Written != 4 {
			t.Errorf("paused: %+v", of(got))
		}
		if paused, err := w.engine.Paused(t.Context(), project); err != nil || !paused {
			t.Errorf("Paused: %v, %v", paused, err)
		}
		_, err := w.engine.Apply(t.Context(), request(w.plan(row(20, 1, air, stone)), "k"))
		want(t, err, journal.Paused)
		if err := w.engine.Resume(t.Context(), project); err != nil {
			t.Fatal(err)
		}
		if got := w.wait(o.ID); of(got) != (counts{journal.Applied, 10, 0}) || got.Paused {
			t.Errorf("resumed: %+v, paused %v", of(got), got.Paused)
		}
	})
	t.Run("outlives the process", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		if err := w.engine.Pause(t.Context(), project); err != nil {
			t.Fatal(err)
		}
		w.reopen()
		_, err := w.engine.Apply(t.Context(), request(w.plan(row(0, 1, air, stone)), "k"))
		want(t, err, journal.Paused)
		if err := w.engine.Resume(t.Context(), project); err != nil {
			t.Fatal(err)
		}
		if o := w.apply(w.plan(row(0, 1, air, stone))); o.Status != journal.Applied {
			t.Errorf("resumed: %s", o.Status)
		}
	})
	t.Run("stops without the journal too", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		errs := make(chan error, 1)
		ctx, cancel := context.WithCancel(t.Context())
		w.journal.on(once(afterConfirm, func() {
			cancel()
			errs <- errors.Join(w.engine.Pause(ctx, project))
		}))
		o := w.begin(w.plan(row(0, 10, air, stone)))
		if err := <-errs; err == nil {
			t.Error("a pause that is not durable is no error")
		}
		if got := w.status(o.ID); !got.Paused || got.Written != 4 {
			t.Errorf("paused: %+v", of(got))
		}
		if err := w.engine.Resume(t.Context(), project); err != nil {
			t.Fatal(err)
		}
		w.wait(o.ID)
	})
	t.Run("leaves other projects alone", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		if err := w.engine.Pause(t.Context(), "another"); err != nil {
			t.Fatal(err)
		}
		if o := w.apply(w.plan(row(0, 1, air, stone))); o.Status != journal.Applied {
			t.Errorf("it is %s", o.Status)
		}
	})
}

// A pause that comes in the middle of an edit waits for it.
//
// clause: W-41
func TestPauseWaitsForTheEdit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	seen := &watcher{}
	defer w.memory.Observe(seen)()
	returned := make(chan struct{})
	w.host.on(once(inEdit, func() {
		go func() {
			defer close(returned)
			if err := w.engine.Pause(context.WithoutCancel(t.Context()), project); err != nil {
				t.Error(err)
			}
			seen.forbidden.Store(true)
		}()
		for range 50 { // one that does not wait has the time to return
			if paused, err := w.store.ProjectPaused(t.Context(), project); err != nil || paused {
				<-returned
				return
			}
		}
	}))
	o := w.begin(w.plan(row(0, 10, air, stone)))
	<-returned
	if got := w.status(o.ID); seen.late.Load() != 0 || seen.all.Load() != 4 || !got.Paused {
		t.Errorf("%d blocks changed, %d of them after Pause had returned, paused %v", seen.all.Load(), seen.late.Load(), got.Paused)
	}
	seen.forbidden.Store(false)
	if err := w.engine.Resume(t.Context(), project); err != nil {
		t.Fatal(err)
	}
	w.wait(o.ID)
}

// watcher counts the changes of operations, and those that come while it is forbidden.
type watcher struct {
	forbidden atomic.Bool
	late      atomic.Int64
	all       atomic.Int64
}

func (w *watcher) OnBlocks(all []host.Change) {
	if all[0].Cause.Kind == host.ByOperation {
		w.all.Add(int64(len(all)))
		if w.forbidden.Load() {
			w.late.Add(int64(len(all)))
		}
	}
}
func (*watcher) OnChat(host.Player, string) {}
func (*watcher) OnJoin(host.Player)         {}
func (*watcher) OnQuit(host.Player)         {}

// clause: W-41
func TestNothingAfterPause(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	seen := &watcher{}
	defer w.memory.Observe(seen)()
	box := make([]journal.Change, 0, 1600)
	for p := range (geom.Box{Min: at(0), Max: geom.Pos{X: 39, Y: 70, Z: 39}}).Positions() {
		box = append(box, journal.Change{Pos: p, Before: air, After: stone})
	}
	o := w.begin(w.plan(box))
	random := rand.New(rand.NewPCG(1, 2))
	pauses := 0
	for w.status(o.ID).Status.Active() {
		for range random.IntN(2000) {
			runtime.Gosched()
		}
		if err := w.engine.Pause(t.Context(), project); err != nil {
			t.Fatal(err)
		}
		seen.forbidden.Store(true)
		before := seen.all.Load()
		for range 3 { // the worker has the time of some calls of the journal
			w.status(o.ID)
		}
		if after := seen.all.Load(); after != before {
			t.Fatalf("%d blocks changed after Pause had returned", after-before)
		}
		seen.forbidden.Store(false)
		if err := w.engine.Resume(t.Context(), project); err != nil {
			t.Fatal(err)
		}
		pauses++
	}
	if got := w.wait(o.ID); of(got) != (counts{journal.Applied, 1600, 0}) || seen.late.Load() != 0 || pauses < 5 {
		t.Errorf("%+v after %d pauses, %d late", of(got), pauses, seen.late.Load())
	}
}
