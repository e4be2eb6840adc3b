package demo_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/play/account"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/demo"
	"github.com/pharos-mcp/pharos/services/play/scenario"
	"github.com/pharos-mcp/pharos/services/play/wiki"
)

// fixture is play's services over a database of their own.
type fixture struct {
	demo.Deps
	pool *pgxpool.Pool
	t    *testing.T
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	pool := pgtest.Database(t, "play")
	return &fixture{demo.Deps{
		Accounts:    account.New(account.Config{Pool: pool}),
		Scenarios:   scenario.New(scenario.Config{Pool: pool}),
		Wiki:        wiki.New(wiki.Config{Pool: pool}),
		Assignments: assignment.New(assignment.Config{Pool: pool, Now: time.Now}),
	}, pool, t}
}

func (f *fixture) ctx() context.Context { return f.t.Context() }

// options are for two accounts.
func options(language string) demo.Options {
	person := func(username string) account.NewAccount {
		return account.NewAccount{Username: username, DisplayName: username, Language: language, Password: "a password of many letters"}
	}
	return demo.Options{GM: person("gm"), Player: person("player"), Language: language}
}

func (f *fixture) load(language string) demo.Loaded {
	f.t.Helper()
	l, err := demo.Load(f.ctx(), f.Deps, options(language))
	if err != nil {
		f.t.Fatal(err)
	}
	return l
}

func (f *fixture) id(username string) uuid.UUID {
	f.t.Helper()
	a, err := f.Accounts.ByUsername(f.ctx(), username)
	if err != nil {
		f.t.Fatal(err)
	}
	return a.ID
}

// story is all that was loaded in a language.
type story struct {
	Scenario   scenario.Scenario
	Nodes      []scenario.Node
	Pages      []wiki.Page
	Assignment assignment.Assignment
}

func (f *fixture) story(language string, l demo.Loaded) (s story) {
	f.t.Helper()
	gm := f.id("gm")
	check := func(err error) {
		f.t.Helper()
		if err != nil {
			f.t.Fatal(err)
		}
	}
	var err error
	s.Scenario, err = f.Scenarios.Get(f.ctx(), gm, l.ScenarioID)
	check(err)
	_, s.Nodes, err = f.Scenarios.Nodes(f.ctx(), gm, l.ScenarioID, 1, "", 0, scenario.MaxPage)
	check(err)
	_, list, err := f.Wiki.List(f.ctx(), gm, 0, wiki.MaxPage)
	check(err)
	for _, p := range list {
		if strings.HasPrefix(p.ID, "demo-"+language+"-") {
			p, err = f.Wiki.Read(f.ctx(), gm, p.ID)
			check(err)
			s.Pages = append(s.Pages, p)
		}
	}
	s.Assignment, _, err = f.Assignments.Get(f.ctx(), gm, l.AssignmentID)
	check(err)
	return s
}

// shape is what is the same in every language.
func (s story) shape() []string {
	out := []string{"scenario " + fmt.Sprint(s.Scenario.Latest, s.Scenario.Versions[0].Status)}
	for _, n := range s.Nodes {
		out = append(out, fmt.Sprintf("%s %s at %d: %s; %s", n.Kind, n.ID, n.Position, outline(n.Body), outline(n.GMNotes)))
	}
	for _, p := range s.Pages {
		_, id, _ := strings.Cut(strings.TrimPrefix(p.ID, "demo-"), "-")
		out = append(out, fmt.Sprintf("page %s: %s", id, outline(p.Body)))
	}
	a := s.Assignment
	return append(out, fmt.Sprint(a.Mode, a.Status, a.Version, a.CurrentScene, a.PublishedNodeIDs, a.AutoApprove),
		outline(a.Character), outline(a.Brief), outline(a.Instructions), outline(a.Boundaries), outline(a.ReturnCondition),
		outline(a.GMNotes))
}

// outline gives how the paragraphs of a text begin.
func outline(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		switch line = strings.TrimSpace(line); {
		case line == "":
		case strings.HasPrefix(line, "- "), strings.HasPrefix(line, "# "), strings.HasPrefix(line, "**"):
			out = append(out, line[:1])
		case strings.HasPrefix(line[1:], ". "):
			out = append(out, line[:1])
		default:
			out = append(out, "p")
		}
	}
	return strings.Join(out, " ")
}

// TestLoad loads the story in both languages, and finds the same in either.
func TestLoad(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	english := f.story("en", f.load("en"))
	polish := f.story("pl", f.load("pl"))
	if diff := cmp.Diff(english.shape(), polish.shape()); diff != "" {
		t.Errorf("the languages differ (-en +pl):\n%s", diff)
	}
	kinds := map[string]int{}
	for _, n := range english.Nodes {
		kinds[n.Kind]++
	}
	want := map[string]int{"scene": 4, "npc": 3, "clue": 3, "place": 2}
	if diff := cmp.Diff(want, kinds); diff != "" || len(english.Pages) != 4 {
		t.Errorf("%d pages (-want +got):\n%s", len(english.Pages), diff)
	}
	for language, s := range map[string]story{"en": english, "pl": polish} {
		a := s.Assignment
		if s.Scenario.Language != language || a.Language != language || a.Player.Username != "player" || a.GM.Username != "gm" {
			t.Errorf("%s: %+v, %+v", language, s.Scenario, a)
		}
		if s.Scenario.Versions[0].Status != scenario.Published || len(a.AutoApprove) != 1 || a.CurrentScene != s.Nodes[0].ID {
			t.Errorf("%s: %+v, %+v", language, s.Scenario, a)
		}
		for name, text := range map[string]string{
			"summary": s.Scenario.Summary, "character": a.Character, "brief": a.Brief, "instructions": a.Instructions,
			"boundaries": a.Boundaries, "return condition": a.ReturnCondition, "notes": a.GMNotes,
		} {
			if len(text) < 200 || strings.Contains(text, "<!--") {
				t.Errorf("%s: %s is %q", language, name, text)
			}
		}
		for i, n := range s.Nodes {
			if n.Body == "" || n.GMNotes == "" || n.Title == english.Nodes[i].Title && language == "pl" {
				t.Errorf("%s: %+v", language, n)
			}
			if strings.Contains(n.Body, strings.TrimSpace(n.GMNotes)) {
				t.Errorf("%s: the notes of %s are in its body", language, n.ID)
			}
		}
	}
}

