package speech

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/simulator/claim"
)

// forEach runs a test for each lexicon.
func forEach(t *testing.T, f func(t *testing.T, l *lexicon)) {
	t.Helper()
	for _, b := range []Book{A, B} {
		for _, language := range Languages() {
			t.Run(fmt.Sprint(b, language), func(t *testing.T) {
				t.Parallel()
				f(t, lexiconOf(language, b))
			})
		}
	}
}

// Each lexicon has as many ways to say everything as it must.
//
// clause: S-33
func TestSizes(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, l *lexicon) {
		none := 0
		for i, list := range l.nones {
			none += len(list)
			if len(list) < 6 {
				t.Errorf("%d ways to say %s", len(list), negations[i])
			}
		}
		sizes := []struct {
			name       string
			got, least int
		}{
			{"fire", len(l.fires), 40}, {"unknown", len(l.unknowns), 40}, {"none", none, 40},
			{"frames", len(l.frames), 15}, {"cuts", len(l.cuts), 6}, {"fillers", len(l.fillers), 15},
			{"names", len(l.names), 12}, {"buildings", len(l.buildings), 10}, {"points", len(l.points), 8},
		}
		for i, list := range l.severities {
			sizes = append(sizes, struct {
				name       string
				got, least int
			}{string(severities[i]), len(list), 25})
		}
		for i, list := range l.heads {
			sizes = append(sizes, struct {
				name       string
				got, least int
			}{string(qualifiers[i]), len(list), 25})
		}
		for _, s := range sizes {
			if s.got < s.least {
				t.Errorf("%s: %d, and %d are the least", s.name, s.got, s.least)
			}
		}
	})
}

// The books have no phrase in common, in a language, nor five words in a row
// that stand in phrases of both.
//
// clause: S-33
func TestBooksAreDisjoint(t *testing.T) {
	t.Parallel()
	for _, language := range Languages() {
		a := runs(lexiconOf(language, A))
		for run := range runs(lexiconOf(language, B)) {
			if a[run] {
				t.Errorf("%s: both books have %q", language, run)
			}
		}
	}
}

// runs are the phrases of a lexicon and every five words in a row of them.
func runs(l *lexicon) map[string]bool {
	const together = 5
	found := map[string]bool{}
	lists := append(slices.Clone(l.lists()), l.buildings)
	lists = append(lists, l.times[:]...)
	for _, list := range lists {
		for _, p := range list {
			words := strings.Fields(p.text)
			found[p.text] = true
			for i := range len(words) - together + 1 {
				found[strings.Join(words[i:i+together], " ")] = true
			}
		}
	}
	return found
}

// A phrase is there once, its brackets close, and what claims a number of
// people says it: so a number that is missing depends on no number.
func TestPhrases(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, l *lexicon) {
		seen := map[string]bool{}
		for _, list := range l.lists() {
			for _, p := range list {
				if seen[p.text] {
					t.Errorf("twice: %s", p.text)
				}
				seen[p.text] = true
				for n := int64(1); n <= maxNumber; n++ {
					if text := voiced(p.with(l.language, n), n%2 == 0); strings.ContainsAny(text, "{}[]()|@/") {
						t.Errorf("not filled: %s", text)
					}
				}
			}
		}
		for i, list := range l.heads {
			known := qualifiers[i] == claim.PossiblyTrapped || qualifiers[i] == claim.ConfirmedTrapped
			counts := make([]int, maxNumber+1)
			for _, p := range list {
				if known != (p.numbered || p.exactly > 0) {
					t.Errorf("%s: %s", qualifiers[i], p.text)
				}
				for n := range counts {
					if p.fits(matter{number: int64(n)}) {
						counts[n]++
					}
				}
			}
			if least := slices.Min(counts[1:]); known && least < 12 {
				t.Errorf("%s: some number has only %d phrases", qualifiers[i], least)
			}
		}
	})
}

// Numerals agree with what they count.
func TestNumerals(t *testing.T) {
	t.Parallel()
	en := phraseOf("{n} [person is|people are] here after {sec} seconds", meaning{})
	pl := phraseOf("{n} [osoba jest|osoby są|osób jest] tu, nie ma {ng}, widzę {na}", meaning{})
	for want, got := range map[string]string{
		"one person is here after ten seconds":                     en.with("en", 1),
		"two people are here after twenty seconds":                 en.with("en", 2),
		"five people are here after fifty seconds":                 en.with("en", 5),
		"jedna osoba jest tu, nie ma jednej, widzę jedną":          pl.with("pl", 1),
		"trzy osoby są tu, nie ma trzech, widzę trzy":              pl.with("pl", 3),
		"pięć osób jest tu, nie ma pięciu, widzę pięć":             pl.with("pl", 5),
		"dziewięć osób jest tu, nie ma dziewięciu, widzę dziewięć": pl.with("pl", 9),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Each word of number is one that some phrase has.
func TestNumeralsAreUsed(t *testing.T) {
	t.Parallel()
	for _, language := range Languages() {
		for _, word := range others[language] {
			if _, a := lexiconOf(language, A).grammar().words[word]; a {
				continue
			}
			if _, b := lexiconOf(language, B).grammar().words[word]; !b {
				t.Errorf("%s: no phrase has %q", language, word)
			}
		}
	}
}

// What shows a large fire is not said of a small one, of which there is still
// enough to say.
func TestSmallFires(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, l *lexicon) {
		small := 0
		for _, p := range l.fires {
			m := matter{seen: maskOf(kinds[:])}
			if !p.fits(m) && p.without == 0 {
				t.Errorf("nobody says: %s", p.text)
			}
			if m.small = true; p.fits(m) == p.big {
				t.Errorf("of a small fire: %s", p.text)
			}
			if m.seen = 1; p.fits(m) {
				small++
			}
		}
		if small < 16 {
			t.Errorf("%d ways to say that a small fire smokes", small)
		}
	})
}
