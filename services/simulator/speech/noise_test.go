package speech

import (
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/simulator/stream"
)

// Noise changes words, and neither identifiers nor numerals.
func TestNoise(t *testing.T) {
	t.Parallel()
	for language, c := range map[string]struct {
		text string
		kept []string
	}{
		"en": {
			"Two people at the Old Market <l41>, thirty seconds ago. Somebody's kitchen is ABLAZE, seven inside on the second floor!",
			[]string{"Two", "<l41>", "thirty", "seven", "second"},
		},
		"pl": {
			"Dwie osoby „Pod Żurawiem” <l41>, trzydzieści sekund temu. Płonie czyjaś KUCHNIA, czterech w środku, siódemka stoi!",
			[]string{"Dwie", "<l41>", "trzydzieści", "czterech", "siódemka"},
		},
	} {
		for seed := range int64(2000) {
			s := stream.New(seed, "noise", 0, 0)
			spoiled := dropLetters(s, language, c.text, 3)
			for _, noisy := range []string{spoiled, lower(language, spoiled), shout(language, spoiled)} {
				for _, word := range c.kept {
					if !strings.Contains(noisy, word) {
						t.Fatalf("%q has lost %s", noisy, word)
					}
				}
			}
			if missing := len([]rune(c.text)) - len([]rune(spoiled)); missing < 1 || missing > 3 {
				t.Fatalf("%d letters are missing: %s", missing, spoiled)
			}
		}
		if lower(language, c.text) == c.text || shout(language, c.text) == c.text {
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
