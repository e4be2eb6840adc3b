package journal_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// A part is what an operation really wrote, once for each name.
//
// clause: W-19
func TestPart(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	o := d.begin(d.put(at(plan(6), geom.Pos{X: -3, Y: 64, Z: 2})))
	define := func(name string, operation uuid.UUID) (journal.Part, error) {
		return d.PutPart(t.Context(), journal.Part{ID: uuid.New(), Project: "default", Player: player, Name: name, Operation: operation})
	}
	refuses := func(name string, operation uuid.UUID, code fault.Code, words string) {
		t.Helper()
		_, err := define(name, operation)
		refused(t, err, code, words)
	}
	refuses("tower", o.ID, fault.Invalid, "is queued")
	d.write(o, 0, []int{0, 1, 4}, []int{2})
	refuses("tower", o.ID, fault.Invalid, "is applying")
	d.finish(o, journal.Conflicted)
	got := must[journal.Part](t)(define("tower", o.ID))
	pos := func(x int32) geom.Pos { return geom.Pos{X: x, Y: 64, Z: 2} }
	want := journal.Part{
		ID: got.ID, World: d.world, Project: "default", Player: player, Name: "tower", Operation: o.ID, Count: 3,
		Positions: []geom.Pos{pos(-3), pos(-2), pos(1)}, Bounds: geom.NewBox(pos(-3), pos(1)), Created: start,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	d.now.Store(5)
	if again := must[journal.Part](t)(define("tower", o.ID)); !cmp.Equal(want, again) {
		t.Errorf("again: %+v", again)
	}
	longest := must[journal.Part](t)(define(strings.Repeat("ż", 64), o.ID))
	if got := must[journal.Part](t)(d.Part(t.Context(), "default", want.ID)); !cmp.Equal(want, got) {
		t.Errorf("%+v", got)
	}
	parts := must[[]journal.Part](t)(d.Parts(t.Context(), "default", 9))
	if len(parts) != 2 || parts[0].ID != longest.ID || parts[0].Positions != nil || parts[1].Count != 3 {
		t.Errorf("%+v", parts)
	}
	_, err := d.Part(t.Context(), "other", want.ID)
	refused(t, err, fault.NotFound, "part")
	_, err = d.PutPart(t.Context(), journal.Part{ID: uuid.New(), Project: "other", Name: "tower", Operation: o.ID})
	refused(t, err, fault.NotFound, "operation")
	refuses("tower", uuid.New(), fault.NotFound, "operation")
	for _, name := range []string{"", strings.Repeat("ż", 65), "a\x00b", "a\xff"} {
		refuses(name, o.ID, fault.Invalid, "64 characters")
	}
	empty := d.begin(d.put(plan(1)))
	d.finish(d.write(empty, 0, nil, []int{0}), journal.Conflicted)
	refuses("tower", empty.ID, fault.Invalid, "wrote nothing")
	for _, status := range []journal.Status{journal.Cancelled, journal.Failed} {
		o := d.begin(d.put(plan(2)))
		d.finish(d.write(o, 0, []int{0}, nil), status)
		refuses("tower", o.ID, fault.Invalid, "is "+string(status))
	}
	lost := d.begin(d.put(plan(2)))
	d.write(lost, 0, []int{0}, nil)
	must[[]journal.Operation](t)(d.MarkUnfinished(t.Context(), ""))
	refuses("tower", lost.ID, fault.Invalid, "is recovery_required")

	within := plan(1)
	within.Part = &want.ID
	if got := d.put(within); *got.Part != want.ID {
		t.Errorf("%+v", got)
	}
	within.ID, within.Part = uuid.New(), &lost.ID
	if _, err := d.PutPlan(t.Context(), within); err == nil {
		t.Error("a plan has a part that is none")
	}
}
