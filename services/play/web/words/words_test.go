package words

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// texts collects every text of a catalogue by the path of its field.
func texts(v reflect.Value, path string, into map[string]string) {
	switch v.Kind() {
	case reflect.String:
		into[path] = v.String()
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				texts(v.Field(i), path+"."+v.Type().Field(i).Name, into)
			}
		}
	}
}

var verbs = regexp.MustCompile(`%[^%\s]`)

// TestComplete: each text exists in both languages and takes the same arguments.
//
// clause: P-46, P-53
func TestComplete(t *testing.T) {
	t.Parallel()
	en, pl := map[string]string{}, map[string]string{}
	texts(reflect.ValueOf(*english), "", en)
	texts(reflect.ValueOf(*polish), "", pl)
	if len(en) < 300 {
		t.Errorf("%d texts, which are not all", len(en))
	}
	same := 0
	for path, text := range en {
		other := pl[path]
		few := strings.HasSuffix(path, ".Few")
		if text == "" && !few || other == "" || strings.TrimSpace(text) != text || strings.TrimSpace(other) != other {
			t.Errorf("%s is %q and %q", path, text, other)
		}
		if got, want := verbs.FindAllString(other, -1), verbs.FindAllString(text, -1); !few && !cmp.Equal(got, want) {
			t.Errorf("%s takes %v in Polish and %v in English", path, got, want)
		}
		if text == other {
			same++
		}
	}
	if same > 5 {
		t.Errorf("%d texts are the same in both languages", same)
	}
}

func TestPlural(t *testing.T) {
	t.Parallel()
	want := map[int64][2]string{
		0:         {"0 consequences wait", "0 konsekwencji czeka"},
		1:         {"1 consequence waits", "1 konsekwencja czeka"},
		2:         {"2 consequences wait", "2 konsekwencje czekają"},
		4:         {"4 consequences wait", "4 konsekwencje czekają"},
		5:         {"5 consequences wait", "5 konsekwencji czeka"},
		12:        {"12 consequences wait", "12 konsekwencji czeka"},
		14:        {"14 consequences wait", "14 konsekwencji czeka"},
		21:        {"21 consequences wait", "21 konsekwencji czeka"},
		22:        {"22 consequences wait", "22 konsekwencje czekają"},
		112:       {"112 consequences wait", "112 konsekwencji czeka"},
		1234:      {"1234 consequences wait", "1234 konsekwencje czekają"},
		1_000_001: {"1000001 consequences wait", "1000001 konsekwencji czeka"},
		3_000_002: {"3000002 consequences wait", "3000002 konsekwencje czekają"},
	}
	for n, texts := range want {
		if got := [2]string{english.Plays.Pending.For(n), polish.Plays.Pending.For(n)}; got != texts {
			t.Errorf("%d: got %q, want %q", n, got, texts)
		}
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]string{
		"": "en", "pl": "pl", "pl-PL,pl;q=0.9,en;q=0.8": "pl", "en-GB,pl;q=0.5": "en", "de": "en", "de,pl;q=0.3": "pl", "*": "en",
		"pl;q=0,en": "en", "not a header;;;": "en", strings.Repeat("pl,", 500): "en",
	} {
		if got := Match(accept).Tag; got != want {
			t.Errorf("Match(%.40q) = %s, want %s", accept, got, want)
		}
	}
	if For("xx") != english || For("pl") != polish || Known("xx") || !Known("en") {
		t.Error("a language that is not there is not English")
	}
}

func TestMoment(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 0, 5, 0, 0, time.FixedZone("", 3600))
	if got, want := english.Moment(at), (Moment{"28 February 2026, 23:05 UTC", "2026-02-28T23:05:00Z"}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := polish.Moment(at), (Moment{"28 lutego 2026, 23:05 UTC", "2026-02-28T23:05:00Z"}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestTerms: what the domain knows has a name, and each another.
func TestTerms(t *testing.T) {
	t.Parallel()
	for _, w := range []*Words{english, polish} {
		for name, terms := range map[string]struct {
			of     func(string) string
			values []string
		}{
			"state":    {w.Plays.StateOf, []string{"active", "completed"}},
			"mode":     {w.Plays.ModeOf, []string{"absence", "downtime", "solo"}},
			"category": {w.Plays.CategoryOf, []string{"resource", "relationship", "discovery", "narrative"}},
			"status":   {w.Plays.StatusOf, []string{"pending", "approved", "rejected"}},
			"version":  {w.Scenarios.VersionStatus, []string{"draft", "published"}},
			"kind":     {w.Nodes.KindOf, []string{"scene", "npc", "place", "clue"}},
			"language": {w.LanguageOf, Languages},
			"notice":   {w.Done.Notice, []string{"created", "saved", "deleted", "published", "revoked", "reviewed", "version", "language"}},
		} {
			seen := map[string]string{}
			for _, value := range terms.values {
				text := terms.of(value)
				if text == "" || seen[text] != "" {
					t.Errorf("%s: %s %q is called %q, as is %q", w.Tag, name, value, text, seen[text])
				}
				seen[text] = value
			}
		}
		if w.Done.Notice("anything") != "" {
			t.Error("there is a notice for anything")
		}
	}
}
