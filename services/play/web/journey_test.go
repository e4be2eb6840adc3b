package web_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"golang.org/x/net/html"

	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/web/words"
)

// one is a single answer.
func one(value string) []string { return []string{value} }

// where gives the address of the last part of a path before its query.
func where(path string) string {
	path, _, _ = strings.Cut(path, "?")
	return path
}

// TestJourney goes the whole way of a game master, with forms alone: from the
// login over a scenario and a play to the review and the report.
//
// clause: P-42, P-43, P-46, P-47, P-50
func TestJourney(t *testing.T) {
	t.Parallel()
	for _, language := range words.Languages {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			l, w := newLab(t), words.For(language)
			b := l.anonymous()
			s := b.must("/")
			if language == "pl" {
				s = b.submit(s, "/language/", map[string][]string{"language": one("pl")}) // before the login
				s.says("Logowanie")
			}
			if err := l.config.Accounts.SetLanguage(t.Context(), l.people["gm"].ID, language); err != nil {
				t.Fatal(err)
			}
			s = b.submit(s, "/login/", map[string][]string{"username": one(" gm "), "password": one(password)}).is(http.StatusOK)
			s.says(w.Plays.Title, w.Plays.None)

			s = b.submit(b.must("/scenarios/new/"), "/scenarios/new/", map[string][]string{
				"title": one("The  lamp"), "summary": one("A keeper is gone.\nOne night."),
			}).says(w.Done.Created, "The lamp", "A keeper is gone.")
			story := where(s.path)
			draft := story + "versions/1/"
			for _, node := range []struct{ id, kind, title string }{
				{"harbor", "scene", "The harbour"}, {"mira", "npc", "Mira"}, {"page", "clue", "A torn page"}, {"pier", "place", "The pier"},
			} {
				b.submit(b.must(draft+"add/"), draft+"add/", map[string][]string{
					"id": one(node.id), "kind": one(node.kind), "title": one(node.title), "body": one("It is **dark**."), "gm_notes": one("Secret."),
				}).says(w.Done.Created, node.title, w.Nodes.KindOf(node.kind))
			}
			s = b.submit(b.must(draft+"nodes/pier/edit/"), draft+"nodes/pier/edit/", map[string][]string{"title": one("The old pier")})
			s.says(w.Done.Saved, "The old pier")
			b.submit(b.must(draft+"nodes/page/delete/"), draft+"nodes/page/delete/", nil).
				says(w.Done.Deleted).hides("A torn page")
			b.must(draft + "?kind=npc").says("Mira").hides("The old pier")
			b.submit(b.must(draft), draft+"publish/", nil).says(w.Done.Published)
			b.must(story).says(w.Scenarios.Published)

			b.must("/plays/new/").says("The lamp")
			create := "/plays/new/?scenario=" + strings.Split(story, "/")[2] + "&version=1"
			s = b.submit(b.must(create), "/plays/new/", map[string][]string{
				"player": one("player"), "mode": one("downtime"), "character": one("Arin, a ranger"), "brief": one("Find Mira.\n\nBe quick."),
				"boundaries": one("No gore."), "return_condition": one("At dawn."), "gm_notes": one("Mira lives."), "node": {"harbor", "mira"},
				"approve": {"resource"},
			}).says(w.Done.Created, "Arin, a ranger", "Mira lives.", w.Plays.Downtime, w.Plays.Resource)
			play := where(s.path)

			s = b.submit(s, play+"token/", nil).is(http.StatusOK)
			seat := l.seat(s, "pharos-play", l.config.PlayURL)
			b.must(play + "token/").hides("pharos_play_") // leads back
			turn(t, l.assignments, seat, 1, assignment.Effect{Category: "discovery", Description: "Mira is found."},
				assignment.Effect{Category: "resource", Description: "A lamp is won."}, assignment.Effect{Category: "narrative", Description: "The keeper fled."})

			b.must(play).says("Mira is found.", w.Plays.StatusPending, w.Plays.StatusApproved, w.Review.Waiting.For(2), "At the pier.")
			b.must(play+"journal/").says("I look.", "You see.", "harbor")
			s = b.must(play+"review/").says("Mira is found.", "The keeper fled.", "I look.", "You see.").hides("A lamp is won.")
			ids := s.form(play + "review/")["consequence"]
			if len(ids) != 2 {
				t.Fatalf("%d consequences wait on the page", len(ids))
			}
			b.submit(s, play+"review/", map[string][]string{
				"decision-" + ids[0]: one("approved"), "note-" + ids[0]: one("She remembers."), "decision-" + ids[1]: one("rejected"),
			}).says(w.Done.Reviewed, w.Review.None)
			b.must(play).says("She remembers.", w.Plays.StatusRejected)
			l.as("player", language).must(play).says("She remembers.", w.Plays.StatusRejected).hides("Mira lives.")
			if got := b.must(play + "report/").text; !strings.Contains(got, "She remembers") || !strings.Contains(got, "Mira lives") {
				t.Errorf("the report is\n%s", got)
			}
			s = b.submit(b.must(play), play+"token/revoke/", nil).says(w.Done.Revoked, w.Play.AccessNone)
			if _, err := l.assignments.Seat(t.Context(), seat.bearer); err == nil {
				t.Error("the revoked token still has a seat")
			}
			b.submit(s, "/logout/", nil).says(w.Login.Title)
			b.must(play).says(w.Login.Title)
		})
	}
}

