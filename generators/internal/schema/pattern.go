package schema

import (
	"regexp"
	"strconv"
	"strings"
)

// The bounds of a pattern that is carried over.
const (
	maxPattern = 4096 // bytes of source
	maxNesting = 100  // groups within groups
	maxRepeat  = 1000 // what RE2 allows in {n,m}
)

// pattern is a regular expression that RE2 and ECMAScript with the u flag both
// accept and, but for how far \s and . reach beyond ASCII, read alike.
//
// A count above RE2's limit is expressed by the length of the string where the
// pattern is one repeated character from end to end; min and max then bound
// that length, max -1 meaning no bound.
type pattern struct {
	text     string
	counted  bool
	min, max int
}

// portable rewrites the regular expression of a document, which may be in any
// of the dialects people write there. It reports false for one that has no
// counterpart in both engines: lookaround, back references, inline flags,
// possessive quantifiers, scripts.
func portable(source string) (pattern, bool) {
	if len(source) > maxPattern {
		return pattern{}, false
	}
	r := &rewriter{src: []rune(undelimited(source))}
	if !r.disjunction(0) || r.pos < len(r.src) {
		return pattern{}, false
	}
	p := pattern{text: r.out.String(), max: -1}
	if r.counted {
		if !r.repeatsOneCharacter() {
			return pattern{}, false
		}
		p.counted, p.min, p.max = true, r.min, r.max
	}
	if _, err := regexp.Compile(p.text); err != nil {
		return pattern{}, false
	}
	return p, true
}

// undelimited removes the slashes of a pattern written as /^…$/.
func undelimited(source string) string {
	if !strings.HasPrefix(source, "/^") {
		return source
	}
	body := strings.TrimSuffix(strings.TrimSuffix(source, "u"), "g")
	if trimmed, ok := strings.CutSuffix(body, "$/"); ok {
		return trimmed[1:] + "$"
	}
	return source
}

// rewriter reads a pattern and writes the portable one. Its methods report
// false on what cannot be carried over.
type rewriter struct {
	src []rune
	pos int
	out strings.Builder

	// terms are the kinds of the terms outside every group, for a count that
	// is too large to be written.
	terms    []termKind
	counted  bool
	min, max int
}

type termKind uint8

const (
	start termKind = iota
	end
	character
	other
)

// repeatsOneCharacter reports whether the pattern was ^c{n,m}$ for one
// character or class c.
func (r *rewriter) repeatsOneCharacter() bool {
	return len(r.terms) == 3 && r.terms[0] == start && r.terms[1] == character && r.terms[2] == end
}

// peek is the next character, or -1 at the end.
func (r *rewriter) peek() rune { return r.at(0) }

func (r *rewriter) at(offset int) rune {
	if r.pos+offset >= len(r.src) {
		return -1
	}
	return r.src[r.pos+offset]
}

// accept consumes text if it comes next.
func (r *rewriter) accept(text string) bool {
	for i, c := range []rune(text) {
		if r.at(i) != c {
			return false
		}
	}
	r.pos += len([]rune(text))
	return true
}

// disjunction reads alternatives up to the end or to a closing parenthesis.
func (r *rewriter) disjunction(depth int) bool {
	if depth > maxNesting {
		return false
	}
	for {
		switch r.peek() {
		case -1, ')':
			return true
		case '|':
			r.pos++
			r.out.WriteByte('|')
			r.record(depth, other)
		default:
			if !r.term(depth) {
				return false
			}
		}
	}
}

func (r *rewriter) record(depth int, kind termKind) {
	if depth == 0 {
		r.terms = append(r.terms, kind)
	}
}

// term reads one assertion, or one atom and its quantifier.
func (r *rewriter) term(depth int) bool {
	kind := character
	switch c := r.peek(); c {
	case '^', '$':
		r.pos++
		return r.assertion(depth, string(c))
	case '(':
		kind = other
		if !r.group(depth) {
			return false
		}
	case '[':
		if !r.class() {
			return false
		}
	case '.':
		r.pos++
		r.out.WriteByte('.')
	case '*', '+', '?':
		return false
	case '\\':
		if text, ok := r.anchor(); ok {
			return r.assertion(depth, text)
		}
		e, ok := r.escape()
		if !ok {
			return false
		}
		r.out.WriteString(e.outside())
	case '{':
		if _, _, ok := r.braces(); ok {
			return false
		}
		fallthrough
	default:
		r.pos++
		r.out.WriteString(literal(c))
	}
	r.record(depth, kind)
	return r.quantifier()
}

