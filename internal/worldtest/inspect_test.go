package worldtest

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/disk/lossy"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// wreck is a world whose process is dead.
type wreck struct {
	place
	world   uuid.UUID
	events  []event // what its processes were answered
	meddle  bool    // somebody changes a block before the decision
	meddled meddled
	trouble func() // is called where PostgreSQL cannot be asked
}

// outcome is what an inspection found.
type outcome struct {
	unfinished journal.Status // what the journal had of it, "" where all had ended
	operation  entry          // which that was
}

// inspect holds a wreck to what is promised after a crash, and leaves a world
// that is closed.
func (w *wreck) inspect(t testing.TB) (found outcome) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	store := journal.New(journal.Config{Pool: w.pool, World: w.world})
	before, err := readLedger(ctx, store, w.meddled)
	ok(t, err)
	blocks, err := differences(w.durable())
	ok(t, err)
	if wrong := before.wrong(blocks); wrong != "" {
		t.Errorf("after the crash: %s", wrong)
	}

	s, err := w.open(ctx)
	ok(t, err)
	after, err := readLedger(ctx, s.Journal, w.meddled)
	ok(t, err)
	waiting := w.marked(t, before, after)
	if left, err := leftovers(w.files); err != nil || len(left) > 0 {
		t.Errorf("after the start: %v is left, %v", left, err)
	}
	w.unchanged(t, "the start", blocks)
	w.keptAnswers(t, s, after)
	if waiting != nil {
		found = outcome{before.status()[waiting.ID], *waiting}
		blocks = w.decide(t, s, *waiting, blocks)
	}
	w.again(t, s, after)
	w.unchanged(t, "what was asked again", blocks)
	w.works(t, s)
	ok(t, s.close())
	w.reopened(t)
	return found
}

// durable are the files as a loss of power would leave them now.
func (w *wreck) durable() disk.FS {
	if d, loses := w.files.(*lossy.Disk); loses {
		return d.Crash()
	}
	return w.files
}

// unchanged reports blocks that are not as they were.
func (w *wreck) unchanged(t testing.TB, since string, want map[geom.Pos]string) {
	t.Helper()
	got, err := differences(w.durable())
	ok(t, err)
	if !maps.Equal(got, want) {
		t.Errorf("%s changed blocks: %s", since, cmp.Diff(want, got))
	}
}

// marked holds a start to marking what was active, and nothing else (W-20).
func (w *wreck) marked(t testing.TB, before, after *ledger) (waiting *entry) {
	t.Helper()
	want := before.status()
	for id, status := range want {
		if status.Active() {
			want[id] = journal.RecoveryRequired
		}
	}
	if diff := cmp.Diff(want, after.status()); diff != "" {
		t.Errorf("the statuses after the start: %s", diff)
	}
	for _, e := range after.entries {
		if e.Status == journal.RecoveryRequired {
			if waiting != nil {
				t.Errorf("both %s and %s wait for a decision", waiting.ID, e.ID)
			}
			waiting = &e
		}
	}
	return waiting
}

// keptAnswers holds a start to what the dead were answered.
func (w *wreck) keptAnswers(t testing.TB, s *site, after *ledger) {
	t.Helper()
	statuses := after.status()
	for _, e := range w.events {
		status := statuses[named(e.Operation)]
		var err error
		kept := true
		switch e.Did {
		case prepared:
			_, err = s.Journal.Plan(t.Context(), uuid.MustParse(e.Plan))
		case began:
			kept = status != ""
		case settled, abandoned:
			kept = string(status) == e.Status
		case cancelled:
			kept = slices.Contains(append(slices.Clone(certain), journal.RecoveryRequired), status)
		case defined:
			_, err = s.call(t.Context(), "part_get", fields{"part_id": e.ID})
		case exported:
			var list fields
			list, err = s.call(t.Context(), "asset_list", fields{})
			assets, _ := list["assets"].([]any)
			kept = slices.ContainsFunc(assets, func(a any) bool { return a.(map[string]any)["assetId"] == e.ID })
		}
		if err != nil || !kept {
			t.Errorf("%+v was answered and is lost: %v, status %s", e, err, status)
		}
	}
}

// named is an identifier that an event has, or none.
func named(id string) uuid.UUID {
	if id == "" {
		return uuid.Nil
	}
	return uuid.MustParse(id)
}

