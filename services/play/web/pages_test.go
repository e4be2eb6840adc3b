package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/play/web"
)

// addresses gives an address of every page and form for a play, a draft and a
// page of the wiki that are there.
func (l *lab) addresses(p *played, draft string) map[string]string {
	return map[string]string{
		"{play}": p.id.String(), "{scenario}": p.scenario.String(), "{version}": draft, "{node}": "harbor", "{page}": "lore",
		"{token}": "10000000-0000-4000-8000-000000000001",
	}
}

// at is the address of a route.
func at(r web.Route, of map[string]string) string {
	path := r.Pattern
	for name, value := range of {
		path = strings.ReplaceAll(path, name, value)
	}
	return path
}

// stocked is a lab with something of everything.
func stocked(t *testing.T, texts string) (*lab, *played) {
	t.Helper()
	l := newLab(t)
	p := l.play(texts)
	l.turn(p, texts, "Mira is a contact. "+texts, "A page was found. "+texts)
	if _, err := l.scenarios.NewVersion(t.Context(), l.people["gm"].ID, p.scenario, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := l.config.Wiki.Create(t.Context(), l.people["gm"].ID, "lore", "Lore "+short(texts), secretWiki+" "+texts); err != nil {
		t.Fatal(err)
	}
	return l, p
}

// TestPages opens every page in both languages, as the game master.
//
// clause: P-46, P-53
func TestPages(t *testing.T) {
	t.Parallel()
	l, p := stocked(t, "")
	for _, language := range []string{"en", "pl"} {
		b := l.as("gm", language)
		titles := map[string]string{}
		for _, r := range web.Routes() {
			if r.Method != http.MethodGet {
				continue
			}
			path := at(r, l.addresses(p, "2"))
			s := b.must(path)
			if strings.HasPrefix(s.header.Get("Content-Type"), "text/markdown") {
				continue
			}
			if got := s.header.Get("Content-Language"); got != language {
				t.Errorf("%s is in %q, want %q", path, got, language)
			}
			for n := range s.all("title") {
				titles[content(n)] = path
			}
		}
		if len(titles) < 15 {
			t.Errorf("the pages have %d titles: %v", len(titles), titles)
		}
	}
}

// TestStrangers: nobody sees what is not theirs, and it is told as if it were
// not there.
//
// clause: P-41, P-45
func TestStrangers(t *testing.T) {
	t.Parallel()
	l, p := stocked(t, "")
	of := l.addresses(p, "1")
	missing := map[string]string{}
	for name, value := range of {
		missing[name] = value
	}
	missing["{play}"], missing["{scenario}"], missing["{page}"] = missing["{token}"], missing["{token}"], "nothing"
	for _, who := range []string{"othergm", "other", "player"} {
		b := l.as(who, "en")
		for _, r := range web.Routes() {
			theirs := strings.Contains(r.Pattern, "{play}") && who == "player"
			if !strings.Contains(r.Pattern, "{") || theirs || r.Pattern == "/tokens/{token}/revoke/" || strings.HasSuffix(r.Pattern, "/pages/{page}/delete/") {
				continue
			}
			form := map[string][]string{"revision": {"1"}, "latest": {"1"}, "version": {"2"}, "operation": {of["{token}"]}}
			s := b.show(r.Method, at(r, of), form)
			s.is(http.StatusNotFound).hides(secretNotes, secretNode, hiddenNode, secretWiki, "Arin", "Harbour")
			none := b.show(r.Method, at(r, missing), form)
			clean := func(s *screen, of map[string]string) string {
				text := s.text
				for _, name := range []string{"{play}", "{scenario}"} {
					text = strings.ReplaceAll(text, of[name], "{id}")
				}
				return strings.ReplaceAll(text, "/pages/"+of["{page}"]+"/", "/pages/{page}/")
			}
			if got, want := clean(s, of), clean(none, missing); got != want {
				t.Errorf("%s %s as %s differs from what is not there:\n%s\n%s", r.Method, r.Pattern, who, got, want)
			}
		}
	}
}

// TestPlayer: a player sees the play, and nothing that is the game master's.
//
// clause: P-45, P-53
func TestPlayer(t *testing.T) {
	t.Parallel()
	l, p := stocked(t, "")
	b := l.as("player", "pl")
	private := []string{secretNotes, secretNode, hiddenNode, secretWiki, p.scenario.String(), "vault"}
	b.must("/plays/").says("The lamp", "2 konsekwencje czekają").hides(private...)
	b.must(p.url()).says("Arin", "At the pier.", "Mira is a contact.", "oczekuje", "Be kind.").hides(private...)
	b.must(p.url()+"journal/").says("I look around.", "You see the lamp.").hides(private...)
	for _, lang := range []string{"en", "pl"} {
		s := b.must(p.url() + "report/?lang=" + lang).hides(private...)
		if got, want := s.header.Get("Content-Disposition"), "attachment; filename="; !strings.HasPrefix(got, want) {
			t.Errorf("the report comes with %q", got)
		}
	}
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		b.show(method, p.url()+"review/", nil).is(http.StatusForbidden).hides(private...)
	}
	l.as("gm", "en").must(p.url()).says(secretNotes, "harbor")
}

