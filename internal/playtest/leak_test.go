package playtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/internal/leak"
)

// viewer is somebody who looks for what is not theirs, by what they show.
type viewer struct {
	name  string
	shows func() shows
	mcp   bool // they come with a bearer token, which the pages and REST know nothing of
}

// viewersOf makes two game masters and two players, of whom each plays with each,
// a stranger to all, and who can look at what they have: facilitators first, who
// see little of a session and that at its end.
func (c *cast) viewersOf(t *testing.T) (viewers []viewer) {
	t.Helper()
	plays := map[string][2]string{
		"A": {"gm", "player"}, "B": {"other gm", "other player"}, "C": {"gm", "other player"}, "D": {"other gm", "player"},
		"E": {"stranger", "visitor"},
	}
	c.person(t, "gm", "player", "other player", "seat A", "seat C")
	c.person(t, "other gm", "player", "other player", "seat B", "seat D")
	c.person(t, "player", "gm", "other gm", "seat A", "seat D")
	c.person(t, "other player", "gm", "other gm", "seat B", "seat C")
	c.person(t, "stranger", "seat E")
	c.author(t, "gm", "player", "other player", "seat A", "seat C")
	c.author(t, "other gm", "player", "other player", "seat B", "seat D")
	c.author(t, "stranger", "visitor", "seat E")
	// The visitor's name is told to whoever logs in as them.
	c.person(t, "visitor", "gm", "player", "other gm", "other player", "stranger", "nobody", "seat A", "seat B", "seat C", "seat D", "seat E",
		"author gm", "author other gm", "author stranger")
	for _, name := range names(plays) {
		token := c.play(t, name, plays[name][0], plays[name][1]).token
		viewers = append(viewers, viewer{"seat " + name, func() shows { return shows{bearer: token} }, true})
	}
	for _, role := range []string{"gm", "other gm", "stranger"} {
		token := c.owns[role].token
		viewers = append(viewers, viewer{"author " + role, func() shows { return shows{bearer: token} }, true})
	}
	for _, role := range []string{"gm", "player", "other gm", "other player", "stranger"} {
		viewers = append(viewers, viewer{role, func() shows { return shows{cookie: c.session(t, role)} }, false})
	}
	viewers = append(viewers, viewer{"nobody", func() shows { return shows{} }, false})
	return viewers
}

// ways are the ways in which a request is wrong, or another.
var ways = map[string]func(*subject){
	"as it is": func(*subject) {}, "blank": func(s *subject) { s.text = "\u2003" }, "stale": func(s *subject) { s.stale = true },
	"taken": func(s *subject) { s.taken = true }, "unknown": func(s *subject) { s.unknown = true },
	"of a scene": func(s *subject) { s.reads = "harbor" }, "of an NPC": func(s *subject) { s.reads = "mira" },
	"of a draft": func(s *subject) { s.reads = "draft" },
}

// breaks are what makes a request one that is refused before it is understood.
var breaks = map[string]func(*request){
	"another method": func(r *request) { r.method = http.MethodPut },
	"half a body":    func(r *request) { r.body = "{\"%zz" },
	"another medium": func(r *request) { r.media = "text/plain" },
	"a large body":   func(r *request) { r.body += strings.Repeat(" ", 1<<20+1) },
	"an odd query":   func(r *request) { r.path += "?offset=x&limit=0&version=9&kind=z&q=z&lang=de&done=z&next=//z" },
}

// writes reports whether a route changes something. Its requests come last, so
// that there is everything to be seen until then.
func writes(route string) bool {
	for _, part := range []string{"POST ", "DELETE ", " create_", " update_", " delete_", " publish_", " commit_", " finish_"} {
		if strings.Contains(route, part) {
			return true
		}
	}
	return false
}

// sweep is what a search for leaks found.
type sweep struct {
	statuses map[string]int
	shown    map[string]bool // the marks that were seen by who may
	leaks    []string
}

