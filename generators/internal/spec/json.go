package spec

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// parseJSON reads a JSON file. The standard library judges the syntax; the
// reader below may then rely on it.
func parseJSON(file string, data []byte) (*Node, error) {
	if !json.Valid(data) {
		var raw json.RawMessage
		err := json.Unmarshal(data, &raw)
		pos := Pos{File: file}
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			pos = offsetPos(file, data, int(syntax.Offset)-1)
		}
		return nil, Problems{{Pos: pos, Rule: ruleSyntax, Message: fmt.Sprintf("not valid JSON: %v", err)}}
	}
	r := jsonReader{file: file, text: string(data), line: 1}
	n := r.value(0)
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	return n, nil
}

// jsonReader builds nodes from text that is known to be valid JSON.
type jsonReader struct {
	file      string
	text      string
	i         int // next byte
	line      int // of i
	lineStart int // offset at which the line starts
	values    int
	stopped   bool // a bound was passed: nothing more is built
	unread    bool // the value being read is of no use to anyone
	problems  Problems
}

func (r *jsonReader) pos() Pos { return Pos{File: r.file, Line: r.line, Col: r.i - r.lineStart + 1} }

// duplicates is where a repeated member is reported, if it is.
func (r *jsonReader) duplicates() *Problems {
	if r.unread {
		return nil
	}
	return &r.problems
}

// space skips white space and counts lines.
func (r *jsonReader) space() {
	for ; r.i < len(r.text); r.i++ {
		switch r.text[r.i] {
		case '\n':
			r.line++
			r.lineStart = r.i + 1
		case ' ', '\t', '\r':
		default:
			return
		}
	}
}

func (r *jsonReader) stop(pos Pos, message string) {
	if !r.stopped {
		r.stopped = true
		r.problems = append(r.problems, Problem{Pos: pos, Rule: "bound", Message: message})
	}
}

func (r *jsonReader) value(depth int) *Node {
	r.space()
	n := &Node{Pos: r.pos()}
	r.values++
	if depth > maxDepth {
		r.stop(n.Pos, fmt.Sprintf("values are nested more than %d deep", maxDepth))
	}
	if r.values > maxValues {
		r.stop(n.Pos, fmt.Sprintf("the file has more than %d values", maxValues))
	}
	if r.stopped {
		return n
	}
	switch r.text[r.i] {
	case '{':
		r.object(n, depth)
	case '[':
		r.array(n, depth)
	case '"':
		n.Kind, n.Text = String, r.str()
	case 't':
		n.Kind, n.Text = Bool, "true"
		r.i += len("true")
	case 'f':
		n.Kind, n.Text = Bool, "false"
		r.i += len("false")
	case 'n':
		r.i += len("null")
	default:
		n.Kind, n.Text = Number, r.number()
		if !boundedNumber(n.Text) {
			r.problems = append(r.problems, numberProblem(n.Pos))
		}
	}
	return n
}

func (r *jsonReader) object(n *Node, depth int) {
	n.Kind = Object
	seen := map[string]int{}
	for r.i++; !r.stopped; {
		r.space()
		switch r.text[r.i] {
		case '}':
			r.i++
			slices.SortFunc(n.Members, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
			return
		case ',':
			r.i++
		default:
			m := Member{Pos: r.pos(), Name: r.str()}
			r.space()
			r.i++ // the colon
			inside := r.unread
			r.unread = inside || unread(m.Name)
			m.Value = r.value(depth + 1)
			r.unread = inside
			addMember(n, seen, m, r.duplicates())
		}
	}
}

func (r *jsonReader) array(n *Node, depth int) {
	n.Kind = Array
	for r.i++; !r.stopped; {
		r.space()
		switch r.text[r.i] {
		case ']':
			r.i++
			return
		case ',':
			r.i++
		default:
			n.Items = append(n.Items, r.value(depth+1))
		}
	}
}

// str reads a string. Halves of surrogate pairs without their other half become
// U+FFFD, as everywhere in Go.
func (r *jsonReader) str() string {
	start := r.i
	escaped := false
	for r.i++; r.text[r.i] != '"'; r.i++ {
		if r.text[r.i] == '\\' {
			escaped = true
			r.i++
		}
	}
	r.i++
	if !escaped {
		return r.text[start+1 : r.i-1]
	}
	var s string
	if err := json.Unmarshal([]byte(r.text[start:r.i]), &s); err != nil {
		panic(fmt.Sprintf("spec: a string of valid JSON does not decode: %v", err))
	}
	return s
}

func (r *jsonReader) number() string {
	start := r.i
	for r.i < len(r.text) && strings.IndexByte("+-.eE0123456789", r.text[r.i]) >= 0 {
		r.i++
	}
	return r.text[start:r.i]
}
