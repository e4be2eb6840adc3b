package journal_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// An operation goes through its slices: what each may write is there before,
// what it wrote after, and the counts are of what is confirmed.
//
// clause: W-17, W-20
func TestSlices(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	o := d.begin(d.put(plan(6)))
	step := func(o journal.Operation, err error, status journal.Status, written, conflicts int) {
		t.Helper()
		if err != nil || o.Status != status || o.Written != written || o.Conflicts != conflicts {
			t.Errorf("%s, %d written, %d conflicts, %v; want %s, %d, %d", o.Status, o.Written, o.Conflicts, err, status, written, conflicts)
		}
	}
	first := journal.Slice{Operation: o.ID, Index: 0, Intent: []int{0, 1, 2}, Written: []int{0, 2}, Conflicts: []int{1, 5}}
	sample := []journal.Conflict{{Pos: geom.Pos{X: 1}, Expected: "minecraft:air", Actual: "minecraft:dirt"}}
	for range 2 { // as somebody does who does not know what became of it
		got, err := d.Intent(t.Context(), first)
		step(got, err, journal.Applying, 0, 0)
	}
	for range 2 {
		got, err := d.Confirm(t.Context(), first, sample)
		step(got, err, journal.Applying, 2, 2)
		if diff := cmp.Diff(sample, got.Sample); diff != "" {
			t.Error(diff)
		}
	}
	second := journal.Slice{Operation: o.ID, Index: 1, Intent: []int{3, 4}, Written: []int{4}, Conflicts: []int{}}
	got, err := d.Intent(t.Context(), second)
	step(got, err, journal.Applying, 2, 2)
	open := second
	open.Written = []int{}
	first.Confirmed = true
	if diff := cmp.Diff([]journal.Slice{first, open}, must[[]journal.Slice](t)(d.Slices(t.Context(), o.ID))); diff != "" {
		t.Error(diff)
	}
	got, err = d.Confirm(t.Context(), second, nil) // 3 was not reached: it goes to a later slice
	step(got, err, journal.Applying, 3, 2)
	d.write(o, 2, []int{3}, nil)
	for range 2 {
		got, err = d.Finish(t.Context(), o.ID, journal.Conflicted, "some were not as planned")
		step(got, err, journal.Conflicted, 4, 2)
		if got.Ended == nil || got.Reason != "some were not as planned" {
			t.Errorf("%+v", got)
		}
	}
}

// What cannot be true is refused, and changes nothing.
//
// clause: W-20
func TestSlicesRefuse(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	o := d.begin(d.put(plan(6)))
	slice := func(index int, intent, wrote, left []int) journal.Slice {
		return journal.Slice{Operation: o.ID, Index: index, Intent: intent, Written: wrote, Conflicts: left}
	}
	intend := func(name string, s journal.Slice) {
		t.Helper()
		if _, err := d.Intent(t.Context(), s); err == nil || errors.Is(err, journal.ErrStop) {
			t.Errorf("intent: %s: %v", name, err)
		}
	}
	confirm := func(name string, s journal.Slice) {
		t.Helper()
		if _, err := d.Confirm(t.Context(), s, nil); err == nil || errors.Is(err, journal.ErrStop) {
			t.Errorf("confirm: %s: %v", name, err)
		}
	}
	intend("the second before the first", slice(1, []int{0}, nil, nil))
	intend("before the first", slice(-1, []int{0}, nil, nil))
	intend("beyond the last", slice(8192, []int{0}, nil, nil))
	intend("beyond the plan", slice(0, []int{6}, nil, nil))
	intend("turned round", slice(0, []int{1, 0}, nil, nil))
	confirm("what was not intended", slice(0, nil, []int{0}, nil))
	d.intend(o, 0, []int{0, 1})
	intend("another intent", slice(0, []int{0}, nil, nil))
	intend("while the one before is open", slice(1, []int{2}, nil, nil))
	confirm("more than was intended", slice(0, nil, []int{0, 1, 2}, nil))
	confirm("both", slice(0, nil, []int{0}, []int{0}))
	confirm("beyond the plan", slice(0, nil, []int{0}, []int{6}))
	must[journal.Operation](t)(d.Confirm(t.Context(), slice(0, nil, []int{0}, []int{5}), nil))
	confirm("otherwise than before", slice(0, nil, []int{0, 1}, []int{5}))
	intend("what is written", slice(1, []int{0, 2}, nil, nil))
	intend("what is left alone", slice(1, []int{2, 5}, nil, nil))
	d.intend(o, 1, []int{2})
	confirm("what was left alone", slice(1, nil, []int{2}, []int{5}))
	confirm("what was written", slice(1, nil, []int{2}, []int{0}))
	for status := range map[journal.Status]bool{journal.Applied: true, journal.Conflicted: true, journal.Cancelled: true, journal.Failed: true} {
		if _, err := d.Finish(t.Context(), o.ID, status, ""); err == nil {
			t.Errorf("it ends as %s with a slice open", status)
		}
	}
	must[journal.Operation](t)(d.Confirm(t.Context(), slice(1, nil, []int{2}, nil), nil))
	if _, err := d.Finish(t.Context(), o.ID, journal.Applied, ""); err == nil {
		t.Error("it is applied, and not all is written")
	}
	for _, status := range []journal.Status{journal.Queued, journal.Applying, journal.RecoveryRequired, "lost"} {
		if _, err := d.Finish(t.Context(), o.ID, status, ""); err == nil {
			t.Errorf("it ends as %s", status)
		}
	}
	d.finish(o, journal.Cancelled)
	if _, err := d.Finish(t.Context(), o.ID, journal.Failed, ""); err == nil {
		t.Error("it ends twice")
	}
	if o, err := d.Intent(t.Context(), slice(2, []int{3}, nil, nil)); !errors.Is(err, journal.ErrStop) || o.Status != journal.Cancelled {
		t.Errorf("a slice after the end: %s, %v", o.Status, err)
	}
	for name, f := range map[string]func(id uuid.UUID) error{
		"Intent": func(id uuid.UUID) error { _, err := d.Intent(t.Context(), journal.Slice{Operation: id}); return err },
		"Confirm": func(id uuid.UUID) error {
			_, err := d.Confirm(t.Context(), journal.Slice{Operation: id}, nil)
			return err
		},
		"Finish":   func(id uuid.UUID) error { _, err := d.Finish(t.Context(), id, journal.Failed, ""); return err },
		"Cancel":   func(id uuid.UUID) error { _, err := d.Cancel(t.Context(), id); return err },
		"Abandon":  func(id uuid.UUID) error { _, err := d.Abandon(t.Context(), id, digest, ""); return err },
		"Slices":   func(id uuid.UUID) error { _, err := d.Slices(t.Context(), id); return err },
		"Require":  func(id uuid.UUID) error { _, err := d.RequireRecovery(t.Context(), id, ""); return err },
		"Pause":    func(id uuid.UUID) error { _, err := d.PauseOperation(t.Context(), id, true); return err },
		"of other": func(uuid.UUID) error { _, err := over(t, d.pool).Operation(t.Context(), o.ID); return err },
	} {
		if err := f(uuid.New()); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%s of what is not there: %v", name, err)
		}
	}
}

