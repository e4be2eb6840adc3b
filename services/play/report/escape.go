package report

import (
	"strings"
	"unicode"
)

// nothing stands where somebody left a text blank.
const nothing = "—"

// inline gives a text as one line of Markdown that says nothing but the text.
func inline(s string) string {
	words := strings.Fields(strings.Join(lines(s), " "))
	if len(words) == 0 {
		return nothing
	}
	return escape(strings.Join(words, " "))
}

// quote gives a text as a quotation whose paragraphs and lines are those of the
// text, and which has nothing in it but them.
func quote(s string) string {
	var b strings.Builder
	var paragraph []string
	end := func() {
		if len(paragraph) == 0 {
			return
		}
		if b.Len() > 0 {
			b.WriteString("\n>\n")
		}
		b.WriteString("> " + strings.Join(paragraph, "\\\n> "))
		paragraph = nil
	}
	for _, line := range lines(s) {
		line = strings.TrimRightFunc(line, unicode.IsSpace)
		if text := strings.TrimLeftFunc(line, unicode.IsSpace); text != "" {
			paragraph = append(paragraph, indent(line[:len(line)-len(text)])+escape(text))
		} else {
			end()
		}
	}
	end()
	if b.Len() == 0 {
		return "> " + nothing
	}
	return b.String()
}

// lines gives the lines of a text, whatever ends them, without the characters
// that show nothing and mean something to machines only.
func lines(s string) []string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\r', r == '\v', r == '\f', r == '\u0085', r == '\u2028', r == '\u2029':
			return '\n'
		case r == '\n', r == '\t':
			return r
		case unicode.IsControl(r), r == '\ufeff':
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	return strings.Split(s, "\n")
}

// widest is how many blanks of an indentation are kept.
const widest = 16

// indent gives white space that begins a line in a form that makes no code block
// of it.
func indent(space string) string {
	n := len([]rune(space)) + 3*strings.Count(space, "\t")
	return strings.Repeat("\u00a0", min(n, widest))
}

// escape makes a piece of a line say nothing but itself, at the beginning of a
// line too. What could be HTML is written in a way that every program leaves
// alone; of the rest, what Markdown and its usual extensions give a meaning.
func escape(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/16)
	runes := []rune(s)
	for i, r := range runes {
		switch {
		case r == '<':
			b.WriteString("&lt;")
			continue
		case r == '>':
			b.WriteString("&gt;")
			continue
		case r == '&':
			b.WriteString("&amp;")
			continue
		case r == '\\': // one before the end of a line is read in more ways than one
			b.WriteString("&#92;")
			continue
		case meant(runes, i):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// meant tells whether the character at a place would be more than itself.
func meant(s []rune, i int) bool {
	switch s[i] {
	case '`', '*', '_', '{', '}', '[', ']', '#', '|', '~', '^', '$', '=', '@':
		return true
	case '-', '+':
		return i == 0 // a list or a line
	case ')':
		return numbered(s[:i])
	case '.':
		return numbered(s[:i]) || i > 0 && i+1 < len(s) && word(s[i-1]) && word(s[i+1]) && !(digit(s[i-1]) && digit(s[i+1]))
	case ':': // an address, a definition or a picture by its name; but not a time
		return i == 0 || i+1 < len(s) && !unicode.IsSpace(s[i+1]) && !(digit(s[i-1]) && digit(s[i+1]))
	}
	return false
}

// numbered tells whether a line that begins so is an item of a list.
func numbered(s []rune) bool {
	for _, r := range s {
		if !digit(r) {
			return false
		}
	}
	return len(s) > 0
}

func digit(r rune) bool { return '0' <= r && r <= '9' }

func word(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
