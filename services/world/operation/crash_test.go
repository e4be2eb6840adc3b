package operation_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/world/crashpoint"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/operation"
)

// ours are the crash points that the engine passes.
var ours = []crashpoint.Point{
	crashpoint.StartupMarked, crashpoint.OperationBegun, crashpoint.SliceChecked, crashpoint.IntentDurable, crashpoint.EditHalf,
	crashpoint.EditDone, crashpoint.FlushDone, crashpoint.SliceConfirmed, crashpoint.OperationEnded, crashpoint.CancelDurable,
	crashpoint.AbandonRead, crashpoint.AbandonDurable,
}

// life is a world whose engine dies once.
type life struct {
	t *testing.T
	w *world
	m *model
}

// dies runs f on a goroutine of its own, and tells whether that was ended.
func dies(f func()) bool {
	ended, died := make(chan struct{}), true
	go func() {
		defer close(ended)
		f()
		died = false
	}()
	<-ended
	return died
}

// The engine dies at each of its points, the first and the second time it passes
// there; another takes over, and all that is promised still holds. The points are
// armed for the whole process, so this test is alone.
//
// clause: W-20, W-21, W-22, W-23, W-24
func TestCrash(t *testing.T) {
	pool := pgtest.Database(t, "world")
	for _, point := range ours {
		for nth := 1; nth <= 2; nth++ {
			t.Run(fmt.Sprintf("%s, %d", point, nth), func(t *testing.T) {
				passed := 0
				crashpoint.Arm(func(p crashpoint.Point) {
					if p == point {
						if passed++; passed == nth {
							runtime.Goexit()
						}
					}
				})
				defer crashpoint.Arm(nil)
				l := &life{t: t, w: makeWorld(t, pool), m: newModel()}
				defer l.w.memory.Observe(l.m)()
				l.w.journal.told = l.m.durable
				l.live()
				if passed < nth {
					t.Errorf("it was passed %d times", passed)
				}
				for _, wrong := range l.m.wrong {
					t.Error(wrong)
				}
			})
		}
	}
}

// live does the same whenever the engine dies.
func (l *life) live() {
	l.open()
	l.open()
	l.build("first", row(0, 10, air, stone), nil)
	l.build("cancelled", row(0, 9, l.w.state(at(0)), dirt), once(afterConfirm, func() {
		if _, err := l.w.engine.Cancel(l.t.Context(), project, l.m.active.id); err != nil {
			l.t.Error(err)
		}
	}))
	l.build("cancelled-again", row(9, 3, air, dirt), once(afterIntent, func() {
		if _, err := l.w.engine.Cancel(l.t.Context(), project, l.m.active.id); err != nil {
			l.t.Error(err)
		}
	}))
	for _, state := range []string{stone, dirt} { // these are left to a person for sure
		l.build("interrupted-by-"+state, row(11, 1, l.w.state(at(11)), state), once(beforeConfirm, runtime.Goexit))
	}
	l.build("last", row(10, 1, l.w.state(at(10)), glass), nil)
	if now := l.w.state(at(10)); now != glass {
		l.build("last-of-all", row(10, 1, now, glass), nil)
	}
	if now := l.w.state(at(10)); now != glass {
		l.t.Errorf("nothing can be built any more: %s", now)
	}
}

// open is a new process, until one lives through its start.
func (l *life) open() {
	if l.w.engine != nil {
		l.w.engine.Close()
	}
	l.w.journal.forget()
	for dies(l.w.open) {
	}
}

// build applies changes under a key, with something in the middle, and decides
// where that is left to somebody. What dies before its answer is asked for
// again, as its caller would.
func (l *life) build(key string, changes []journal.Change, step func(moment) error) {
	changes = slices.DeleteFunc(changes, func(c journal.Change) bool { return c.Before == c.After })
	p := l.w.plan(changes)
	w := &work{key: key, plan: p, status: journal.Queued, written: places{}, confirmed: places{}, bad: places{}}
	l.m.active = w
	known := make(chan struct{}) // its id is
	l.w.journal.on(func(m moment) error {
		if m == beforeIntent {
			<-known
		}
		if step != nil {
			return step(m)
		}
		return nil
	})
	var o journal.Operation
	apply := func() {
		var err error
		if o, err = l.w.engine.Apply(l.t.Context(), request(p, key)); err != nil {
			l.t.Error(err)
		}
	}
	if dies(apply) {
		l.open()
		apply()
	}
	w.id = o.ID
	close(known)
	if _, err := l.w.engine.Wait(l.t.Context(), project, o.ID); err != nil {
		l.open()
	}
	l.w.journal.forget()
	if o = l.w.status(o.ID); o.Status == journal.RecoveryRequired {
		l.m.leave()
		l.decide(w)
		o = l.w.status(o.ID)
	}
	l.m.active = nil
	again, err := l.w.engine.Apply(l.t.Context(), request(p, key))
	if err != nil || again.ID != w.id || again.Status != o.Status {
		l.t.Errorf("%s again: %s as %s, %v, want %s as %s", key, again.ID, again.Status, err, w.id, o.Status)
	}
	if o.Written != len(w.confirmed) || !o.Status.Ended() {
		l.t.Errorf("%s: %s with %d written, want %d", key, o.Status, o.Written, len(w.confirmed))
	}
}

// decide is what a person does: nothing is written meanwhile.
func (l *life) decide(w *work) {
	ctx := l.t.Context()
	_, err := l.w.engine.Apply(ctx, request(l.w.plan(row(5, 1, l.w.state(at(5)), glass)), "in-between"))
	want(l.t, err, journal.NeedsRecovery)
	r, err := l.w.engine.Review(ctx, project, w.id)
	if err != nil {
		l.t.Error(err)
	}
	if d := cmp.Diff(l.m.review(w), r, cmpopts.IgnoreFields(operation.Review{}, "Operation", "Sampled")); d != "" {
		l.t.Errorf("review (-want +got):\n%s", d)
	}
	before := l.w.row(0, universe)
	abandon := func() {
		if o, err := l.w.engine.Abandon(ctx, project, w.id, r.Digest); err != nil || o.Status != journal.Failed {
			l.t.Errorf("abandoned: %s, %v", o.Status, err)
		}
	}
	if dies(abandon) {
		l.open()
		if s := l.w.status(w.id).Status; s != journal.RecoveryRequired && s != journal.Failed {
			l.t.Errorf("in the middle of a decision it is %s", s)
		}
		abandon()
	}
	if d := cmp.Diff(before, l.w.row(0, universe)); d != "" {
		l.t.Errorf("the decision changed the world (-want +got):\n%s", d)
	}
	e, err := l.w.engine.Estate(ctx, project, w.id)
	if err != nil || len(e.Own) > 0 {
		l.t.Errorf("it may take back %v, %v", e.Own, err)
	}
}