// decide reviews and abandons, and returns what stands then (W-21 … W-23).
func (w *wreck) decide(t testing.TB, s *site, e entry, stood map[geom.Pos]string) map[geom.Pos]string {
	t.Helper()
	ctx, mask, id := t.Context(), e.mask(), e.ID.String()
	fresh, err := s.prepare(ctx, box(geom.Pos{X: 20, Y: 100, Z: 20}, geom.Pos{X: 22, Y: 101, Z: 22}, "minecraft:bricks"))
	ok(t, err)
	refuse := func(what string, code fault.Code, err error) {
		t.Helper()
		if fault.CodeOf(err) != code {
			t.Errorf("%s: %v, want %s", what, err, code)
		}
	}
	_, err = s.apply(ctx, "early-"+id, fresh)
	refuse("a build before the decision", journal.NeedsRecovery, err)
	_, err = s.call(ctx, "operation_undo_prepare", fields{"operation_id": id})
	refuse("taking back before the decision", journal.NeedsRecovery, err)

	review := w.review(t, s, e, stood)
	if w.meddle && len(mask) > 0 {
		p := mask[len(mask)/2].Pos
		_, err := s.Host.Edit(ctx, host.Cause{Kind: host.ByOther}, geom.Box{Min: p, Max: p}, func(w host.Writer) error {
			return w.Set(p, "minecraft:emerald_block")
		})
		ok(t, err)
		_, err = s.call(ctx, "recovery_abandon", fields{"operation_id": id, "expected_digest": review["currentDigest"]})
		refuse("a decision about what was there before", fault.Invalid, err)
		stood = maps.Clone(stood)
		stood[p] = "minecraft:emerald_block"
		if w.meddled == nil {
			w.meddled = meddled{}
		}
		w.meddled[e.ID] = p
		review = w.review(t, s, e, stood)
	}
	_, err = s.call(ctx, "recovery_abandon", fields{"operation_id": id, "expected_digest": digest(nil, nil)[1:] + "0"})
	refuse("a decision by a wrong digest", fault.Invalid, err)
	if o, err := s.Journal.Operation(ctx, e.ID); err != nil || o.Status != journal.RecoveryRequired {
		t.Errorf("after refused decisions: %s, %v", o.Status, err)
	}
	for range 2 { // the second as after a lost reply
		o, err := s.call(ctx, "recovery_abandon", fields{"operation_id": id, "expected_digest": review["currentDigest"]})
		if err != nil || o.text("status") != string(journal.Failed) || o.text("operation_id") != id {
			t.Errorf("abandoned: %v, %v", o, err)
		}
	}
	w.unchanged(t, "the decision", stood)
	_, err = s.call(ctx, "operation_undo_prepare", fields{"operation_id": id})
	refuse("taking back what was abandoned", "nothing_to_undo", err)
	w.disowned(t, s, e)
	if o, err := s.apply(ctx, "early-"+id, fresh); err != nil {
		t.Errorf("the same build after the decision: %v", err)
	} else if o, err = s.wait(ctx, o); err != nil || o.text("status") != string(journal.Applied) {
		t.Errorf("the same build after the decision: %v, %v", o, err)
	}
	stood, err = differences(w.durable())
	ok(t, err)
	return stood
}

// review holds a review to what the reader of this package sees.
func (w *wreck) review(t testing.TB, s *site, e entry, stood map[geom.Pos]string) fields {
	t.Helper()
	mask := e.mask()
	want := fields{
		"operationId": e.ID.String(), "planId": e.Plan.String(), "positions": float64(len(mask)),
		"currentDigest": digest(stood, mask), "matchesBefore": 0.0, "matchesAfter": 0.0, "foreignStates": 0.0,
	}
	for _, c := range mask {
		name := "foreignStates"
		switch stands(stood, c.Pos) {
		case c.Before:
			name = "matchesBefore"
		case c.After:
			name = "matchesAfter"
		}
		want[name] = want[name].(float64) + 1
	}
	got, err := s.call(t.Context(), "recovery_review", fields{"operation_id": e.ID.String()})
	ok(t, err)
	if got["sampledAtMillis"] == nil {
		t.Error("a review does not say when it looked")
	}
	delete(got, "sampledAtMillis")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the review: %s", diff)
	}
	return got
}

// disowned reports blocks that an earlier operation may take back although an
// abandoned one may have written them (W-22).
func (w *wreck) disowned(t testing.TB, s *site, e entry) {
	t.Helper()
	l, err := readLedger(t.Context(), s.Journal, w.meddled)
	ok(t, err)
	gone := map[geom.Pos]bool{}
	for _, c := range e.mask() {
		gone[c.Pos] = true
	}
	for _, earlier := range l.entries {
		if earlier.Number >= e.Number || !earlier.Status.Ended() {
			continue
		}
		estate, err := s.Engine.Estate(t.Context(), mine, earlier.ID)
		ok(t, err)
		for _, c := range estate.Own {
			if gone[c.Pos] {
				t.Errorf("operation %s may take back %s, which abandoned %s may have written", earlier.ID, c.Pos, e.ID)
				break
			}
		}
	}
}

// again asks for every operation a second time (W-15).
func (w *wreck) again(t testing.TB, s *site, l *ledger) {
	t.Helper()
	for _, e := range l.entries {
		o, err := s.apply(t.Context(), e.Key, fields{"plan_id": e.Plan.String(), "plan_hash": e.plan.Hash})
		if err != nil || o.text("operation_id") != e.ID.String() {
			t.Errorf("operation %s asked for again: %v, %v", e.ID, o, err)
		}
	}
}

// works builds and takes back, which leaves nothing.
func (w *wreck) works(t testing.TB, s *site) {
	t.Helper()
	ctx := t.Context()
	plan, err := s.prepare(ctx, box(geom.Pos{X: -24, Y: 90, Z: -3}, geom.Pos{X: -20, Y: 92, Z: 3}, "minecraft:stone"))
	for range 2 {
		ok(t, err)
		o, err := s.apply(ctx, "works-"+plan.text("plan_id"), plan)
		ok(t, err)
		if o, err = s.wait(ctx, o); err != nil || o.text("status") != string(journal.Applied) {
			t.Errorf("a build after all: %v, %v", o, err)
			return
		}
		if plan, err = s.call(ctx, "operation_undo_prepare", fields{"operation_id": o["operation_id"]}); err != nil {
			t.Error(err)
			return
		}
	}
}

// reopened starts once more: all was decided, and the journal and the disk agree.
func (w *wreck) reopened(t testing.TB) {
	t.Helper()
	s, err := w.open(context.WithoutCancel(t.Context()))
	ok(t, err)
	if unfinished, err := s.Journal.Unfinished(t.Context()); err != nil || len(unfinished) > 0 {
		t.Errorf("a decision was lost: %v, %v", unfinished, err)
	}
	ok(t, s.close())
}
