package assignment_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/play/assignment"
)

// TestCommit writes a turn and looks at everything that it left.
//
// clause: P-13, P-15, P-16, P-20
func TestCommit(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	before := b.session()
	b.pass(time.Minute)
	now := pg.Time(noon.Add(time.Minute))
	one := turn(1)
	got := b.commit(one)
	for i := range got.Consequences {
		if got.Consequences[i].ID == uuid.Nil {
			t.Error("a consequence has no id")
		}
	}
	want := assignment.Receipt{SessionID: b.id, Version: 2, Consequences: []assignment.Recorded{
		{ID: got.Consequences[0].ID, Status: "pending", Category: "discovery", Description: "A torn page."},
		{ID: got.Consequences[1].ID, Status: "approved", Category: "resource", Description: "Three coins."},
	}}
	same(t, got, want)
	after := before
	after.Version, after.Memory, after.CurrentScene, after.Pending, after.UpdatedAt = 2, one.Memory, "harbor", 1, now
	same(t, b.session(), after)

	total, list, err := b.Consequences(t.Context(), player, b.id, 0, 10)
	if err != nil || total != 2 {
		t.Fatalf("%d, error %v", total, err)
	}
	same(t, list, []assignment.Consequence{
		{ID: got.Consequences[0].ID, Version: 2, Position: 1, Category: "discovery", Description: "A torn page.", Status: "pending", CreatedAt: now},
		{ID: got.Consequences[1].ID, Version: 2, Position: 2, Category: "resource", Description: "Three coins.", Status: "approved", CreatedAt: now},
	})
	var action, narration, scene, kind, folded string
	err = b.pool.QueryRow(t.Context(), `
		SELECT e.action, e.narration, e.scene, e.kind, x.folded FROM play.event AS e
		JOIN play.event_text AS x USING (assignment_id, version) WHERE e.assignment_id = $1 AND version = 2`, b.id,
	).Scan(&action, &narration, &scene, &kind, &folded)
	if err != nil {
		t.Fatal(err)
	}
	same(t, []string{action, narration, scene, kind, folded},
		[]string{one.PlayerAction, one.Narration, "harbor", "turn", "i help mira. # current state at the harbor."})

	// The memory is replaced: the one before is nowhere.
	two := turn(2)
	two.Memory, two.Consequences = "", nil
	same(t, b.commit(two), assignment.Receipt{SessionID: b.id, Version: 3, Consequences: []assignment.Recorded{}})
	if a := b.session(); a.Memory != "" || a.Pending != 1 {
		t.Errorf("memory %q, %d pending", a.Memory, a.Pending)
	}
	if n := b.count("SELECT count(*) FROM play.receipt WHERE result::text LIKE '%At the harbor%'"); n != 0 {
		t.Errorf("%d receipts keep the memory", n)
	}
}

// TestScene tries scenes that are none, or not published.
//
// clause: P-17
func TestScene(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	for name, id := range map[string]string{
		"an NPC":            "mira",
		"unpublished":       "cellar",
		"unknown":           "moon",
		"of another kind":   "page",
		"in another letter": "Harbor",
		"with a space":      "harbor ",
		"empty":             "",
	} {
		one := turn(1)
		one.CurrentScene = id
		b.unchanged(func() {
			_, err := b.Commit(t.Context(), b.seat, one)
			if fault.CodeOf(err) != fault.Unprocessable {
				t.Errorf("%s: error %v", name, err)
			}
		})
	}
	for i, id := range []string{"pier", "harbor", "harbor", "pier"} {
		one := turn(int64(i + 1))
		one.CurrentScene = id
		b.commit(one)
		if got := b.session().CurrentScene; got != id {
			t.Errorf("it is in %s, not %s", got, id)
		}
	}
}

// TestStaleTurn tries versions that have passed or have not come.
//
// clause: P-23
func TestStaleTurn(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	b.commit(turn(1))
	for _, version := range []int64{-1, 0, 1, 3, 1 << 62} {
		b.unchanged(func() {
			_, err := b.Commit(t.Context(), b.seat, turn(version))
			refused(t, err, fault.Conflict, "the version is 2, not ")
			_, err = b.Finish(t.Context(), b.seat, ending(version))
			refused(t, err, fault.Conflict, "read the context again")
			_, err = b.Review(t.Context(), gm, b.id, review(version, uuid.New()))
			refused(t, err, fault.Conflict, "read the session again")
		})
	}
}

