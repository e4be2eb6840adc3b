package speech

import (
	"strings"
	"unicode"

	"github.com/pharos-mcp/pharos/services/simulator/claim"
)

// frame is an order in which a caller says things, with words of its own
// between them. Its parts are left out where nothing fills them.
type frame struct {
	parts []string
	only  string // "none" or "some": what it is about; "" for either
}

// frameOf reads a frame. Slashes are between its parts; a tag at the end says
// what it is about.
func frameOf(line string) frame {
	var f frame
	for _, only := range [...]string{"none", "some"} {
		if text, found := strings.CutSuffix(line, " @"+only); found {
			line, f.only = text, only
		}
	}
	for part := range strings.SplitSeq(line, "/") {
		f.parts = append(f.parts, strings.TrimSpace(part))
	}
	return f
}

// fits reports whether the frame may be about something.
func (f *frame) fits(kind claim.Type) bool {
	return f.only == "" || (f.only == "none") == (kind == claim.None)
}

// text puts what is said into a frame and makes noise.
func (p *spoken) text() string {
	var room [32]*frame
	fitting := room[:0]
	for i := range p.frames {
		if p.frames[i].fits(p.meaning.kind) {
			fitting = append(fitting, &p.frames[i])
		}
	}
	chosen := fitting[p.stream.N(int64(len(fitting)))]
	n := noiseOf(p.stream)
	if n.shouts && !numbered(p.language, p.slots[slotType]) {
		p.slots[slotType] = shout(p.language, p.slots[slotType])
	}
	said := make([]byte, 0, 512)
	for _, part := range chosen.parts {
		if filled, ok := p.fill(part); ok {
			said = join(said, voiced(filled, p.woman))
		}
	}
	text := string(said)
	if n.cut {
		text = strings.TrimRight(text, ".!? ") + ". " + voiced(p.cuts[p.stream.N(int64(len(p.cuts)))].text, p.woman) + "–"
	} else if !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	if n.letters > 0 {
		text = dropLetters(p.stream, p.language, text, n.letters)
	}
	if n.small {
		return lower(p.language, text)
	}
	return sentences(text)
}

// join puts a part behind what was said. One that begins with a comma or the
// like goes on with the sentence; before any other the sentence ends.
func join(text []byte, part string) []byte {
	if len(text) == 0 || strings.ContainsAny(part[:1], ".,;:!?") {
		return append(text, part...)
	}
	if !strings.ContainsRune(".!?:,;", rune(text[len(text)-1])) {
		text = append(text, '.')
	}
	return append(append(text, ' '), part...)
}

// fill fills the slots of a part. It is not ok where one has nothing in it.
func (p *spoken) fill(part string) (filled string, ok bool) {
	for i, name := range slotNames {
		if !strings.Contains(part, name) {
			continue
		}
		if p.slots[i] == "" {
			return "", false
		}
		part = strings.ReplaceAll(part, name, p.slots[i])
	}
	return part, true
}

// sentences begins each sentence with a capital.
func sentences(text string) string {
	runes := []rune(text)
	begins := true
	for i, r := range runes {
		switch {
		case begins && (unicode.IsLetter(r) || r == '<'):
			if i == 0 || runes[i-1] != '<' {
				runes[i] = unicode.ToUpper(r)
			}
			begins = false
		case r == '.' || r == '!' || r == '?':
			begins = true
		}
	}
	return string(runes)
}

// named puts the house into a phrase: {name} is what people call it, and <> its
// identifier.
func named(text string, names []string, building int) string {
	text = strings.ReplaceAll(text, "{name}", names[building%len(names)])
	return strings.ReplaceAll(text, "<>", identifier(building))
}
