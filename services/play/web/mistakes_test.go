package web_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/scenario"
	"github.com/pharos-mcp/pharos/services/play/web/words"
	"github.com/pharos-mcp/pharos/services/play/wiki"
)

// TestMistakes: a form that was filled in wrongly comes back with everything
// that was typed, each mistake at its question and in a summary that leads there.
//
// clause: P-42, P-46
func TestMistakes(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	p := l.play("")
	if _, err := l.scenarios.NewVersion(t.Context(), l.people["gm"].ID, p.scenario, 1); err != nil {
		t.Fatal(err)
	}
	add := "/scenarios/" + p.scenario.String() + "/versions/2/add/"
	edit := "/scenarios/" + p.scenario.String() + "/versions/2/nodes/harbor/edit/"
	create := "/plays/new/?scenario=" + p.scenario.String() + "&version=1"
	long := func(n int) []string { return one(strings.Repeat("ł", n)) }
	whole := map[string][]string{
		"player": one("player"), "character": one("Bea"), "brief": one("Go."), "boundaries": one("None."), "return_condition": one("Dawn."),
		"node": one("harbor"),
	}
	with := func(more map[string][]string) map[string][]string {
		all := map[string][]string{}
		for name, value := range whole {
			all[name] = value
		}
		for name, value := range more {
			all[name] = value
		}
		return all
	}
	for name, c := range map[string]struct {
		open, action string
		answers      map[string][]string
		wrong        []string
	}{
		"an empty play": {create, "/plays/new/", map[string][]string{"mode": nil}, []string{
			"player", "mode", "character", "brief", "boundaries", "return_condition", "node",
		}},
		"blank texts":        {create, "/plays/new/", with(map[string][]string{"character": one(" \n\t"), "brief": one("\u2003")}), []string{"character", "brief"}},
		"long texts":         {create, "/plays/new/", with(map[string][]string{"brief": long(8001), "gm_notes": long(8001), "instructions": long(8001)}), []string{"brief", "instructions", "gm_notes"}},
		"no such player":     {create, "/plays/new/", with(map[string][]string{"player": one("nobody")}), []string{"player"}},
		"an odd player":      {create, "/plays/new/", with(map[string][]string{"player": one("No Body!")}), []string{"player"}},
		"an unknown mode":    {create, "/plays/new/", with(map[string][]string{"mode": one("war"), "language": one("de")}), []string{"mode", "language"}},
		"an unknown node":    {create, "/plays/new/", with(map[string][]string{"node": {"harbor", "nowhere"}}), []string{"node"}},
		"an unknown effect":  {create, "/plays/new/", with(map[string][]string{"approve": {"gold"}}), []string{"approve"}},
		"an empty scenario":  {"/scenarios/new/", "/scenarios/new/", nil, []string{"title"}},
		"a long scenario":    {"/scenarios/new/", "/scenarios/new/", map[string][]string{"title": long(201), "summary": long(2001)}, []string{"title", "summary"}},
		"an empty part":      {add, add, nil, []string{"id", "kind", "title"}},
		"an odd short name":  {add, add, map[string][]string{"id": one("-No"), "kind": one("scene"), "title": one("x"), "position": one("-1")}, []string{"id", "position"}},
		"a taken short name": {add, add, map[string][]string{"id": one("harbor"), "kind": one("scene"), "title": one("x")}, []string{"id"}},
		"a long part":        {edit, edit, map[string][]string{"title": long(201), "body": long(8001), "gm_notes": long(8001), "position": one("1000001")}, []string{"title", "body", "gm_notes", "position"}},
		"an empty page":      {"/wiki/new/", "/wiki/new/", nil, []string{"id", "title"}},
		"a long page":        {"/wiki/new/", "/wiki/new/", map[string][]string{"id": one("a"), "title": long(201), "body": long(16001)}, []string{"title", "body"}},
		"a nameless token":   {"/tokens/", "/tokens/issue/", map[string][]string{"name": one(" ")}, []string{"name"}},
		"a long token":       {"/tokens/", "/tokens/issue/", map[string][]string{"name": long(101)}, []string{"name"}},
	} {
		for _, language := range words.Languages {
			b := l.as("gm", language)
			s := b.submit(b.must(c.open), c.action, c.answers)
			if s.status != http.StatusUnprocessableEntity && s.status != http.StatusConflict {
				t.Errorf("%s: status %d", name, s.status)
			}
			marked, linked := s.wrong()
			if diff := cmp.Diff(c.wrong, linked); diff != "" {
				t.Errorf("%s: the summary (-want +got)\n%s", name, diff)
			}
			slices.Sort(marked)
			if diff := cmp.Diff(slices.Sorted(slices.Values(c.wrong)), marked); diff != "" {
				t.Errorf("%s: the questions (-want +got)\n%s", name, diff)
			}
			kept := s.form(c.action)
			for question, answer := range c.answers {
				if want := strings.ReplaceAll(strings.Join(strings.Fields(strings.Join(answer, " ")), " "), "nowhere", ""); question != "language" &&
					question != "mode" && question != "approve" && strings.Join(strings.Fields(strings.Join(kept[question], " ")), " ") != strings.TrimSpace(want) {
					t.Errorf("%s: %s keeps %.60q of %.60q", name, question, kept[question], answer)
				}
			}
			for n := range s.all("title") {
				if want := fmt.Sprintf(words.For(language).Site.ErrorTitle, ""); !strings.HasPrefix(content(n), want) {
					t.Errorf("%s: the title is %q, without %q", name, content(n), want)
				}
			}
		}
	}
}