// seated is a seat and the token for it.
type seated struct {
	assignment.Seat
	bearer string
}

// secret reads a token from the page that shows it, which is not kept, and holds
// the configuration to being one.
func (s *screen) secret(server, url string) string {
	s.t.Helper()
	if s.header.Get("Cache-Control") != "no-store" {
		s.t.Error("the page with a token may be kept")
	}
	texts := map[string]string{}
	for n := range s.all("textarea") {
		texts[attr(n, "id")] = content(n)
	}
	var config any
	if err := json.Unmarshal([]byte(texts["config"]), &config); err != nil {
		s.t.Fatal(err)
	}
	want := map[string]any{"mcpServers": map[string]any{server: map[string]any{
		"type": "http", "url": url, "headers": map[string]any{"Authorization": "Bearer " + texts["token"]},
	}}}
	if diff := cmp.Diff(want, config); diff != "" {
		s.t.Errorf("the configuration is not as it should be (-want +got)\n%s", diff)
	}
	return texts["token"]
}

func (l *lab) seat(s *screen, server, url string) seated {
	l.t.Helper()
	bearer := s.secret(server, url)
	seat, err := l.assignments.Seat(l.t.Context(), bearer)
	if err != nil {
		l.t.Fatal(err)
	}
	return seated{seat, bearer}
}

