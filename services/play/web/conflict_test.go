package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/scenario"
)

// TestStaleReview: a review of what has changed since saves nothing, loses
// nothing that was typed, and can be sent again.
//
// clause: P-23, P-43
func TestStaleReview(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	p := l.play("")
	l.turn(p, "", "Mira is a contact.", "A page was found.")
	b := l.as("gm", "en")
	review := p.url() + "review/"
	s := b.must(review)
	ids := s.form(review)["consequence"]
	l.turn(p, "later", "The keeper fled.") // while the page was open
	answers := map[string][]string{
		"decision-" + ids[0]: one("approved"), "note-" + ids[0]: one("Kept <note>"), "decision-" + ids[1]: one("rejected"),
	}
	s = b.submit(s, review, answers).is(http.StatusConflict).says("nothing was saved", "Kept <note>", "The keeper fled.")
	again := s.form(review)
	if again.Get("version") != "3" || again.Get("decision-"+ids[0]) != "approved" || again.Get("note-"+ids[0]) != "Kept <note>" ||
		again.Get("decision-"+ids[1]) != "rejected" || len(again["consequence"]) != 3 {
		t.Errorf("the form came back as %v", again)
	}
	if _, all, err := l.assignments.Consequences(t.Context(), l.people["gm"].ID, p.id, 0, 10); err != nil || all[1].Status != assignment.Pending {
		t.Errorf("something was decided: %v, %v", all, err)
	}
	// Somebody else decides the first of them; what was typed about it stays to be read.
	p.version = 3
	_, err := l.assignments.Review(t.Context(), l.people["gm"].ID, p.id, assignment.Decisions{
		OperationID: uuid.New(), ExpectedVersion: 3,
		List: []assignment.Decision{{ID: uuid.MustParse(ids[0]), Decision: assignment.Rejected}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s = b.submit(s, review, nil).is(http.StatusConflict).says("You had written", "Kept <note>", "Decided in the meantime: rejected")
	b.submit(s, review, nil).is(http.StatusOK).says("Your decisions are saved.")
	_, all, err := l.assignments.Consequences(t.Context(), l.people["gm"].ID, p.id, 0, 10)
	if err != nil || all[0].Status != assignment.Pending || all[1].Status != assignment.Rejected || all[2].Status != assignment.Rejected {
		t.Errorf("decided: %v, %v", all, err)
	}
}

// TestReviewAgain: a form that was saved, and is sent with other decisions from
// the browser's memory, saves nothing under the old operation, and then does
// under a new one.
//
// clause: P-22, P-43
func TestReviewAgain(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	p := l.play("")
	l.turn(p, "", "Mira is a contact.", "A page was found.")
	b := l.as("gm", "en")
	review := p.url() + "review/"
	old := b.must(review)
	ids := old.form(review)["consequence"]
	b.submit(old, review, map[string][]string{"decision-" + ids[0]: one("approved")}).is(http.StatusOK)
	s := b.submit(old, review, map[string][]string{"decision-" + ids[1]: one("rejected")}).is(http.StatusConflict)
	b.submit(s, review, nil).is(http.StatusOK).says("Your decisions are saved.", "No consequence waits")
}

// TestReviewMistakes: decisions that cannot be saved come back.
//
// clause: P-43
func TestReviewMistakes(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	p := l.play("")
	for range 3 {
		l.turn(p, "", "One.", "Two.", "Three.", "Four.", "Five.", "Six.", "Seven.")
	}
	b := l.as("gm", "en")
	review := p.url() + "review/"
	s := b.must(review).says("21 consequences wait", "1 more follows")
	ids := s.form(review)["consequence"]
	if len(ids) != assignment.MaxDecisions {
		t.Fatalf("%d consequences on the page", len(ids))
	}
	b.submit(s, review, nil).is(http.StatusUnprocessableEntity).says("at least one consequence")
	note := "note-" + ids[3]
	got := b.submit(s, review, map[string][]string{note: one("why")}).is(http.StatusUnprocessableEntity)
	if _, linked := got.wrong(); len(linked) != 1 || linked[0] != note || got.form(review).Get(note) != "why" {
		t.Errorf("a note alone: %v", linked)
	}
	long := map[string][]string{note: one(strings.Repeat("ą", 2001)), "decision-" + ids[3]: one("approved")}
	b.submit(s, review, long).is(http.StatusUnprocessableEntity).says("At most 2000 characters are possible; these are 2001.")
	b.submit(s, review, map[string][]string{"decision-" + ids[3]: one("maybe")}).is(http.StatusUnprocessableEntity)
	b.submit(s, review, map[string][]string{"operation": one("x")}).is(http.StatusBadRequest)
	b.submit(s, review, map[string][]string{"version": one("-1")}).is(http.StatusBadRequest)
	b.submit(s, review, map[string][]string{"consequence": append(ids, uuid.NewString())}).is(http.StatusBadRequest)
	b.submit(s, review, map[string][]string{"consequence": one("x")}).is(http.StatusBadRequest)
	all := map[string][]string{note: one(strings.Repeat("ą", 2000))}
	for _, id := range ids {
		all["decision-"+id] = one("approved")
	}
	b.submit(s, review, all).is(http.StatusOK).says("Your decisions are saved.", "1 consequence waits for a decision.")
}

// TestStaleTexts: a text that somebody else has changed is not written over; both
// are shown, and the reader's can be saved then.
//
// clause: P-50
func TestStaleTexts(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	p := l.play("")
	ctx, gm := t.Context(), l.people["gm"].ID
	if _, err := l.scenarios.NewVersion(ctx, gm, p.scenario, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := l.config.Wiki.Create(ctx, gm, "lore", "Lore", "The first text."); err != nil {
		t.Fatal(err)
	}
	b := l.as("gm", "en")
	node := "/scenarios/" + p.scenario.String() + "/versions/2/nodes/harbor/"
	page := "/wiki/pages/lore/"
	shown := map[string]*screen{node: b.must(node + "edit/"), page: b.must(page + "edit/")}
	remove := map[string]*screen{node: b.must(node + "delete/"), page: b.must(page + "delete/")}
	if _, err := l.scenarios.UpdateNode(ctx, gm, p.scenario, 2, "harbor", 1, scenario.NodeContent{
		Kind: scenario.Scene, Title: "Theirs", Body: "Text of <i>theirs</i>.",
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.config.Wiki.Update(ctx, gm, "lore", 1, "Theirs", "Text of <i>theirs</i>."); err != nil {
		t.Fatal(err)
	}
	for at, s := range shown {
		s = b.submit(s, at+"edit/", map[string][]string{"body": one("Mine.")})
		s.is(http.StatusConflict).says("What is stored now", "Text of <i>theirs</i>.", "Your text", "Save my text over it")
		if got := s.form(at + "edit/").Get("body"); got != "Mine." {
			t.Errorf("%s keeps %q", at, got)
		}
		b.submit(remove[at], at+"delete/", nil).is(http.StatusConflict).says("was not deleted", "Text of <i>theirs</i>.")
		b.submit(s, at+"edit/", nil).is(http.StatusOK).says("Saved.", "Mine.")
		b.submit(b.must(at+"delete/"), at+"delete/", nil).is(http.StatusOK).says("Deleted.")
	}
}

// TestOtherConflicts: what has changed otherwise is told, with what to do.
func TestOtherConflicts(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	p := l.play("")
	ctx, gm := t.Context(), l.people["gm"].ID
	b := l.as("gm", "en")
	create := b.must("/plays/new/?scenario=" + p.scenario.String() + "&version=1")
	answers := map[string][]string{
		"player": one("player"), "character": one("Bea"), "brief": one("Go."), "boundaries": one("None."), "return_condition": one("Dawn."),
		"node": one("harbor"),
	}
	b.submit(create, "/plays/new/", answers).is(http.StatusOK)
	answers["brief"] = one("Stay.")
	s := b.submit(create, "/plays/new/", answers).is(http.StatusConflict).says("has made a play already", "Open the play that exists")
	if form := s.form("/plays/new/"); form.Get("brief") != "Stay." || form.Get("id") == create.form("/plays/new/").Get("id") {
		t.Errorf("the form came back as %v", form)
	}
	b.submit(s, "/plays/new/", nil).is(http.StatusOK).says("Created.", "Stay.")

	empty := b.submit(b.must("/scenarios/new/"), "/scenarios/new/", map[string][]string{"title": one("Empty")})
	draft := where(empty.path) + "versions/1/"
	b.submit(b.must(draft), draft+"publish/", nil).is(http.StatusUnprocessableEntity).says("at least one scene")
	stale := b.must(draft)
	b.submit(b.must(draft+"add/"), draft+"add/", map[string][]string{"id": one("a"), "kind": one("scene"), "title": one("A")}).is(http.StatusOK)
	b.submit(stale, draft+"publish/", nil).is(http.StatusConflict).says("It has changed", "Nothing was saved")

	story := "/scenarios/" + p.scenario.String() + "/"
	start := b.must(story)
	if _, err := l.scenarios.NewVersion(ctx, gm, p.scenario, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := l.scenarios.Publish(ctx, gm, p.scenario, 2, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := l.scenarios.NewVersion(ctx, gm, p.scenario, 2); err != nil {
		t.Fatal(err)
	}
	b.submit(start, story+"versions/", nil).is(http.StatusConflict).says("It has changed in the meantime")
	// A draft that was published while its form was open.
	add := b.must(story + "versions/3/add/")
	edit := b.must(story + "versions/3/nodes/harbor/edit/")
	if _, err := l.scenarios.Publish(ctx, gm, p.scenario, 3, 1); err != nil {
		t.Fatal(err)
	}
	b.submit(add, story+"versions/3/add/", map[string][]string{"id": one("z"), "kind": one("clue"), "title": one("Z")}).is(http.StatusConflict)
	s = b.submit(edit, story+"versions/3/nodes/harbor/edit/", map[string][]string{"title": one("Z")}).is(http.StatusConflict)
	if got := s.form(story + "versions/3/nodes/harbor/edit/").Get("title"); got != "Z" {
		t.Errorf("the title came back as %q", got)
	}
	if got := b.must(story + "versions/3/nodes/harbor/edit/").path; strings.Contains(got, "edit") {
		t.Errorf("a published part is edited at %s", got)
	}
}
