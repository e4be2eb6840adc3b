package speech

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/pharos-mcp/pharos/services/simulator/stream"
)

// kept are the identifiers and numerals of a text.
func kept(language, text string) (found []string) {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune("<>0123456789'’", r) }) {
		if strings.HasPrefix(w, "<") || isNumeral(language, w) {
			found = append(found, w)
		}
	}
	return found
}

// Noise changes words, and neither identifiers nor numerals.
func TestNoise(t *testing.T) {
	t.Parallel()
	for language, text := range map[string]string{
		"en": "Two people at the Old Market <l41>, thirty seconds ago. Somebody's kitchen is ABLAZE, seven inside!",
		"pl": "dwie osoby „Pod Żurawiem” <l41>, trzydzieści sekund temu. Płonie czyjaś KUCHNIA, siedmiu w środku!",
	} {
		want := kept(language, text)
		changed := 0
		for seed := range int64(2000) {
			s := stream.New(seed, "noise", 0, 0)
			spoiled := dropLetters(s, language, text, 3)
			for _, noisy := range []string{spoiled, lower(language, spoiled), shout(language, spoiled)} {
				if got := kept(language, noisy); !slices.Equal(got, want) {
					t.Fatalf("%q has %q, and had %q", noisy, got, want)
				}
			}
			if missing := len([]rune(text)) - len([]rune(spoiled)); missing < 1 || missing > 3 {
				t.Fatalf("%d letters are missing: %s", missing, spoiled)
			}
			changed++
		}
		if lower(language, text) == text || shout(language, text) == text || changed == 0 {
			t.Error("nothing changes")
		}
	}
}

// A sentence begins with a capital, an identifier has none.
func TestSentences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"<l41> burns. żółw! who? it's me – me.": "<l41> burns. Żółw! Who? It's me – me.",
		"„pod orłem”, <l2>.":                    "„Pod orłem”, <l2>.",
	} {
		if got := sentences(text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// What cannot be read is an error.
func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "Hello?", "Hello? It's about <l1>.", "the place is on fire and more", "The place is on fire. The fire is out."} {
		if label, err := Parse(text, "en", A, 0); err != ErrParse {
			t.Errorf("%q: %v, %v", text, label, err)
		}
	}
	if _, err := Parse("The place is on fire. This is for <l1>.", "en", A, 0); err != nil {
		t.Error(err)
	}
	if _, err := Parse("The place is on fire. This is for <l1>.", "en", B, 0); err != ErrParse {
		t.Error("book B reads book A")
	}
}
