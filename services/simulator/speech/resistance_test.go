package speech_test

import (
	"strconv"
	"testing"

	"github.com/pharos-mcp/pharos/services/simulator/claim"
	"github.com/pharos-mcp/pharos/services/simulator/speech"
)

// fields are what a learner is asked for. The first three stand under the gate.
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
	{"negations", true, func(l claim.Label) string {
		if len(l.Negations) == 0 {
			return ""
		}
		return string(l.Negations[0])
	}},
}

const gated = 3

// texts makes texts of a book, in two halves.
func texts(language string, b speech.Book, count int64) (halves [2][]said) {
	for seed := range count {
		halves[seed%2] = append(halves[seed%2], say(1<<20+seed, language, b))
	}
	return halves
}

func examples(all []said, f field) (found []example) {
	for _, s := range all {
		if f.ofAll || s.label.Type != claim.None {
			found = append(found, example{s.text, f.class(s.label)})
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
	const most, least = 0.65, 0.85
	for _, language := range speech.Languages() {
		a, b := texts(language, speech.A, 8000), texts(language, speech.B, 8000)
		for i, f := range fields {
			for _, d := range []struct {
				name       string
				from, onto [2][]said
			}{{"A onto B", a, b}, {"B onto A", b, a}} {
				for _, pairs := range []bool{false, true} {
					l := learn(examples(d.from[0], f), pairs)
					same, other := l.score(examples(d.from[1], f), pairs), l.score(examples(d.onto[1], f), pairs)
					t.Logf("%s %s %s, pairs %v: %.3f on its own, %.3f on the other", language, d.name, f.name, pairs, same, other)
					if i < gated && (other > most || same < least) {
						t.Errorf("%s %s %s, pairs %v: %.3f on its own, %.3f on the other", language, d.name, f.name, pairs, same, other)
					}
				}
			}
		}
	}
}