// TestHeldBack sees that a scene and a clue are not published to the player, and
// that nothing published speaks of them.
func TestHeldBack(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, language := range []string{"en", "pl"} {
		s := f.story(language, f.load(language))
		held := map[string]bool{}
		for _, n := range s.Nodes {
			if !slices.Contains(s.Assignment.PublishedNodeIDs, n.ID) {
				held[n.Kind] = true
				for _, other := range s.Nodes {
					if other.ID != n.ID && strings.Contains(other.Body, n.Title) {
						t.Errorf("%s: what %s says names %q", language, other.ID, n.Title)
					}
				}
			}
		}
		if diff := cmp.Diff(map[string]bool{"scene": true, "clue": true}, held); diff != "" {
			t.Errorf("%s (-want +got):\n%s", language, diff)
		}
	}
}

// content is what the database holds.
func (f *fixture) content() (out string) {
	f.t.Helper()
	for _, table := range []string{"account", "scenario", "scenario_version", "node", "wiki_page", "assignment"} {
		var rows string
		err := f.pool.QueryRow(f.ctx(), "SELECT COALESCE(string_agg(x::text, E'\n' ORDER BY x::text), '') FROM play."+table+" AS x").Scan(&rows)
		if err != nil {
			f.t.Fatal(err)
		}
		out += rows + "\n"
	}
	return out
}

func TestLoadAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	first := f.load("pl")
	before := f.content()
	if again := f.load("pl"); again != first {
		t.Errorf("%+v, then %+v", first, again)
	}
	if diff := cmp.Diff(before, f.content()); diff != "" {
		t.Errorf("loading again changed something (-before +after):\n%s", diff)
	}
}

// TestLoadAtOnce loads both languages, each 5 times, at once.
func TestLoadAtOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	loaded := make([]demo.Loaded, 10)
	var all sync.WaitGroup
	for i := range loaded {
		all.Go(func() {
			var err error
			if loaded[i], err = demo.Load(f.ctx(), f.Deps, options([]string{"en", "pl"}[i%2])); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for i, l := range loaded {
		if l != loaded[i%2] {
			t.Errorf("%d: %+v, then %+v", i, loaded[i%2], l)
		}
	}
	if loaded[0] == loaded[1] {
		t.Errorf("both languages are %+v", loaded[0])
	}
	for table, want := range map[string]int{"account": 2, "scenario": 2, "node": 24, "wiki_page": 8, "assignment": 2} {
		var got int
		if err := f.pool.QueryRow(f.ctx(), "SELECT count(*) FROM play."+table).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %d rows, %v, want %d", table, got, err, want)
		}
	}
}

// TestChanged loads again what somebody has worked on.
func TestChanged(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	first, gm := f.load("en"), f.id("gm")
	if _, err := f.Wiki.Update(f.ctx(), gm, "demo-en-hoarfield", 1, "Mine", "My own."); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Scenarios.NewVersion(f.ctx(), gm, first.ScenarioID, 1); err != nil {
		t.Fatal(err)
	}
	if again := f.load("en"); again != first {
		t.Errorf("%+v, then %+v", first, again)
	}
	if p, err := f.Wiki.Read(f.ctx(), gm, "demo-en-hoarfield"); err != nil || p.Body != "My own." {
		t.Errorf("%+v, %v", p, err)
	}
	token, _, err := f.Assignments.GenerateToken(f.ctx(), gm, first.AssignmentID)
	if err != nil {
		t.Fatal(err)
	}
	seat, err := f.Assignments.Seat(f.ctx(), token)
	if err != nil {
		t.Fatal(err)
	}
	ending := assignment.Ending{OperationID: uuid.New(), ExpectedVersion: 1, Summary: "At dawn, at the gate."}
	if _, err := f.Assignments.Finish(f.ctx(), seat, ending); err != nil {
		t.Fatal(err)
	}
	next := f.load("en")
	if next.AssignmentID == first.AssignmentID || next.ScenarioID != first.ScenarioID {
		t.Errorf("after the first is completed: %+v, then %+v", first, next)
	}
	if again := f.load("en"); again != next {
		t.Errorf("%+v, then %+v", next, again)
	}
}

func TestUnknownLanguage(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, language := range []string{"de", "", "..", "en/npc"} {
		if _, err := demo.Load(f.ctx(), f.Deps, options(language)); fault.CodeOf(err) != fault.Unprocessable {
			t.Errorf("%q: %v", language, err)
		}
	}
	if _, err := f.Accounts.ByUsername(f.ctx(), "gm"); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("somebody was made for it: %v", err)
	}
}