// TestAnonymous: without a login, pages lead to it and come back, and what a
// form held is kept.
func TestAnonymous(t *testing.T) {
	t.Parallel()
	l, p := stocked(t, "")
	b := l.anonymous()
	s := b.open(p.url() + "journal/?offset=1")
	s.is(http.StatusOK).says("Log in").hides("Arin", secretNotes)
	s = b.submit(s, "/login/", map[string][]string{"username": {"player"}, "password": {password}})
	if want := p.url() + "journal/?offset=1"; s.path != want {
		t.Errorf("the login leads to %s, want %s", s.path, want)
	}
	for _, r := range web.Routes() {
		b := l.anonymous()
		s := b.show(r.Method, at(r, l.addresses(p, "1")), map[string][]string{"title": {"kept <b>text</b>"}, "language": {"en"}})
		s.hides("Arin", secretNotes, secretNode, hiddenNode, secretWiki)
		if r.Method == http.MethodPost && !strings.HasPrefix(r.Pattern, "/log") && r.Pattern != "/language/" {
			s.is(http.StatusUnauthorized)
			if final := strings.HasSuffix(r.Pattern, "/token/") || r.Pattern == "/tokens/issue/"; !final {
				if got := s.form(at(r, l.addresses(p, "1"))).Get("title"); got != "kept <b>text</b>" {
					t.Errorf("%s keeps %q", r.Pattern, got)
				}
			}
		}
	}
}

// TestMethods: an address answers only what it is for, and anything else is one
// page.
func TestMethods(t *testing.T) {
	t.Parallel()
	l, p := stocked(t, "")
	b := l.as("gm", "en")
	allowed := map[string]bool{}
	for _, r := range web.Routes() {
		allowed[r.Method+r.Pattern] = true
	}
	for _, r := range web.Routes() {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions} {
			if allowed[method+r.Pattern] {
				continue
			}
			s := b.show(method, at(r, l.addresses(p, "1")), nil).is(http.StatusMethodNotAllowed)
			if got := s.header.Get("Allow"); !strings.Contains(got, r.Method) || strings.Contains(got, method) && method != "" {
				t.Errorf("%s %s: Allow is %q", method, r.Pattern, got)
			}
		}
	}
	for _, path := range []string{
		"/nothing", "/plays/x/", "/plays/" + strings.ToUpper(p.id.String()) + "/", "/scenarios/" + p.scenario.String() + "/versions/01/",
		"/scenarios/" + p.scenario.String() + "/versions/9/", p.versionURL() + "nodes/UPPER/", "/wiki/pages/%2e%2e/", "/static/none.css", "/.well-known/x",
	} {
		b.open(path).is(http.StatusNotFound).says("There is nothing here")
	}
	for _, path := range []string{"/plays/?q=%00", "/plays/%00/", "/wiki/?q=%ff", "/plays/?a=%zz"} {
		b.open(path).is(http.StatusBadRequest)
	}
	for i, path := range []string{"/plays", "/login", fmt.Sprintf("/plays/%s", p.id)} {
		if s := b.open(path + "/"); s.status != http.StatusOK {
			t.Errorf("%d: %s/ is %d", i, path, s.status)
		}
	}
}
