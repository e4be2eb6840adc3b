package schema

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// categories are the general categories that both engines know by these names
// and fill alike.
var categories = strings.Fields("L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp")

// element is one character of a pattern, or a set of them such as \d.
type element struct {
	set  string // as written in both engines; "" for one character
	char rune
}

// outside writes the element as an atom.
func (e element) outside() string {
	if e.set != "" {
		return e.set
	}
	return literal(e.char)
}

// inside writes the element as a member of a class.
func (e element) inside() string {
	switch {
	case e.set != "":
		return e.set
	case strings.ContainsRune(`\]-^[`, e.char):
		return `\` + string(e.char)
	case strings.ContainsRune(`.*+?(){}|$`, e.char):
		return string(e.char)
	}
	return literal(e.char)
}

// literal writes one character that stands for itself.
func literal(c rune) string {
	if strings.ContainsRune(`^$\.*+?()[]{}|`, c) {
		return `\` + string(c)
	}
	switch c {
	case '\t':
		return `\t`
	case '\n':
		return `\n`
	case '\v':
		return `\v`
	case '\f':
		return `\f`
	case '\r':
		return `\r`
	}
	if c < 0x20 || c >= 0x7f && c < 0xa0 || c == 0xad { // controls, and a hyphen that is not seen
		return fmt.Sprintf(`\x%02x`, c)
	}
	return string(c)
}

// class reads a bracketed class. What engines disagree about is refused: empty
// classes, POSIX names, intersections.
func (r *rewriter) class() bool {
	r.pos++
	r.out.WriteByte('[')
	if r.accept("^") {
		r.out.WriteByte('^')
	}
	if r.peek() == ']' {
		return false
	}
	for r.peek() != ']' {
		low, ok := r.member()
		if !ok {
			return false
		}
		r.out.WriteString(low.inside())
		if r.peek() != '-' || r.at(1) == ']' {
			continue
		}
		r.pos++
		high, ok := r.member()
		if !ok {
			return false
		}
		switch {
		case low.set != "" || high.set != "":
			r.out.WriteString(`\-`) // a hyphen beside a set stands for itself
		case low.char > high.char:
			return false
		default:
			r.out.WriteByte('-')
		}
		r.out.WriteString(high.inside())
	}
	r.pos++
	r.out.WriteByte(']')
	return true
}

// member reads one character or set within a class.
func (r *rewriter) member() (element, bool) {
	c := r.peek()
	switch {
	case c < 0, c == '[' && r.at(1) == ':', c == '&' && r.at(1) == '&':
		return element{}, false
	case c != '\\':
		r.pos++
		return element{char: c}, true
	case r.at(1) == 'b':
		r.pos += 2
		return element{char: '\b'}, true
	}
	return r.escape()
}

// escape reads a backslash and what belongs to it.
func (r *rewriter) escape() (element, bool) {
	c := r.at(1)
	r.pos += 2
	switch {
	case c < 0:
		return element{}, false
	case strings.ContainsRune("dDwWsS", c):
		return element{set: `\` + string(c)}, true
	case c == 'p' || c == 'P':
		return r.category(c)
	case c == 'x':
		return r.codePoint(2)
	case c == 'u':
		return r.codePoint(4)
	case c == '0' && (r.peek() < '0' || r.peek() > '9'):
		return element{char: 0}, true
	}
	if i := strings.IndexRune("tnvfr", c); i >= 0 {
		return element{char: rune("\t\n\v\f\r"[i])}, true
	}
	return element{char: c}, !isAlphanumeric(c)
}

// category reads the rest of \p{L} or \pL.
func (r *rewriter) category(c rune) (element, bool) {
	name := string(r.peek())
	r.pos++
	if name == "{" {
		var b strings.Builder
		for r.peek() != '}' {
			if r.peek() < 0 {
				return element{}, false
			}
			b.WriteRune(r.peek())
			r.pos++
		}
		r.pos++
		name = b.String()
	}
	return element{set: fmt.Sprintf(`\%c{%s}`, c, name)}, slices.Contains(categories, name)
}

// codePoint reads the rest of \xHH, \uHHHH or the form with braces; a pair of
// surrogates is one character, a single one is refused.
func (r *rewriter) codePoint(digits int) (element, bool) {
	c, ok := r.hex(digits)
	if ok && digits == 4 && c >= 0xd800 && c < 0xdc00 && r.accept(`\u`) {
		low, lowOK := r.hex(4)
		ok = lowOK && low >= 0xdc00 && low < 0xe000
		c = (c-0xd800)<<10 + (low - 0xdc00) + 0x10000
	}
	return element{char: c}, ok && utf8.ValidRune(c)
}

func (r *rewriter) hex(digits int) (rune, bool) {
	braces := r.accept("{")
	var c rune
	n := 0
	for ; n < 6 && (braces || n < digits); n++ {
		i := strings.IndexRune("0123456789abcdef", lower(r.peek()))
		if i < 0 {
			break
		}
		c = c<<4 + rune(i)
		r.pos++
	}
	if braces {
		return c, n > 0 && r.accept("}")
	}
	return c, n == digits
}

func lower(c rune) rune {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func isAlphanumeric(c rune) bool {
	return c >= '0' && c <= '9' || lower(c) >= 'a' && lower(c) <= 'z'
}
