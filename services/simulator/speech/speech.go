package speech

import (
	"github.com/pharos-mcp/pharos/services/simulator/claim"
	"github.com/pharos-mcp/pharos/services/simulator/stream"
)

// Book is one of two sets of phrases that have none in common.
type Book int

// The books: A is for data that people learn from, B for episodes.
const (
	A Book = iota
	B
)

// Call is what a caller wants to say.
type Call struct {
	Claim     *claim.Claim
	Location  claim.Location
	Delivered int64 // tick of the call, from which times are told
}

// How often a text says what it might leave out, in permille. Whether it does
// depends on nothing that is claimed, and so on nothing that is true.
const (
	saysSeen     = 600
	saysSeverity = 700
	saysHeads    = 750
	saysTime     = 450
	rambles      = 450

	ramblesOfNothing = 900 // who has less to report is no briefer for it
)

// Render says it with the phrases of a language, "en" or "pl", and a book. The
// label is what the text entails.
func Render(s *stream.Stream, language string, b Book, c Call) (text string, label claim.Label) {
	lex := lexiconOf(language, b)
	said := spoken{lexicon: lex, stream: s, woman: s.Permille(500)}
	said.all(c)
	return said.text(), said.meaning.label(c.Delivered)
}

// spoken is a text that is being made.
type spoken struct {
	*lexicon
	stream  *stream.Stream
	slots   [slotCount]string
	meaning meaning
	woman   bool
}

// all chooses what is said, slot by slot.
func (p *spoken) all(c Call) {
	m := matter{seen: maskOf(c.Claim.Evidence)}
	if c.Location.Building > 0 {
		p.say(slotPlace, p.buildings, m)
		p.slots[slotPlace] = named(p.slots[slotPlace], p.names, c.Location.Building)
	} else {
		p.say(slotPlace, p.points, m)
	}
	g := c.Claim.Severity
	m.small = g != nil && g.Value == claim.Low
	p.say(slotType, p.types(c.Claim), m)
	if left := m.seen &^ p.meaning.evidence; p.stream.Permille(saysSeen) && left != 0 {
		m.mention = left
		p.say(slotSeen, p.seen, m)
		m.mention = 0
	}
	if p.stream.Permille(saysSeverity) && g != nil {
		p.say(slotSeverity, p.severities[severityIndex(g.Value)], m)
	}
	if h := c.Claim.Headcount; p.stream.Permille(saysHeads) && h != nil {
		m.number = h.Value
		p.say(slotHeads, p.heads[qualifierIndex(h.Qualifier)], m)
	}
	if ago := c.Delivered - c.Claim.EventTime.Tick; p.stream.Permille(saysTime) && ago >= 0 && ago <= maxAgo {
		m.number = ago
		p.say(slotTime, p.times[ago], m)
	}
	if often := p.stream.N(1000); often < rambles || c.Claim.Type == claim.None && often < ramblesOfNothing {
		p.say(slotFiller, p.fillers, m)
	}
}

// say picks one of the phrases that fit the matter, and fills it with its
// number. Where none does it says nothing.
func (p *spoken) say(slot slot, phrases []phrase, m matter) {
	var room [64]*phrase
	fitting := room[:0]
	for i := range phrases {
		if phrases[i].fits(m) {
			fitting = append(fitting, &phrases[i])
		}
	}
	if len(fitting) == 0 {
		return
	}
	chosen := fitting[p.stream.N(int64(len(fitting)))]
	p.slots[slot] = chosen.with(p.language, m.number)
	p.meaning.add(chosen.meaning(m.number))
}
