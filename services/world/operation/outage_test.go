package operation_test

import (
	"errors"
	"io/fs"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/operation"
)

// lostReply is what a call returns of which nobody knows what became of it.
var lostReply = fault.Newf(fault.Unavailable, "%v", pg.ErrUnsettled)

// failing returns an error at the first so many of a kind of moments.
func failing(at moment, times int, err error) func(moment) error {
	return func(m moment) error {
		if m == at && times > 0 {
			times--
			return err
		}
		return nil
	}
}

// clause: W-20, W-24
func TestJournalIsAway(t *testing.T) {
	t.Parallel()
	for _, at := range []moment{beforeIntent, afterIntent, beforeConfirm, afterConfirm, beforeFinish, afterFinish} {
		t.Run(string(at), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.journal.on(failing(at, 5, lostReply))
			w.host.on(func(m moment) error {
				if m == inEdit {
					o, err := w.store.Unfinished(t.Context())
					if err != nil || o[0].Status != journal.Applying {
						t.Errorf("an edit without a durable intent: %v, %v", o, err)
					}
				}
				return nil
			})
			o := w.apply(w.plan(row(0, 10, air, stone)))
			if d := cmp.Diff(counts{journal.Applied, 10, 0}, of(o)); d != "" {
				t.Errorf("operation (-want +got):\n%s", d)
			}
		})
	}
	t.Run("when it has begun", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.journal.on(failing(afterBegin, 1, lostReply))
		p := w.plan(row(0, 10, air, stone))
		_, err := w.engine.Apply(t.Context(), request(p, "k"))
		want(t, err, fault.Unavailable)
		again, err := w.engine.Apply(t.Context(), request(p, "k"))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(counts{journal.Applied, 10, 0}, of(w.wait(again.ID))); d != "" {
			t.Errorf("operation (-want +got):\n%s", d)
		}
	})
	t.Run("until the engine closes", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		fails := make(chan struct{}, 1)
		w.journal.on(func(m moment) error {
			if m != beforeConfirm {
				return nil
			}
			select {
			case fails <- struct{}{}:
			default:
			}
			runtime.Gosched()
			return lostReply
		})
		o := w.begin(w.plan(row(0, 10, air, stone)))
		<-fails
		_, err := w.engine.Apply(t.Context(), request(w.plan(row(20, 1, air, stone)), "k"))
		want(t, err, journal.Busy)
		w.reopen()
		if s := w.status(o.ID).Status; s != journal.RecoveryRequired {
			t.Errorf("it is %s", s)
		}
	})
	t.Run("for good", func(t *testing.T) {
		t.Parallel()
		for _, at := range []moment{beforeIntent, beforeConfirm} {
			w := newWorld(t)
			w.journal.on(failing(at, 1, errors.New("the table is damaged")))
			o := w.apply(w.plan(row(0, 10, air, stone)))
			if o.Status != journal.RecoveryRequired || o.Reason == "" {
				t.Errorf("%s: it is %s, reason %q", at, o.Status, o.Reason)
			}
		}
	})
}

// The server of the journal dies in the middle and comes back: the engine goes
// on by itself.
//
// clause: W-20, W-24
func TestJournalDies(t *testing.T) {
	t.Parallel()
	for _, at := range []moment{beforeIntent, afterIntent, beforeFlush, beforeFinish} {
		t.Run(string(at), func(t *testing.T) {
			t.Parallel()
			s := pgtest.Server(t)
			if err := pg.Migrate(t.Context(), s.URL, "world"); err != nil {
				t.Fatal(err)
			}
			w := makeWorld(t, pgtest.Pool(t, s.URL), func(c *operation.Config) { c.Clock = nil })
			w.open()
			started := make(chan struct{})
			dies := once(at, func() {
				s.Kill()
				go func() {
					defer close(started)
					s.Start(t)
				}()
			})
			w.host.on(dies)
			w.journal.on(dies)
			p := w.plan(row(0, 10, air, stone))
			o := w.begin(p)
			<-started
			if d := cmp.Diff(counts{journal.Applied, 10, 0}, of(w.wait(o.ID))); d != "" {
				t.Errorf("operation (-want +got):\n%s", d)
			}
			if again := w.apply(p); again.ID != o.ID {
				t.Errorf("the same call made %s after %s", again.ID, o.ID)
			}
		})
	}
}

// clause: W-23, W-24
func TestFlushFails(t *testing.T) {
	t.Parallel()
	full := &fs.PathError{Op: "write", Path: "/srv/save/region/r.0.0.mca", Err: errors.New("no space left on device")}
	for times, want := range map[int]counts{
		1: {journal.Applied, 6, 0}, 2: {journal.Applied, 6, 0}, 3: {journal.RecoveryRequired, 0, 0},
	} {
		w := newWorld(t)
		w.host.on(failing(beforeFlush, times, full))
		o := w.apply(w.plan(row(0, 6, air, stone)))
		if d := cmp.Diff(want, of(o)); d != "" {
			t.Errorf("%d failures: operation (-want +got):\n%s", times, d)
		}
		if times < 3 {
			continue
		}
		if !strings.Contains(o.Reason, "write r.0.0.mca: no space left on device") || strings.Contains(o.Reason, "/srv") {
			t.Errorf("the reason is %q", o.Reason)
		}
		next := w.plan(row(20, 1, air, stone))
		_, err := w.engine.Apply(t.Context(), request(next, "k"))
		if fault.CodeOf(err) != journal.NeedsRecovery {
			t.Errorf("the next: %v", err)
		}
		r, err := w.engine.Review(t.Context(), project, o.ID)
		if err != nil || r.After != 4 {
			t.Fatalf("review %+v, %v", r, err)
		}
		if _, err := w.engine.Abandon(t.Context(), project, o.ID, r.Digest); err != nil {
			t.Fatal(err)
		}
		if o := w.apply(next); o.Status != journal.Applied {
			t.Errorf("after the decision: %s", o.Status)
		}
	}
}
