package journal_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// writers lists the writers of a box after an operation.
func (d desk) writers(box geom.Box, after uuid.UUID) []journal.Writer {
	d.t.Helper()
	var all []journal.Writer
	for w, err := range d.LaterWriters(d.t.Context(), box, after) {
		if err != nil {
			d.t.Fatal(err)
		}
		all = append(all, w)
	}
	return all
}

// Whoever wrote in a box later, or may have, is found, with those positions
// alone; what was left alone or never reached is not.
//
// clause: W-18, W-22
func TestLaterWriters(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	pos := func(x int32) geom.Pos { return geom.Pos{X: x} }
	first := d.built(plan(8))
	second := d.begin(d.put(at(plan(8), pos(4)))) // from 4 to 11
	d.write(second, 0, []int{0, 3}, []int{1})     // 4 and 7, not 5
	d.write(second, 1, nil, []int{2})
	d.finish(second, journal.Cancelled)
	apart := d.built(at(plan(2), geom.Pos{Y: 1}))
	beside := d.built(at(plan(2), geom.Pos{Z: -1}))
	third := d.begin(d.put(plan(8)))
	d.write(third, 0, []int{1}, nil)
	d.intend(third, 1, []int{2, 7}) // they may have been written
	want := []journal.Writer{
		{Operation: second.ID, Number: 2, Positions: []geom.Pos{pos(4), pos(7)}},
		{Operation: third.ID, Number: 5, Positions: []geom.Pos{pos(1), pos(2), pos(7)}},
	}
	row := geom.NewBox(pos(0), pos(7))
	for _, step := range []string{"applying", "interrupted", "abandoned"} {
		switch step {
		case "interrupted":
			must[[]journal.Operation](t)(d.MarkUnfinished(t.Context(), ""))
		case "abandoned":
			must[journal.Operation](t)(d.Abandon(t.Context(), third.ID, digest, ""))
		}
		if diff := cmp.Diff(want, d.writers(row, first.ID)); diff != "" {
			t.Errorf("%s: %s", step, diff)
		}
	}
	if diff := cmp.Diff(want[1:], d.writers(row, second.ID)); diff != "" {
		t.Error(diff)
	}
	if got := d.writers(row, third.ID); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	if got := d.writers(row, uuid.Nil); len(got) != 3 || got[0].Operation != first.ID {
		t.Errorf("%+v", got)
	}
	if got := d.writers(geom.NewBox(pos(5), pos(6)), first.ID); len(got) != 0 {
		t.Errorf("nobody wrote there: %+v", got)
	}
	if got := d.writers(geom.NewBox(geom.Pos{X: 1, Y: 1}, geom.Pos{X: 9, Y: 9}), uuid.Nil); len(got) != 1 || got[0].Operation != apart.ID {
		t.Errorf("above: %+v", got)
	}
	if got := d.writers(geom.NewBox(geom.Pos{X: 1, Z: -1}, geom.Pos{X: 9, Z: -1}), uuid.Nil); len(got) != 1 || got[0].Operation != beside.ID {
		t.Errorf("beside: %+v", got)
	}
	for _, err := range d.LaterWriters(t.Context(), row, uuid.New()) {
		refused(t, err, fault.NotFound, "operation")
	}
	if got := over(t, d.pool).writers(row, uuid.Nil); len(got) != 0 {
		t.Errorf("of another world: %+v", got)
	}
}

// However many there are, all are found, in order, and a caller may stop.
func TestLaterWritersPages(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const n = 70
	for range n {
		d.built(plan(1))
	}
	all := d.writers(geom.Box{}, uuid.Nil)
	for i, w := range all {
		if w.Number != int64(i+1) {
			t.Errorf("number %d at %d", w.Number, i)
		}
	}
	if len(all) != n {
		t.Errorf("%d, want %d", len(all), n)
	}
	for w := range d.LaterWriters(t.Context(), geom.Box{}, uuid.Nil) {
		if w.Number == 2 {
			break
		}
	}
}

// The newest operations that can be undone are listed, with what undid them.
//
// clause: W-10, W-17
func TestLists(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	first := d.built(plan(2))
	nothing := d.begin(d.put(plan(1)))
	d.finish(nothing, journal.Cancelled)
	reverse := plan(2)
	reverse.Kind, reverse.Undoes, reverse.Skipped = journal.Undo, &first.ID, 3
	undo := d.built(reverse)
	if got := must[journal.Plan](t)(d.Plan(t.Context(), reverse.ID)); got.Skipped != 3 || *got.Undoes != first.ID {
		t.Errorf("%+v", got)
	}
	other := plan(1)
	other.Project = "other"
	d.built(other)
	running := d.begin(d.put(plan(1)))
	d.write(running, 0, []int{0}, nil)
	ids := func(list []journal.Operation) (all []uuid.UUID) {
		for _, o := range list {
			all = append(all, o.ID)
		}
		return all
	}
	recent := must[[]journal.Operation](t)(d.Recent(t.Context(), "default", 32))
	if diff := cmp.Diff([]uuid.UUID{running.ID, undo.ID, nothing.ID, first.ID}, ids(recent)); diff != "" {
		t.Error(diff)
	}
	if recent[1].Plan != reverse.ID || recent[1].Key != undo.Key || recent[1].Status != journal.Applied || *recent[1].Undoes != first.ID {
		t.Errorf("%+v", recent[1])
	}
	if list := must[[]journal.Operation](t)(d.Recent(t.Context(), "default", 2)); len(list) != 2 {
		t.Errorf("%d of 2", len(list))
	}
	list := must[[]journal.Undoable](t)(d.UndoList(t.Context(), "default", 32))
	if len(list) != 2 || list[0].ID != undo.ID || list[0].UndoneBy != nil || list[1].ID != first.ID || *list[1].UndoneBy != undo.ID {
		t.Errorf("%+v", list)
	}
}