// secrets are the kinds of secrets that a route gives, to whom it may.
var secrets = map[string]string{
	"POST /login/": "pharos_login_", "POST /api/session/": "pharos_login_", "POST /tokens/issue/": "pharos_author_",
	"POST /plays/{play}/token/": "pharos_play_", "POST /api/plays/{id}/access/": "pharos_play_",
}

// look sends a request and looks for what its sender may not see.
func (f *sweep) look(t *testing.T, c *cast, p *process, route, way string, v viewer, r request) {
	t.Helper()
	got := r.send(t, p.url, v.shows())
	text := got.everything()
	f.statuses[cell(got)]++
	c.marks.shown(text, v.name, f.shown)
	found := c.marks.leaked(text, v.name, r.path+r.body)
	for _, kind := range leak.Kinds(text) {
		if kind != secrets[route] {
			found = append(found, "a "+kind)
		}
	}
	if strings.Contains(text, everybodysPassword) {
		found = append(found, "the password")
	}
	if len(found) > 0 {
		f.leaks = append(f.leaks, fmt.Sprintf("%s, %s, as %s: status %d shows %q", route, way, v.name, got.Status, found))
	}
}

// route looks at a route as somebody, about a play: in every way about two of
// them, and as it is, or what there is to be read, about the others.
func (f *sweep) route(t *testing.T, c *cast, p *process, route string, v viewer, play, typed string) {
	t.Helper()
	page, node := strings.Contains(route, " /"), strings.Contains(route, "node")
	known := page != v.mcp || v.name == "nobody"
	full := known && play < "C"
	for _, way := range names(ways) {
		reads := known && !writes(route) && strings.HasPrefix(way, "of a")
		if way != "as it is" && !reads && (!full || strings.HasPrefix(way, "of a")) {
			continue
		}
		s := c.about(t, play)
		s.text = typed
		if ways[way](&s); s.reads != "" && s.reads != "draft" && !node {
			continue
		}
		f.look(t, c, p, route, way, v, requests[route](s))
	}
	if !full || play != "A" {
		return
	}
	for _, way := range names(breaks) {
		r := requests[route](c.about(t, play))
		breaks[way](&r)
		f.look(t, c, p, route, way, v, r)
	}
}

// TestLeaks: what is private reaches nobody else by any byte of a reply or of the
// log, whoever asks for whatever in whatever way; what may be seen is seen.
//
// clause: P-03, P-05, P-08, P-10, P-11, P-45, P-51
func TestLeaks(t *testing.T) {
	t.Parallel()
	all := routes()
	for _, route := range without(all, names(requests)) {
		t.Errorf("%s has no request that looks for leaks", route)
	}
	for _, route := range without(names(requests), all) {
		t.Errorf("%s has a request, and there is no such route", route)
	}
	c := newCast(t)
	viewers := c.viewersOf(t)
	p := serve(t, configure(t, c.database, map[string]any{
		"admission": map[string]any{"address_per_minute": -1, "token_per_minute": -1},
	}))
	typed := c.marks.new("what was typed", func() (all []string) {
		for _, v := range viewers {
			all = append(all, v.name)
		}
		return all
	}()...)
	f := &sweep{statuses: map[string]int{}, shown: map[string]bool{}}
	begun := time.Now()
	for _, writing := range []bool{false, true} {
		for _, v := range viewers {
			for _, route := range all {
				if requests[route] == nil || writes(route) != writing {
					continue
				}
				for _, play := range names(c.plays) {
					f.route(t, c, p, route, v, play, typed)
				}
			}
		}
	}
	for i, found := range f.leaks {
		if i == 20 {
			t.Errorf("and %d more", len(f.leaks)-i)
			break
		}
		t.Error(found)
	}
	for _, one := range c.marks.all {
		if len(one.seen) > 0 && !f.shown[one.what] {
			t.Errorf("nobody is shown %s, so that nothing is known of it", one.what)
		}
	}
	for _, status := range []string{"+", ".", ">", "3", "0", "(400)", "(405)", "(409)", "(413)", "(415)", "(422)"} {
		if f.statuses[status] == 0 {
			t.Errorf("no reply was a %s", status)
		}
	}
	t.Logf("%v in %v", f.statuses, time.Since(begun).Round(time.Millisecond))
	p.stop(t)
	if diff := cmp.Diff([]string(nil), c.marks.leaked(p.stderr.String(), "the log", "")); diff != "" {
		t.Errorf("the log has:\n%s", diff)
	}
	if strings.Contains(p.stderr.String(), everybodysPassword) {
		t.Error("the log has the password")
	}
}

