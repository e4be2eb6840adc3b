package chronicle_test

import (
	"crypto/rand"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/fold"
	"github.com/pharos-mcp/pharos/services/play/report"
)

// canaries are random words, by where they stand.
type canaries map[string]string

// in gives a new word for a place.
func (c canaries) in(place string) string {
	word := "canary" + strings.ToLower(rand.Text())
	c[place] = word
	return word
}

// sung lists the places whose words are in a text.
func (c canaries) sung(text string) []string {
	var out []string
	for _, place := range slices.Sorted(maps.Keys(c)) {
		if strings.Contains(strings.ToLower(text), c[place]) {
			out = append(out, place)
		}
	}
	return out
}

// TestCanaries puts a word into everything that a player may not read, and looks
// for it in everything that one reads.
//
// clause: P-10, P-11, P-12, P-45, P-51
func TestCanaries(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	private, public := canaries{}, canaries{}
	hidden := func(id, kind string) node {
		return node{id, kind, private.in("title of " + id), private.in("body of " + id), private.in("notes of " + id)}
	}
	s.scenario(0, public.in("title"),
		node{"harbor", "scene", public.in("title of harbor"), public.in("body of harbor"), private.in("notes of harbor")},
		node{"mira", "npc", public.in("title of mira"), public.in("body of mira"), private.in("notes of mira")},
		hidden("cellar", "scene"), hidden("vampire", "npc"), hidden("crypt", "place"), hidden("letter", "clue"))
	id := s.assign(0, []string{"harbor", "mira"}, `gm_notes = $2, memory = $3, brief = $4`,
		private.in("notes of the assignment"), public.in("memory"), public.in("brief"))
	s.happen(id, event{kind: "turn", action: public.in("action"), narration: public.in("narration")}, review)
	s.propose(id, effect{version: 2, position: 1, status: "rejected", decided: 3, description: public.in("effect"), note: public.in("note")})

	// What is of the same people, and not of this assignment.
	s.scenario(1, private.in("another scenario"), node{"harbor", "scene", private.in("another harbor"), private.in("its body"), private.in("its notes")})
	other := s.assign(1, []string{"harbor"}, "memory = $2, brief = $3", private.in("another memory"), private.in("another brief"))
	s.happen(other, event{kind: "turn", action: private.in("another action"), narration: private.in("another narration")})
	s.propose(other, effect{version: 2, position: 2, status: "pending", description: private.in("another effect")})
	s.exec(`UPDATE play.scenario SET summary = $2 WHERE id = $1`, identifier(2, 0), private.in("summary of the scenario"))
	s.exec(`INSERT INTO play.scenario_version (scenario_id, version, status, revision, created_at) VALUES ($1, 2, 'draft', 1, $2)`, identifier(2, 0), start)
	s.exec(`INSERT INTO play.node (scenario_id, version, id, kind, position, title, body, gm_notes, revision, created_at, updated_at)
		VALUES ($1, 2, 'harbor', 'scene', 0, $3, $4, $5, 1, $2, $2)`, identifier(2, 0), start,
		private.in("title in the draft"), private.in("body in the draft"), private.in("notes in the draft"))
	page := private.in("the wiki")
	s.exec(`INSERT INTO play.wiki_page (owner_id, id, title, body, revision, folded, grams, created_at, updated_at)
		VALUES ($1, 'page', $2, $2, 1, $2, $3, $4, $4)`, identifier(1, 0), page, fold.Grams(id, page), start)

	var read strings.Builder
	keep := json.NewEncoder(&read)
	tell := func(v any, err error) {
		t.Helper()
		if err == nil {
			err = keep.Encode(v)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	c, err := s.Context(t.Context(), id)
	tell(c, err)
	if got := public.sung(read.String()); len(got) != len(public) {
		t.Errorf("the context has %q, want all of what is public", got)
	}
	_, entries, err := s.Journal(t.Context(), id, 0, 20)
	tell(entries, err)
	for place, word := range private {
		found := s.search(id, word)
		if len(found.Journal)+len(found.Memory) > 0 {
			t.Errorf("a search found %s", place)
		}
		tell(found, nil)
	}
	for _, query := range []string{"canary", "a", "can"} {
		tell(s.search(id, query), nil)
	}
	for _, role := range []assignment.Role{assignment.Player, ""} {
		d, err := s.ReportData(t.Context(), id, role)
		if err == nil {
			err = report.Write(&read, d, "en")
		}
		tell(nil, err)
	}
	if got := private.sung(read.String()); len(got) > 0 {
		t.Errorf("a player reads what is private: %q", got)
	}
	// The game master's report has his notes of the assignment, and no more.
	d, err := s.ReportData(t.Context(), id, assignment.GM)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := report.Write(&b, d, "en"); err != nil {
		t.Fatal(err)
	}
	if got := private.sung(b.String()); len(got) != 1 || got[0] != "notes of the assignment" {
		t.Errorf("the game master's report has %q", got)
	}
}
