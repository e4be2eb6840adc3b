package speech_test

import (
	"strconv"
	"testing"

	"github.com/pharos-mcp/pharos/services/simulator/claim"
	"github.com/pharos-mcp/pharos/services/simulator/speech"
)

// fields are what a learner is asked for. The first four stand under the whole gate.
// The values of the others are numbers, which have the same names in every book:
// what is learned of them from the published texts must not read the episodes.
// Only reports of something say how bad it is and who is inside, and a learner
// of these fields is given those.
type field struct {
	name  string
	ofAll bool
	class func(claim.Label) string
}

var fields = []field{
	{"incident_type", true, func(l claim.Label) string { return string(l.Type) }},
	{"severity", false, func(l claim.Label) string { return string(l.Severity) }},
	{"qualifier", false, func(l claim.Label) string {
		if l.Headcount == nil {
			return ""
		}
		return string(l.Headcount.Qualifier)
	}},
	{"negations", true, func(l claim.Label) string {
		if len(l.Negations) == 0 {
			return ""
		}
		return string(l.Negations[0])
	}},
	{"headcount", false, func(l claim.Label) string {
		if l.Headcount == nil || !l.Headcount.Known {
			return ""
		}
		return strconv.FormatInt(l.Headcount.Value, 10)
	}},
	{"event_time", true, func(l claim.Label) string {
		if l.EventTick == nil {
			return ""
		}
		return strconv.FormatInt(*l.EventTick, 10)
	}},
}

const gated = 4

// read is a text with its words, and with its words and pairs of them.
type read struct {
	said
	words [2][]string
}

// texts makes texts of a book, in two halves.
func texts(language string, b speech.Book, count int64) (halves [2][]read) {
	for seed := range count {
		s := say(1<<20+seed, language, b)
		halves[seed%2] = append(halves[seed%2], read{s, [2][]string{features(s.text, false), features(s.text, true)}})
	}
	return halves
}

func examples(all []read, f field, pairs int) (found []example) {
	for _, s := range all {
		if f.ofAll || s.label.Type != claim.None {
			found = append(found, example{s.words[pairs], f.class(s.label)})
		}
	}
	return found
}

// What somebody learns from the words of a book is worth little on the other,
// and much on texts of the same that they have not seen.
//
// clause: S-33
func TestWordsOfOneBookDoNotReadTheOther(t *testing.T) {
	t.Parallel()
	const most, least, published = 0.65, 0.85, "A onto B"
	for _, language := range speech.Languages() {
		a, b := texts(language, speech.A, 8000), texts(language, speech.B, 8000)
		for i, f := range fields {
			for _, d := range []struct {
				name       string
				from, onto [2][]read
			}{{"A onto B", a, b}, {"B onto A", b, a}} {
				for pairs, what := range []string{"words", "words and pairs"} {
					l := learn(examples(d.from[0], f, pairs))
					same, other := l.score(examples(d.from[1], f, pairs)), l.score(examples(d.onto[1], f, pairs))
					t.Logf("%s, %s, %s by %s: %.3f on its own, %.3f on the other", language, d.name, f.name, what, same, other)
					if i < gated && same < least || other > most && (i < gated || d.name == published) {
						t.Errorf("%s, %s, %s by %s: %.3f on its own, %.3f on the other", language, d.name, f.name, what, same, other)
					}
				}
			}
		}
	}
}
