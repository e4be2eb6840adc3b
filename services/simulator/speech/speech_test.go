package speech_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/simulator/claim"
	"github.com/pharos-mcp/pharos/services/simulator/speech"
)

// everyBook runs a test for each language of each book.
func everyBook(t *testing.T, f func(t *testing.T, language string, b speech.Book)) {
	t.Helper()
	for _, b := range []speech.Book{speech.A, speech.B} {
		for _, language := range speech.Languages() {
			t.Run(string(rune('A'+int(b)))+"."+language, func(t *testing.T) {
				t.Parallel()
				f(t, language, b)
			})
		}
	}
}

// What has the grammar reads every text right.
//
// clause: S-33
func TestParse(t *testing.T) {
	t.Parallel()
	everyBook(t, func(t *testing.T, language string, b speech.Book) {
		wrong := 0
		for seed := range int64(5000) {
			s := say(seed, language, b)
			got, err := speech.Parse(s.text, language, b, s.call.Delivered)
			if err != nil || strings.ContainsAny(s.text, "{}[]()|@/") {
				t.Errorf("%v: %s", err, s.text)
				wrong++
			} else if diff := cmp.Diff(s.label, got); diff != "" {
				t.Errorf("%s\n%s", s.text, diff)
				wrong++
			}
			if wrong > 10 {
				t.Fatal("and so on")
			}
		}
	})
}

// A label says nothing that is not claimed.
func TestLabelIsOfTheClaim(t *testing.T) {
	t.Parallel()
	everyBook(t, func(t *testing.T, language string, b speech.Book) {
		for seed := range int64(3000) {
			s := say(seed, language, b)
			c, l := s.call.Claim, s.label
			ok := l.Type == c.Type && slices.Equal(l.Negations, c.Negations)
			for _, e := range l.Evidence {
				ok = ok && slices.Contains(c.Evidence, e)
			}
			ok = ok && (l.Severity == "" || c.Severity != nil && l.Severity == c.Severity.Value)
			ok = ok && (l.EventTick == nil || *l.EventTick == c.EventTime.Tick)
			if h := l.Headcount; h != nil {
				ok = ok && c.Headcount != nil && h.Qualifier == c.Headcount.Qualifier && (!h.Known || h.Value == c.Headcount.Value)
			}
			if !ok {
				t.Fatalf("%s\n%+v\n%+v", s.text, c, l)
			}
			if n := strings.Count(s.text, "<l"); n > 1 || (n == 1) != (s.call.Location.Building > 0) {
				t.Fatalf("%d identifiers: %s", n, s.text)
			}
		}
	})
}

// Of what it might leave out, a text says each as often as not, whatever it is.
func TestSaying(t *testing.T) {
	t.Parallel()
	everyBook(t, func(t *testing.T, language string, b speech.Book) {
		var heads, counted, severity, timed, all int
		for seed := range int64(5000) {
			s := say(seed, language, b)
			if s.label.Type == claim.None {
				continue
			}
			all++
			if s.label.Headcount != nil {
				heads++
				if s.label.Headcount.Known {
					counted++
				}
			}
			if s.label.Severity != "" {
				severity++
			}
			if s.label.EventTick != nil {
				timed++
			}
		}
		for _, c := range []struct {
			name              string
			count, low, above int
		}{{"people", heads, 72, 78}, {"numbers", counted, 35, 60}, {"severity", severity, 67, 73}, {"time", timed, 33, 45}} {
			if share := 100 * c.count / all; share < c.low || share > c.above {
				t.Errorf("%d %% of the texts say %s", share, c.name)
			}
		}
	})
}

// The same stream says the same.
//
// clause: S-35
func TestDeterminism(t *testing.T) {
	t.Parallel()
	everyBook(t, func(t *testing.T, language string, b speech.Book) {
		different := map[string]bool{}
		for seed := range int64(500) {
			one, other := say(seed, language, b), say(seed, language, b)
			if diff := cmp.Diff(one.label, other.label); one.text != other.text || diff != "" {
				t.Fatalf("%s\n%s\n%s", one.text, other.text, diff)
			}
			different[one.text] = true
		}
		if len(different) < 500 {
			t.Errorf("only %d texts of 500 differ", len(different))
		}
	})
}

func BenchmarkRender(b *testing.B) {
	for seed := int64(0); b.Loop(); seed++ {
		say(seed%1000, "pl", speech.B)
	}
}