// TestReplay repeats operations after everything has changed.
//
// clause: P-16, P-18, P-21, P-43
func TestReplay(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	one := turn(1)
	first := b.commit(one)
	end := ending(2)
	finished, err := b.Finish(t.Context(), b.seat, end)
	if err != nil {
		t.Fatal(err)
	}
	same(t, finished, assignment.Finished{Status: "completed", Version: 3, PendingConsequences: 1})
	decisions := review(3, first.Consequences[0].ID)
	reviewed, err := b.Review(t.Context(), gm, b.id, decisions)
	if err != nil {
		t.Fatal(err)
	}
	first.Replayed, finished.Replayed, reviewed.Replayed = true, true, true
	b.pass(time.Hour)
	b.unchanged(func() {
		again, err := b.Commit(t.Context(), b.seat, one)
		if err != nil {
			t.Error(err)
		}
		same(t, again, first) // what was pending then is, though it is approved by now
		ended, err := b.Finish(t.Context(), b.seat, end)
		if err != nil {
			t.Error(err)
		}
		same(t, ended, finished)
		decided, err := b.Review(t.Context(), gm, b.id, decisions)
		if err != nil {
			t.Error(err)
		}
		same(t, decided, reviewed)

		other := turn(4)
		_, err = b.Commit(t.Context(), b.seat, other)
		refused(t, err, fault.Conflict, "completed")
		_, err = b.Finish(t.Context(), b.seat, ending(4))
		refused(t, err, fault.Conflict, "completed")
	})
}

// TestNormalised repeats a turn in another spelling of the same.
//
// clause: P-21
func TestNormalised(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	one := turn(1)
	one.Consequences = nil
	b.commit(one)
	one.Consequences = []assignment.Effect{}
	r, err := b.Commit(t.Context(), b.seat, one)
	if err != nil || !r.Replayed {
		t.Errorf("%+v, error %v", r, err)
	}
}

// TestOtherContent uses an identifier again for something else.
//
// clause: P-22
func TestOtherContent(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	one := turn(1)
	one.Narration = "caf\u00e9"
	first := b.commit(one)
	for name, change := range map[string]func(*assignment.Turn){
		"version":         func(t *assignment.Turn) { t.ExpectedVersion = 2 },
		"action":          func(t *assignment.Turn) { t.PlayerAction += " " },
		"narration":       func(t *assignment.Turn) { t.Narration = "other" },
		"composed letter": func(t *assignment.Turn) { t.Narration = "cafe\u0301" },
		"memory":          func(t *assignment.Turn) { t.Memory = "# Current state\r\nAt the harbor." },
		"scene":           func(t *assignment.Turn) { t.CurrentScene = "pier" },
		"no consequences": func(t *assignment.Turn) { t.Consequences = nil },
		"order": func(t *assignment.Turn) {
			t.Consequences = []assignment.Effect{t.Consequences[1], t.Consequences[0]}
		},
		"category": func(t *assignment.Turn) {
			t.Consequences = []assignment.Effect{{Category: "narrative", Description: "A torn page."}, t.Consequences[1]}
		},
	} {
		b.unchanged(func() {
			other := one
			change(&other)
			_, err := b.Commit(t.Context(), b.seat, other)
			if fault.CodeOf(err) != fault.Conflict {
				t.Errorf("another %s: error %v", name, err)
			}
		})
	}
	b.unchanged(func() {
		end := ending(2)
		end.OperationID = one.OperationID
		_, err := b.Finish(t.Context(), b.seat, end)
		refused(t, err, fault.Conflict, "operation id already used")
		decisions := review(2, first.Consequences[0].ID)
		decisions.OperationID = one.OperationID
		_, err = b.Review(t.Context(), gm, b.id, decisions)
		refused(t, err, fault.Conflict, "operation id already used")
	})
	// What was refused has used no identifier, and another session has its own.
	b.another("paul").commit(one)
	stale := turn(1)
	_, err := b.Commit(t.Context(), b.seat, stale)
	refused(t, err, fault.Conflict, "version conflict")
	stale.ExpectedVersion = 2
	b.commit(stale)
}

// TestSeatOfNobody writes from a seat that is not the player's.
//
// clause: P-03
func TestSeatOfNobody(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	b.unchanged(func() {
		for _, seat := range []assignment.Seat{
			{AssignmentID: b.id, PlayerID: stranger}, {AssignmentID: uuid.New(), PlayerID: player}, {},
		} {
			_, err := b.Commit(t.Context(), seat, turn(1))
			refused(t, err, fault.NotFound, "play session not found")
			_, err = b.Finish(t.Context(), seat, ending(1))
			refused(t, err, fault.NotFound, "play session not found")
		}
	})
}