func turn(t *testing.T, to *assignment.Service, seat seated, version int64, effects ...assignment.Effect) {
	t.Helper()
	_, err := to.Commit(context.WithoutCancel(t.Context()), seat.Seat, assignment.Turn{
		OperationID: uuid.New(), ExpectedVersion: version, PlayerAction: "I look.", Narration: "You see.",
		Memory:       "# Now\n\nAt the pier.",
		CurrentScene: "harbor", Consequences: effects,
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestTwice: a form that is sent twice does one thing.
//
// clause: P-42, P-43
func TestTwice(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	p := l.play("")
	l.turn(p, "", "Mira is a contact.")
	b := l.as("gm", "en")
	twice := func(s *screen, action string, answers map[string][]string) (first, second *screen) {
		t.Helper()
		values := s.form(action)
		for name, answer := range answers {
			values[name] = answer
		}
		first = b.show(http.MethodPost, action, values).is(http.StatusOK)
		second = b.show(http.MethodPost, action, values).is(http.StatusOK)
		if first.path != second.path {
			t.Errorf("%s leads to %s, then to %s", action, first.path, second.path)
		}
		return first, second
	}
	twice(b.must("/plays/new/?scenario="+p.scenario.String()+"&version=1"), "/plays/new/", map[string][]string{
		"player": one("player"), "character": one("Bea"), "brief": one("Go."), "boundaries": one("None."), "return_condition": one("Dawn."),
		"node": one("harbor"),
	})
	if all, err := l.assignments.List(t.Context(), l.people["gm"].ID); err != nil || len(all) != 2 {
		t.Errorf("%d plays, %v, want 2", len(all), err)
	}
	review := b.must(p.url() + "review/")
	id := review.form(p.url() + "review/").Get("consequence")
	twice(review, p.url()+"review/", map[string][]string{"decision-" + id: one("approved")})
	story := "/scenarios/" + p.scenario.String() + "/"
	first, _ := twice(b.must(story), story+"versions/", nil)
	draft := where(first.path)
	twice(b.must(draft+"add/"), draft+"add/", map[string][]string{"id": one("mira"), "kind": one("npc"), "title": one("Mira")})
	twice(b.must(draft+"nodes/mira/edit/"), draft+"nodes/mira/edit/", map[string][]string{"title": one("Old Mira")})
	twice(b.must(draft+"nodes/mira/delete/"), draft+"nodes/mira/delete/", nil)
	twice(b.must(draft), draft+"publish/", nil)
	twice(b.must("/scenarios/new/"), "/scenarios/new/", map[string][]string{"title": one("Other")})
	twice(b.must("/wiki/new/"), "/wiki/new/", map[string][]string{"id": one("lore"), "title": one("Lore"), "body": one("Old.")})
	twice(b.must("/wiki/pages/lore/edit/"), "/wiki/pages/lore/edit/", map[string][]string{"body": one("New.")})
	twice(b.must("/wiki/pages/lore/delete/"), "/wiki/pages/lore/delete/", nil)

	issue := b.must("/tokens/").form("/tokens/issue/")
	issue["name"] = one("Laptop")
	text := b.show(http.MethodPost, "/tokens/issue/", issue).is(http.StatusOK).secret("pharos-author", l.config.AuthorURL)
	if a, err := l.config.Accounts.Author(t.Context(), text); err != nil || a.Username != "gm" {
		t.Errorf("the token is of %q, %v", a.Username, err)
	}
	s := b.show(http.MethodPost, "/tokens/issue/", issue).is(http.StatusConflict).says("was issued and shown already").hides(text)
	revoke := ""
	for n := range s.all("form") {
		if at := attr(n, "action"); strings.HasSuffix(at, "/revoke/") {
			revoke = at
		}
	}
	twice(s, revoke, nil)
	if _, err := l.config.Accounts.Author(t.Context(), text); err == nil {
		t.Error("the revoked token is still good")
	}
}

// TestReplaced: a play token that is made again replaces the one before.
//
// clause: P-06
func TestReplaced(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	p := l.play("")
	b := l.as("player", "en") // either of the two may
	first := b.show(http.MethodPost, p.url()+"token/", url.Values{}).secret("pharos-play", l.config.PlayURL)
	second := l.as("gm", "en").show(http.MethodPost, p.url()+"token/", url.Values{}).secret("pharos-play", l.config.PlayURL)
	if _, err := l.assignments.Seat(t.Context(), first); err == nil {
		t.Error("the token before is still good")
	}
	if _, err := l.assignments.Seat(t.Context(), second); err != nil {
		t.Error(err)
	}
	b.must(p.url()).says("A token lives since", "Replace the token").hides(first, second)
}

// wrong gives the ids of the questions that a page marks as wrong, and the links
// of its summary.
func (s *screen) wrong() (marked, linked []string) {
	for n := range s.doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if id, ok := strings.CutSuffix(attr(n, "id"), "-error"); ok {
			marked = append(marked, id)
		}
		if n.Data == "div" && attr(n, "role") == "alert" {
			for a := range n.Descendants() {
				if a.Data == "a" {
					linked = append(linked, strings.TrimPrefix(attr(a, "href"), "#"))
				}
			}
		}
	}
	return marked, linked
}
