package apifuzz

import (
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// matching draws a text that a pattern matches, of about a length.
func (d *drawer) matching(pattern string, length int) string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	var b strings.Builder
	d.match(&b, re, length)
	return b.String()
}

func (d *drawer) match(b *strings.Builder, re *syntax.Regexp, length int) {
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(d.oneOf(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteRune('a' + rune(d.IntN(26)))
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			d.match(b, sub, length)
		}
	case syntax.OpAlternate:
		d.match(b, re.Sub[d.IntN(len(re.Sub))], length)
	case syntax.OpQuest:
		d.repeat(b, re.Sub[0], d.IntN(2), length)
	case syntax.OpStar:
		d.repeat(b, re.Sub[0], max(0, length-utf8.RuneCountInString(b.String())), length)
	case syntax.OpPlus:
		d.repeat(b, re.Sub[0], max(1, length-utf8.RuneCountInString(b.String())), length)
	case syntax.OpRepeat:
		n := re.Max
		if n < 0 {
			n = re.Min + length
		}
		d.repeat(b, re.Sub[0], re.Min+d.IntN(n-re.Min+1), length)
	}
}

// repeat draws the same several times; a group that repeats gets short parts.
func (d *drawer) repeat(b *strings.Builder, re *syntax.Regexp, n, length int) {
	if re.Op == syntax.OpCapture || re.Op == syntax.OpConcat {
		n = min(n, d.IntN(3))
		length = utf8.RuneCountInString(b.String()) + 3
	}
	for range n {
		d.match(b, re, length)
	}
}

// oneOf draws a character out of ranges: mostly one that is common, where they
// have some.
func (d *drawer) oneOf(ranges []rune) rune {
	for range 20 {
		r := letters[d.IntN(len(letters))]
		for i := 0; i < len(ranges); i += 2 {
			if ranges[i] <= r && r <= ranges[i+1] {
				return r
			}
		}
	}
	for range 20 {
		i := d.IntN(len(ranges)/2) * 2
		r := ranges[i] + rune(d.Int64N(int64(ranges[i+1]-ranges[i])+1))
		if utf8.ValidRune(r) && r != unicode.ReplacementChar {
			return r
		}
	}
	return 'a'
}

func itoa(n int) string { return strconv.Itoa(n) }
