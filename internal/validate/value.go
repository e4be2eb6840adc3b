package validate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The bounds of a value. A number beyond them would cost more to compare than
// it could be worth.
const (
	maxDepth    = 512
	maxDigits   = 1000
	maxExponent = 400
)

// kind is the JSON type of a value.
type kind uint8

const (
	null kind = iota
	boolean
	number
	text
	array
	object
)

var kinds = [...]string{"null", "boolean", "number", "string", "array", "object"}

func (k kind) String() string { return kinds[k] }

// value is one JSON value, with its place in the source.
type value struct {
	kind    kind
	raw     []byte // as written
	items   []*value
	members []member
}

// member is one member of an object.
type member struct {
	name  string
	raw   []byte // the name as written
	value *value
}

func (v *value) get(name string) *value {
	for i := range v.members {
		if v.members[i].name == name {
			return v.members[i].value
		}
	}
	return nil
}

// text is the string that a value is.
func (v *value) text() string { return unquote(v.raw) }

func unquote(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var s string
	_ = json.Unmarshal(raw, &s) // the text has been found to be JSON
	return s
}

// rat is the number that a value is, exactly.
func (v *value) rat() *big.Rat { return rat(string(v.raw)) }

func rat(s string) *big.Rat {
	if r, ok := new(big.Rat).SetString(s); ok {
		return r
	}
	return new(big.Rat)
}

// isInteger reports whether a number is whole, however it is written.
func (v *value) isInteger() bool {
	return !bytes.ContainsAny(v.raw, ".eE") || v.rat().IsInt()
}

// parser reads a text that is known to be JSON. What it makes is carved out of
// blocks, because a text is read for each call and each reply.
type parser struct {
	src   []byte
	text  string // the same, for the names of members
	pos   int
	quote bool

	values  []value
	members []member // of the objects that are being read
	items   []*value // of the arrays that are being read
}

// blockSize bounds how many values are made at a time.
const blockSize = 64

func (p *parser) newValue() *value {
	if len(p.values) == 0 {
		// A value of an API has about 16 bytes, with its name and comma.
		p.values = make([]value, min(blockSize, 1+(len(p.src)-p.pos)/16))
	}
	v := &p.values[0]
	p.values = p.values[1:]
	return v
}

// parse reads one value. It refuses, with a *Mismatch, what is not JSON in
// UTF-8, members that stand twice and values beyond the bounds.
func parse(src []byte, quote bool) (*value, error) {
	if !utf8.Valid(src) || !json.Valid(src) {
		return nil, &Mismatch{Problems: []Problem{{Message: "this is not one JSON value in UTF-8"}}}
	}
	p := parser{src: src, text: string(src), quote: quote}
	v, problem := p.value(0)
	if problem != nil {
		return nil, &Mismatch{Problems: []Problem{*problem}}
	}
	return v, nil
}