// TestLeakPlanted publishes a node behind the back of everybody: the search finds
// it.
func TestLeakPlanted(t *testing.T) {
	t.Parallel()
	c := newCast(t)
	c.person(t, "gm", "player", "seat A")
	c.person(t, "player", "gm", "seat A")
	c.author(t, "gm", "player", "seat A")
	c.play(t, "A", "gm", "player")
	p := serve(t, configure(t, c.database, nil))
	look := func() []string {
		f := &sweep{statuses: map[string]int{}, shown: map[string]bool{}}
		v := viewer{"seat A", func() shows { return shows{bearer: c.plays["A"].token} }, true}
		f.look(t, c, p, "play get_play_context", "as it is", v, requests["play get_play_context"](c.about(t, "A")))
		return f.leaks
	}
	if found := look(); found != nil {
		t.Fatalf("before: %q", found)
	}
	c.exec(t, "UPDATE play.assignment SET published_node_ids = published_node_ids || $1::text", c.owns["gm"].hidden)
	found := strings.Join(look(), "\n")
	for _, what := range []string{"the slug", "the title", "the body"} {
		if !strings.Contains(found, what+" of an unpublished node of gm") {
			t.Errorf("%s was not found: %s", what, found)
		}
	}
}

// TestRefusedByDatabase: what the database itself refuses is logged, and what was
// to be written is not.
//
// clause: P-08
func TestRefusedByDatabase(t *testing.T) {
	t.Parallel()
	c := newCast(t)
	c.person(t, "gm", "player")
	c.person(t, "player", "gm")
	c.author(t, "gm", "player")
	c.play(t, "A", "gm", "player")
	typed := c.marks.new("what was typed", "gm")
	s := c.about(t, "A")
	s.text = typed
	cookie := c.session(t, "gm")
	all := []string{
		"play commit_play_turn", "play finish_play_session", "author create_scenario", "author create_wiki_page", "author update_scenario_node",
		"POST /api/plays/", "POST /api/plays/{id}/review/", "POST /plays/new/", "POST /wiki/new/", "POST /tokens/issue/",
		"POST /plays/{play}/review/",
	}
	p := serve(t, configure(t, c.database, nil))
	tables := []string{"assignment", "event", "node", "scenario", "wiki_page", "author_token"}
	for _, route := range all {
		r, shown := requests[route](s), shows{cookie: cookie}
		switch {
		case strings.HasPrefix(route, "play "):
			shown = shows{bearer: s.play.token}
		case strings.HasPrefix(route, "author "):
			shown = shows{bearer: c.owns["gm"].token}
		}
		for _, table := range tables {
			c.exec(t, "ALTER TABLE play."+table+" ADD CONSTRAINT refusing CHECK (false) NOT VALID")
		}
		got := r.send(t, p.url, shown)
		if cell(got) != "(500)" || strings.Contains(got.Body, "refusing") {
			t.Errorf("%s: %s %s", route, cell(got), got.Body)
		}
		for _, table := range tables {
			c.exec(t, "ALTER TABLE play."+table+" DROP CONSTRAINT refusing")
		}
	}
	p.stop(t)
	log := p.stderr.String()
	if n := strings.Count(log, `constraint \"refusing\"`); n < len(all) {
		t.Errorf("%d refusals of %d writes are logged", n, len(all))
	}
	if found := c.marks.leaked(log, "the log", ""); found != nil || strings.Contains(log, "Failing row") {
		t.Errorf("the log has %q", found)
	}
}
