package speech

import (
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/services/simulator/claim"
)

// slot is a place in a frame.
type slot int

const (
	slotPlace slot = iota
	slotType
	slotSeen
	slotSeverity
	slotHeads
	slotTime
	slotFiller
	slotCount
)

var slotNames = [slotCount]string{"{place}", "{type}", "{seen}", "{severity}", "{heads}", "{time}", "{filler}"}

// phrase is one way of saying something.
type phrase struct {
	text     string
	says     meaning
	without  mask // evidence that it denies
	numbered bool // it has a numeral for the number that it is filled with
	least    int64
	exactly  int64 // the number of people that it says without a numeral; 0 for none
	big      bool  // nobody says it of a small fire
}

// phraseOf reads a line of a lexicon. Words that begin with @ at its end say
// which evidence it mentions, and with @no-, which it denies; @many is for what
// is said of more than one person, @one and @two for what is said of so many, and @big for
// what nobody says of a small fire.
func phraseOf(line string, says meaning) phrase {
	p := phrase{says: says, least: 1}
	words := strings.Fields(line)
	for len(words) > 0 && strings.HasPrefix(words[len(words)-1], "@") {
		tag := strings.TrimPrefix(words[len(words)-1], "@")
		words = words[:len(words)-1]
		switch tag {
		case "many":
			p.least = 2
			continue
		case "one":
			p.exactly = 1
			continue
		case "two":
			p.exactly = 2
			continue
		case "big":
			p.big = true
			continue
		}
		kind, denied := strings.CutPrefix(tag, "no-")
		m := maskOf([]claim.Evidence{claim.Evidence(kind)})
		if m == 0 {
			panic("speech: no such tag: " + line)
		}
		if denied {
			p.without |= m
		} else {
			p.says.evidence |= m
		}
	}
	p.text = strings.Join(words, " ")
	p.numbered = slices.ContainsFunc(polish, func(n numeral) bool { return strings.Contains(p.text, n.slot) })
	return p
}

// matter is what phrases are about.
type matter struct {
	seen    mask  // the evidence that there is
	mention mask  // of that, what is to be said some of; 0 for anything or nothing
	small   bool  // it is a small fire
	number  int64 // of people, or of ticks
}

// fits reports whether the phrase may be said of a matter.
func (p *phrase) fits(m matter) bool {
	switch {
	case p.says.evidence&^m.seen != 0 || p.without&m.seen != 0 || p.big && m.small:
		return false
	case m.mention != 0 && p.says.evidence&m.mention == 0:
		return false
	case p.numbered:
		return m.number >= p.least && m.number <= maxNumber
	default:
		return p.exactly == 0 || p.exactly == m.number
	}
}

// meaning is what the phrase says with a number.
func (p *phrase) meaning(number int64) meaning {
	m := p.says
	switch {
	case m.qualifier == claim.AllOut:
		m.counted = true
	case p.exactly > 0:
		m.counted, m.count = true, p.exactly
	case m.qualifier != "" && p.numbered:
		m.counted, m.count = true, number
	case m.timed:
		m.ago = number
	}
	return m
}

// with fills the phrase with a number: {n} and its like are numerals, and
// [one|more] or [one|few|many] is what agrees with them.
func (p *phrase) with(language string, number int64) string {
	if !p.numbered {
		return p.text
	}
	text := p.text
	for {
		before, rest, found := strings.Cut(text, "[")
		inside, after, closed := strings.Cut(rest, "]")
		if !found || !closed {
			break
		}
		choices := strings.Split(inside, "|")
		text = before + choices[min(plural(language, number), len(choices)-1)] + after
	}
	for _, n := range numerals(language) {
		if number <= int64(len(n.words)) {
			text = strings.ReplaceAll(text, n.slot, n.words[number-1])
		}
	}
	return text
}

// voiced makes a phrase that of a man or of a woman, where (he|she) says
// something of themselves.
func voiced(text string, woman bool) string {
	for {
		before, rest, found := strings.Cut(text, "(")
		inside, after, closed := strings.Cut(rest, ")")
		if !found || !closed {
			return text
		}
		man, other, _ := strings.Cut(inside, "|")
		if woman {
			man = other
		}
		text = before + man + after
	}
}