func (p *parser) blank() {
	for p.pos < len(p.src) {
		switch p.src[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

// delimiter consumes one character behind blanks and says which it was.
func (p *parser) delimiter() byte {
	p.blank()
	p.pos++
	return p.src[p.pos-1]
}

func (p *parser) value(depth int) (*value, *Problem) {
	if depth > maxDepth {
		return nil, &Problem{Message: fmt.Sprintf("nested deeper than %d levels", maxDepth)}
	}
	p.blank()
	start := p.pos
	v := p.newValue()
	var problem *Problem
	switch p.src[p.pos] {
	case '{':
		v.kind = object
		problem = p.object(v, depth)
	case '[':
		v.kind = array
		problem = p.array(v, depth)
	case '"':
		v.kind = text
		problem = p.whole(p.quoted())
	case 'n':
		p.pos += 4
	case 't':
		v.kind = boolean
		p.pos += 4
	case 'f':
		v.kind = boolean
		p.pos += 5
	default:
		v.kind = number
		for p.pos < len(p.src) && strings.IndexByte("+-0123456789.eE", p.src[p.pos]) >= 0 {
			p.pos++
		}
		problem = bounded(p.src[start:p.pos])
	}
	v.raw = p.src[start:p.pos]
	return v, problem
}

// bounded refuses a number that is too long or too large to be compared.
func bounded(raw []byte) *Problem {
	digits := string(raw)
	if i := strings.IndexAny(digits, "eE"); i >= 0 {
		exponent, err := strconv.Atoi(digits[i+1:])
		if err != nil || exponent > maxExponent || exponent < -maxExponent {
			return &Problem{Message: fmt.Sprintf("the exponent of the number is beyond %d", maxExponent)}
		}
	}
	if len(digits) > maxDigits {
		return &Problem{Message: fmt.Sprintf("the number has more than %d digits", maxDigits)}
	}
	return nil
}

// quoted consumes a string.
func (p *parser) quoted() []byte {
	start := p.pos
	for p.pos++; p.src[p.pos] != '"'; p.pos++ {
		if p.src[p.pos] == '\\' {
			p.pos++
		}
	}
	p.pos++
	return p.src[start:p.pos]
}

// whole refuses a string of an argument that holds half of a surrogate pair:
// that is no text, and in a path, query, header or form only another character
// could be sent in its place. A reply's string stays as it came.
func (p *parser) whole(raw []byte) *Problem {
	if !p.quote || !bytes.Contains(raw, []byte(`\u`)) {
		return nil
	}
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		i++ // the escape's letter
		switch r := escaped(raw[i:]); {
		case !utf16.IsSurrogate(r):
		case raw[i+5] == '\\' && utf16.DecodeRune(r, escaped(raw[i+6:])) != utf8.RuneError:
			i += 10
		default:
			return &Problem{Message: "a string holds half of a surrogate pair"}
		}
	}
	return nil
}

// escaped is the code unit of an escape, which begins with its letter, or 0.
func escaped(raw []byte) rune {
	if raw[0] != 'u' {
		return 0
	}
	unit, _ := strconv.ParseUint(string(raw[1:5]), 16, 16) // the text has been found to be JSON
	return rune(unit)
}

func (p *parser) object(v *value, depth int) *Problem {
	p.pos++
	p.blank()
	if p.src[p.pos] == '}' {
		p.pos++
		return nil
	}
	var seen names
	base := len(p.members)
	defer func() {
		v.members = slices.Clone(p.members[base:])
		p.members = p.members[:base]
	}()
	for {
		p.blank()
		start := p.pos
		raw := p.quoted()
		m := member{name: p.text[start+1 : p.pos-1], raw: raw}
		if strings.IndexByte(m.name, '\\') >= 0 {
			m.name = unquote(raw)
		}
		problem := p.whole(raw)
		if problem != nil {
			return problem
		}
		p.delimiter() // ':'
		if m.value, problem = p.value(depth + 1); problem != nil {
			return problem.below(p.label(m.name))
		}
		if seen.add(p.members[base:], m.name) {
			return (&Problem{Message: "the member stands twice"}).below(p.label(m.name))
		}
		p.members = append(p.members, m)
		if p.delimiter() == '}' {
			return nil
		}
	}
}

func (p *parser) array(v *value, depth int) *Problem {
	p.pos++
	p.blank()
	if p.src[p.pos] == ']' {
		p.pos++
		return nil
	}
	base := len(p.items)
	defer func() {
		v.items = slices.Clone(p.items[base:])
		p.items = p.items[:base]
	}()
	for {
		item, problem := p.value(depth + 1)
		if problem != nil {
			return problem.below(strconv.Itoa(len(p.items) - base))
		}
		p.items = append(p.items, item)
		if p.delimiter() == ']' {
			return nil
		}
	}
}

// names finds members that stand twice; objects are mostly small.
type names map[string]bool

func (n *names) add(members []member, name string) (twice bool) {
	const small = 16
	if len(members) < small {
		return slices.ContainsFunc(members, func(m member) bool { return m.name == name })
	}
	if *n == nil {
		*n = names{}
		for _, m := range members {
			(*n)[m.name] = true
		}
	}
	twice = (*n)[name]
	(*n)[name] = true
	return twice
}

// label is how a name is shown: not at all where it comes from elsewhere.
func (p *parser) label(name string) string {
	if p.quote {
		return name
	}
	return "*"
}