// A slice does not begin when it must not, and one that has begun ends. In a
// conflict all that is left counts.
//
// clause: W-17
func TestStop(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	o := d.begin(d.put(plan(4)))
	next := 0
	goes := func(want bool) journal.Operation {
		t.Helper()
		s := journal.Slice{Operation: o.ID, Index: next, Intent: []int{next}, Written: []int{next}}
		got, err := d.Intent(t.Context(), s)
		if stop := errors.Is(err, journal.ErrStop); stop == want || !stop && err != nil || got.ID != o.ID {
			t.Errorf("it goes on: %v, of %s", err, got.ID)
		}
		if want {
			must[journal.Operation](t)(d.Confirm(t.Context(), s, nil))
			next++
		}
		return got
	}
	must[journal.Operation](t)(d.PauseOperation(t.Context(), o.ID, true))
	if got := goes(false); !got.Paused || got.Status != journal.Queued {
		t.Errorf("%+v", got)
	}
	must[journal.Operation](t)(d.PauseOperation(t.Context(), o.ID, false))
	goes(true)
	for range 2 {
		if err := d.PauseProject(t.Context(), "default", true); err != nil {
			t.Fatal(err)
		}
	}
	if paused, err := d.ProjectPaused(t.Context(), "default"); !paused || err != nil {
		t.Error(paused, err)
	}
	if got := goes(false); !got.Paused {
		t.Errorf("%+v", got)
	}
	for range 2 {
		if err := d.PauseProject(t.Context(), "default", false); err != nil {
			t.Fatal(err)
		}
	}
	goes(true)
	d.intend(o, next, []int{next})
	for range 2 {
		if got := must[journal.Operation](t)(d.Cancel(t.Context(), o.ID)); !got.CancelRequested || got.Status != journal.Applying {
			t.Errorf("%+v", got)
		}
	}
	must[journal.Operation](t)(d.Confirm(t.Context(), journal.Slice{Operation: o.ID, Index: next, Conflicts: []int{next}}, nil))
	next++
	goes(false)
	if got := d.finish(o, journal.Conflicted); got.Conflicts != 2 || got.Written != 2 {
		t.Errorf("%+v", got)
	}
	if got := must[journal.Operation](t)(d.Cancel(t.Context(), o.ID)); got.Status != journal.Conflicted {
		t.Errorf("after its end: %+v", got)
	}
	none := d.begin(d.put(plan(0)))
	if got := d.finish(none, journal.Applied); got.Total != 0 {
		t.Errorf("of nothing: %+v", got)
	}
}

// A sample has 32 conflicts, the first ones, and a reason has 1,000 bytes of what
// the database can keep.
//
// clause: W-16
func TestSample(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	o := d.begin(d.put(plan(40)))
	for i, n := range []int{31, 1, 8} {
		var sample []journal.Conflict
		for k := range n {
			sample = append(sample, journal.Conflict{Pos: geom.Pos{X: int32(i), Z: int32(k)}, Expected: "a", Actual: fmt.Sprintf("\xffnull\x00%d", k)})
		}
		d.intend(o, i, nil)
		got := must[journal.Operation](t)(d.Confirm(t.Context(), journal.Slice{Operation: o.ID, Index: i, Conflicts: []int{i}}, sample))
		if want := min(32, []int{31, 32, 40}[i]); len(got.Sample) != want {
			t.Errorf("%d, want %d", len(got.Sample), want)
		}
		if got.Sample[30].Z != 30 || got.Sample[0].Actual != "\uFFFDnull\uFFFD0" {
			t.Errorf("%+v", got.Sample)
		}
	}
	got := must[journal.Operation](t)(d.Finish(t.Context(), o.ID, journal.Failed, "\x00"+strings.Repeat("é", 600)))
	if len(got.Reason) != 999 || !strings.HasPrefix(got.Reason, "\uFFFDé") {
		t.Errorf("%d bytes: %q", len(got.Reason), got.Reason)
	}
}