// anchor reads the assertions that are written as escapes. \A, \z and \Z are
// letters to ECMAScript, but whoever writes them means the ends.
func (r *rewriter) anchor() (string, bool) {
	text, ok := map[rune]string{'b': `\b`, 'B': `\B`, 'A': "^", 'z': "$", 'Z': "$"}[r.at(1)]
	if ok {
		r.pos += 2
	}
	return text, ok
}

// assertion writes an assertion, which no quantifier may follow.
func (r *rewriter) assertion(depth int, text string) bool {
	kind := other
	switch text {
	case "^":
		kind = start
	case "$":
		kind = end
	}
	r.record(depth, kind)
	r.out.WriteString(text)
	switch r.peek() {
	case '*', '+', '?':
		return false
	case '{':
		_, _, ok := r.braces()
		return !ok
	}
	return true
}

// group reads a capturing, named or plain group. A name is dropped: nothing
// refers to it.
func (r *rewriter) group(depth int) bool {
	r.pos++
	switch {
	case r.accept("?:"):
		r.out.WriteString("(?:")
	case r.peek() != '?':
		r.out.WriteByte('(')
	case r.named():
		r.out.WriteByte('(')
	default:
		return false
	}
	if !r.disjunction(depth+1) || !r.accept(")") {
		return false
	}
	r.out.WriteByte(')')
	return true
}

// named reads ?<name> or ?P<name>.
func (r *rewriter) named() bool {
	if !r.accept("?P<") && !r.accept("?<") {
		return false
	}
	if c := r.peek(); c == '=' || c == '!' {
		return false
	}
	for {
		c := r.peek()
		r.pos++
		switch {
		case c == '>':
			return true
		case c != '_' && !isAlphanumeric(c):
			return false
		}
	}
}

// quantifier reads what may follow an atom. A second quantifier after it, a
// possessive one included, is refused.
func (r *rewriter) quantifier() bool {
	switch c := r.peek(); c {
	case '*', '+', '?':
		r.pos++
		r.out.WriteRune(c)
	case '{':
		from := r.pos
		minimum, maximum, ok := r.braces()
		if !ok {
			return true // a literal, read as the next term
		}
		if maximum >= 0 && maximum < minimum {
			return false
		}
		if max(minimum, maximum) > maxRepeat {
			if r.counted {
				return false
			}
			r.counted, r.min, r.max = true, minimum, maximum
			r.out.WriteByte('*')
		} else {
			r.out.WriteString(string(r.src[from:r.pos]))
		}
	default:
		return true
	}
	if r.peek() == '?' {
		r.pos++
		r.out.WriteByte('?')
	}
	switch r.peek() {
	case '*', '+', '?':
		return false
	case '{':
		_, _, ok := r.braces()
		return !ok
	}
	return true
}

// braces reads {n}, {n,} or {n,m}; it consumes nothing if there is none. A
// maximum of -1 is no maximum.
func (r *rewriter) braces() (minimum, maximum int, ok bool) {
	var b strings.Builder
	length := 1
	for ; r.at(length) != '}'; length++ {
		c := r.at(length)
		if c != ',' && (c < '0' || c > '9') || length > 20 {
			return 0, 0, false
		}
		b.WriteRune(c)
	}
	low, high, two := strings.Cut(b.String(), ",")
	minimum, err := strconv.Atoi(low)
	if err != nil {
		return 0, 0, false
	}
	maximum = minimum
	if two {
		maximum = -1
		if high != "" {
			if maximum, err = strconv.Atoi(high); err != nil {
				return 0, 0, false
			}
		}
	}
	r.pos += length + 1
	return minimum, maximum, true
}