// TestBounds: the longest texts that are allowed are taken, counted in
// characters however many bytes and lines they have.
//
// clause: P-42
func TestBounds(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	p := l.play("")
	b := l.as("gm", "en")
	// Browsers send two characters for the end of a line, which is one.
	long := func(n int) []string { return one(strings.Repeat("🗝", n-2) + "\r\nx") }
	s := b.submit(b.must("/plays/new/?scenario="+p.scenario.String()+"&version=1"), "/plays/new/", map[string][]string{
		"player": one("player"), "character": long(assignment.MaxText), "brief": long(assignment.MaxText), "instructions": long(assignment.MaxText),
		"boundaries": long(assignment.MaxText), "return_condition": long(assignment.MaxText), "gm_notes": long(assignment.MaxText), "node": one("harbor"),
	}).is(http.StatusOK)
	all, err := l.assignments.List(t.Context(), l.people["gm"].ID)
	if err != nil || len(all) != 2 {
		t.Fatalf("%d plays, %v", len(all), err)
	}
	a, _, err := l.assignments.Get(t.Context(), l.people["gm"].ID, all[0].ID)
	if want := strings.Repeat("🗝", assignment.MaxText-2) + "\nx"; err != nil || a.GMNotes != want || a.Brief != want {
		t.Errorf("the notes of %s came as %d bytes, %v", s.path, len(a.GMNotes), err)
	}
	b.submit(b.must("/wiki/new/"), "/wiki/new/", map[string][]string{
		"id": one(strings.Repeat("a", 64)), "title": one(strings.Repeat("ż", wiki.MaxTitle)), "body": long(wiki.MaxBody),
	}).is(http.StatusOK)
	b.submit(b.must("/scenarios/new/"), "/scenarios/new/", map[string][]string{
		"title": one(strings.Repeat("ż", scenario.MaxTitle)), "summary": long(scenario.MaxSummary),
	}).is(http.StatusOK)
	b.open("/wiki/?q=" + strings.Repeat("a", 200)).is(http.StatusOK)
	b.open("/wiki/?q=" + strings.Repeat("a", 201)).is(http.StatusUnprocessableEntity)
	b.open("/wiki/?q=+").is(http.StatusUnprocessableEntity)
}

// TestShownBounds: the form of a play says of each question who sees the answer
// and how long it may be.
//
// clause: P-42, P-46
func TestShownBounds(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	p := l.play("")
	for _, language := range words.Languages {
		w := words.For(language)
		s := l.as("gm", language).must("/plays/new/?scenario=" + p.scenario.String() + "&version=1")
		for n := range s.all("textarea") {
			described := ""
			for m := range s.doc.Descendants() {
				if slices.Contains(strings.Fields(attr(n, "aria-describedby")), attr(m, "id")) && attr(m, "id") != "" {
					described += content(m) + " "
				}
			}
			seen := w.Create.SeenAll
			if attr(n, "name") == "gm_notes" {
				seen = w.Create.SeenGM
			}
			if !strings.Contains(described, "8000") || !strings.Contains(described, seen) {
				t.Errorf("%s is described as %q", attr(n, "name"), described)
			}
		}
		s.says(fmt.Sprintf(w.Create.NodesBound, assignment.MaxPublished), w.Create.SeenMaterials, w.Create.NodeNotes)
	}
}
