package chronicle_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/chronicle"
	"github.com/pharos-mcp/pharos/services/play/fold"
)

func (s *stage) search(id uuid.UUID, query string) chronicle.Found {
	s.t.Helper()
	found, err := s.Search(s.t.Context(), id, query)
	if err != nil {
		s.t.Fatalf("%q: %v", query, err)
	}
	return found
}

func versions(found []chronicle.Match) []int64 {
	out := []int64{}
	for _, m := range found {
		out = append(out, m.Version)
	}
	return out
}

// clause: P-12
func TestSearch(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id, other := s.harbor(0), s.harbor(1)
	s.exec("UPDATE play.assignment SET memory = $2 WHERE id = $1", id, "# Stan\nŁódź Miry czeka. "+strings.Repeat("Nic. ", 400)+"\nŁÓDŹ tonie.")
	events := []event{
		turn("Wsiadasz do łodzi. ŻÓŁĆ!"),                              // 2
		turn("50% off_all [a-z]* (x|y) \\d 'quoted' \"x\"; DROP"),     // 3
		turn("Die STRASSE führt zum Café, e\u0301te\u0301."),          // 4
		turn("👩‍🚀 steht da 🇵🇱."),                                      // 5
		{kind: "turn", action: "Pytam o Mirę.", narration: "Milczy."}, // 6
		review, // 7
	}
	for range 90 {
		events = append(events, turn("Woda i woda."))
	}
	events = append(events, turn("Mira"), finish("Koniec w porcie")) // 98, 99
	s.happen(id, events...)
	s.happen(other, turn("Łódź, Mira, tylko tu: kapusta"))

	for query, want := range map[string][]int64{
		"łodzi": {2}, "LODZI": {2}, "ło": {2}, "żółć": {2}, "zolc": {2}, "zo\u0301lc": {2},
		"50% off": {3}, "%": {3}, "_": {3}, "\\d": {3}, "\\": {3}, "[a-z]*": {3}, "(x|y)": {3}, "'quoted'": {3}, "\"x\"": {3}, "; drop": {3}, ".*": {}, "%%": {}, "^": {}, "50 off": {},
		"strasse": {4}, "straße": {4}, "Fuhrt": {4}, "cafe": {4}, "été": {4}, "ß": {4},
		"👩‍🚀": {5}, "🇵🇱": {5}, "👩": {5}, "🇩🇪": {},
		"mira": {98}, "mire": {6}, "MIRĘ": {6}, "o mirę.  milczy": {6}, "q": {3}, "qx": {},
		"koniec": {99}, "Koniec  w\tporcie": {99}, "kapusta": {},
		"woda i": {97, 96, 95, 94, 93, 92, 91, 90, 89, 88},
	} {
		if diff := cmp.Diff(want, versions(s.search(id, query).Journal)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", query, diff)
		}
	}

	got := s.search(id, "lodz")
	want := chronicle.Found{Version: 99, Journal: []chronicle.Match{
		{Version: 2, Kind: "turn", Excerpt: "I do it.\n\nWsiadasz do łodzi. ŻÓŁĆ!"},
	}}
	want.Memory = got.Memory
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(got.Memory) != 2 || !strings.HasPrefix(got.Memory[0], "# Stan\nŁódź Miry czeka.") || !strings.HasSuffix(got.Memory[1], "ŁÓDŹ tonie.") {
		t.Errorf("in the memory: %q, want both places", got.Memory)
	}
	for _, invisible := range []string{"\u0301", "\u200b", "\u00ad"} {
		if got := s.search(id, invisible); len(got.Journal)+len(got.Memory) > 0 || got.Journal == nil || got.Memory == nil {
			t.Errorf("%q, which shows nothing, found %v", invisible, got)
		}
	}
}

// clause: P-12
func TestSearchBounds(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.harbor(0)
	long := strings.Repeat("ż", chronicle.MaxQuery)
	s.happen(id, turn(long+long))
	for _, query := range []string{"", " ", "\t\n\u00a0", long + "ż"} {
		if _, err := s.Search(t.Context(), id, query); fault.CodeOf(err) != fault.Unprocessable {
			t.Errorf("a query of %d characters: %v, want that it is refused", utf8.RuneCountInString(query), err)
		}
	}
	for _, query := range []string{"ż", long} {
		if got := s.search(id, query); len(got.Journal) != 1 {
			t.Errorf("a query of %d characters found %v", utf8.RuneCountInString(query), got)
		}
	}
}

// clause: P-12
func TestExcerpts(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.harbor(0)
	const one = "👩🏽‍🚀 "
	memory := strings.Repeat(one, 1000) + "Znajdź Mirę. " + strings.Repeat(one, 1000)
	s.exec("UPDATE play.assignment SET memory = $2 WHERE id = $1", id, strings.Repeat("mira "+strings.Repeat("x", 500)+" ", 20))
	s.happen(id, turn(strings.ToValidUTF8(memory[:len(memory)/2+2000], "")))
	got := s.search(id, "mire")
	if len(got.Journal) != 1 || len(got.Memory) != 0 {
		t.Fatalf("found %v", got)
	}
	excerpt := got.Journal[0].Excerpt
	bare := strings.ReplaceAll(strings.Trim(excerpt, "…")+" ", one, "")
	if n := utf8.RuneCountInString(excerpt); n > chronicle.MaxExcerpt || n < 100 || bare != "Znajdź Mirę. " {
		t.Errorf("an excerpt of %d characters: %q", n, excerpt)
	}
	got = s.search(id, "mira")
	if len(got.Memory) != chronicle.MaxOfMemory {
		t.Errorf("%d excerpts of the memory, want %d", len(got.Memory), chronicle.MaxOfMemory)
	}
	for _, e := range got.Memory {
		if n := utf8.RuneCountInString(e); n > chronicle.MaxExcerpt {
			t.Errorf("an excerpt of %d characters", n)
		}
	}
}

// TestSearchAgainstReading compares what the index finds with what reading all
// events finds.
//
// clause: P-12
func TestSearchAgainstReading(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.harbor(0)
	s.happen(s.harbor(1), turns(9, 300)...) // it must not be found
	events := turns(3, 400)
	for i := range events {
		events[i].narration = events[i].narration[:300+i%200] // shorter, so that less is found everywhere
		events[i].narration = strings.ToValidUTF8(events[i].narration, "")
	}
	s.happen(id, events...)
	random := rand.New(rand.NewPCG(5, 5))
	for range 300 {
		text := []rune(events[random.IntN(len(events))].narration)
		from := random.IntN(len(text) - 25)
		query := string(text[from : from+1+random.IntN(24)])
		if random.IntN(5) == 0 {
			query += fmt.Sprint(random.IntN(10))
		}
		if strings.TrimSpace(query) == "" {
			continue
		}
		want := []int64{}
		for i, e := range slices.Backward(events) {
			if len(want) < chronicle.MaxMatches && strings.Contains(fold.Text(fold.Join(e.action, e.narration)), fold.Text(query)) {
				want = append(want, int64(i+2))
			}
		}
		if diff := cmp.Diff(want, versions(s.search(id, query).Journal)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", query, diff)
		}
	}
}
