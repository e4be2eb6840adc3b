package assignment_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/play/assignment"
)

// clause: P-43
func TestReview(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	one := turn(1)
	one.Consequences[1].Category = assignment.Narrative
	r := b.commit(one)
	b.pass(time.Minute)
	now := pg.Time(noon.Add(time.Minute))
	got, err := b.Review(t.Context(), gm, b.id, assignment.Decisions{
		OperationID: uuid.New(), ExpectedVersion: 2, List: []assignment.Decision{
			{ID: r.Consequences[1].ID, Decision: "rejected", Note: "Too much."},
			{ID: r.Consequences[0].ID, Decision: "approved"},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	page := []assignment.Consequence{
		{
			ID: r.Consequences[1].ID, Version: 2, Position: 2, Category: "narrative", Description: "Three coins.",
			Status: "rejected", Note: "Too much.", DecidedAt: &now, CreatedAt: pg.Time(noon),
		},
		{
			ID: r.Consequences[0].ID, Version: 2, Position: 1, Category: "discovery", Description: "A torn page.",
			Status: "approved", DecidedAt: &now, CreatedAt: pg.Time(noon),
		},
	}
	same(t, got, assignment.Reviewed{Version: 3, Consequences: page})
	a := b.session()
	if a.Version != 3 || a.Pending != 0 || a.CurrentScene != "harbor" || a.Memory != one.Memory || !a.UpdatedAt.Equal(now) {
		t.Errorf("%+v", a)
	}
	// The player reads the decisions, and no entry in the journal.
	_, list, err := b.Consequences(t.Context(), player, b.id, 0, 10)
	if err != nil {
		t.Error(err)
	}
	same(t, list, []assignment.Consequence{page[1], page[0]})
	if n := b.count("SELECT count(*) FROM play.event_text"); n != 1 {
		t.Errorf("%d events can be found", n)
	}
	if n := b.count("SELECT count(*) FROM play.event WHERE kind = 'review' AND version = 3"); n != 1 {
		t.Errorf("%d events", n)
	}
}

// clause: P-43, P-45
func TestReviewRefused(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	other := b.another("paul").commit(turn(1)).Consequences[0].ID
	one := turn(1)
	one.Consequences = append(one.Consequences, assignment.Effect{Category: "narrative", Description: "Mira leaves."})
	r := b.commit(one)
	pending, approved, decided := r.Consequences[0].ID, r.Consequences[1].ID, r.Consequences[2].ID
	if _, err := b.Review(t.Context(), gm, b.id, review(2, decided)); err != nil {
		t.Fatal(err)
	}
	two := func(id uuid.UUID) assignment.Decisions {
		d := review(3, pending)
		d.List = append(d.List, assignment.Decision{ID: id, Decision: "rejected"})
		return d
	}
	odd := review(3, pending)
	odd.List[0].Decision = "pending"
	for name, c := range map[string]struct {
		who  uuid.UUID
		d    assignment.Decisions
		code fault.Code
		text string
	}{
		"one decided":          {gm, two(decided), fault.Conflict, "is not pending"},
		"one approved before":  {gm, two(approved), fault.Conflict, "is not pending"},
		"one of another":       {gm, two(other), fault.Conflict, "is not pending"},
		"one unknown":          {gm, two(uuid.New()), fault.Conflict, "is not pending"},
		"one twice":            {gm, two(pending), fault.Unprocessable, "decisions[1].id"},
		"another decision":     {gm, odd, fault.Unprocessable, "decisions[0].decision"},
		"none":                 {gm, assignment.Decisions{OperationID: uuid.New(), ExpectedVersion: 3}, fault.Unprocessable, "1 to 20"},
		"by the player":        {player, review(3, pending), fault.Forbidden, "only the game master"},
		"by a stranger":        {stranger, review(3, pending), fault.NotFound, "not found"},
		"by the player, stale": {player, review(1, pending), fault.Forbidden, "only the game master"},
	} {
		b.unchanged(func() {
			t.Run(name, func(t *testing.T) {
				_, err := b.Review(t.Context(), c.who, b.id, c.d)
				refused(t, err, c.code, c.text)
			})
		})
	}
	if n := b.count("SELECT count(*) FROM play.consequence WHERE id = $1 AND status = 'pending'", other); n != 1 {
		t.Error("a consequence of another session is decided")
	}
}

// TestReviewAfterEnd decides when the session is completed.
//
// clause: P-18, P-43
func TestReviewAfterEnd(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	r := b.commit(turn(1))
	b.pass(time.Minute)
	end := ending(2)
	f, err := b.Finish(t.Context(), b.seat, end)
	if err != nil {
		t.Fatal(err)
	}
	same(t, f, assignment.Finished{Status: "completed", Version: 3, PendingConsequences: 1})
	a := b.session()
	if a.Status != "completed" || a.Version != 3 || a.Summary == nil || *a.Summary != end.Summary || a.Pending != 1 {
		t.Errorf("%+v", a)
	}
	if n := b.count("SELECT count(*) FROM play.event_text WHERE version = 3 AND folded = 'arin returns at dawn.'"); n != 1 {
		t.Error("the summary cannot be found")
	}
	if _, err := b.Review(t.Context(), gm, b.id, review(3, r.Consequences[0].ID)); err != nil {
		t.Error(err)
	}
	if a := b.session(); a.Status != "completed" || a.Version != 4 || a.Pending != 0 {
		t.Errorf("%+v", a)
	}
}

// TestConsequences pages through them.
func TestConsequences(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	for version := range int64(5) {
		one := turn(version + 1)
		one.Consequences = append(one.Consequences, assignment.Effect{Category: "narrative", Description: "Mira leaves."})
		b.commit(one)
	}
	var got [][2]int64
	for offset := 0; ; offset += 4 {
		total, page, err := b.Consequences(t.Context(), gm, b.id, offset, 4)
		if err != nil || total != 15 {
			t.Fatalf("%d, error %v", total, err)
		}
		for _, c := range page {
			got = append(got, [2]int64{c.Version, int64(c.Position)})
		}
		if len(page) < 4 {
			break
		}
	}
	var want [][2]int64
	for version := int64(6); version > 1; version-- {
		want = append(want, [2]int64{version, 1}, [2]int64{version, 2}, [2]int64{version, 3})
	}
	same(t, got, want)
	for _, c := range [][2]int{{-1, 1}, {0, 0}, {0, assignment.MaxPage + 1}, {1_000_001, 1}} {
		if _, _, err := b.Consequences(t.Context(), gm, b.id, c[0], c[1]); fault.CodeOf(err) != fault.Unprocessable {
			t.Errorf("%v: error %v", c, err)
		}
	}
	for _, c := range [][2]int{{0, assignment.MaxPage}, {1_000_000, 1}} {
		if _, _, err := b.Consequences(t.Context(), gm, b.id, c[0], c[1]); err != nil {
			t.Errorf("%v: error %v", c, err)
		}
	}
}
