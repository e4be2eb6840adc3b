package spec

import (
	"bytes"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
)

// Bounds of one file. They lie far above what real documents need and far
// below what would exhaust the machine.
const (
	maxDepth  = 512       // nested values
	maxValues = 6_000_000 // values, aliases counted as often as they are used
	maxDigits = 400       // characters of a number, and the size of its exponent
)

// Parse reads one JSON or YAML file; file is the name that places and messages
// carry. What starts like JSON is read as JSON; if that fails, as YAML, whose flow
// style starts alike and forgives a comma too many.
//
// YAML scalars follow the core schema of YAML 1.2: yes, on and dates are
// strings, numbers keep their digits. Keys of any scalar type become their
// text, merge keys are resolved and aliases share their node. A second document
// in the file, a key twice with different values, a value that contains itself,
// bytes that are not UTF-8 and anything beyond the bounds above are problems.
//
// A non-nil error is of type Problems.
func Parse(file string, data []byte) (*Node, error) {
	data, err := text(file, data)
	if err != nil {
		return nil, err
	}
	start := bytes.TrimLeft(data, " \t\r\n")
	if start[0] == '{' || start[0] == '[' {
		n, err := parseJSON(file, data)
		if err == nil || !isSyntax(err) {
			return n, err
		}
		if n, yamlErr := parseYAML(file, data); yamlErr == nil || !strings.EqualFold(path.Ext(file), ".json") {
			return n, yamlErr
		}
		return nil, err
	}
	return parseYAML(file, data)
}

// ParseJSON is Parse for a file that is JSON and nothing else.
func ParseJSON(file string, data []byte) (*Node, error) {
	data, err := text(file, data)
	if err != nil {
		return nil, err
	}
	return parseJSON(file, data)
}

// text is the data without a byte order mark, and a problem where that is no
// text or none at all.
func text(file string, data []byte) ([]byte, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if i := invalidUTF8(data); i >= 0 {
		return nil, Problems{{Pos: offsetPos(file, data, i), Message: "the file is not UTF-8 text"}}
	}
	if len(bytes.TrimLeft(data, " \t\r\n")) == 0 {
		return nil, Problems{{Pos: Pos{File: file}, Message: "the file is empty"}}
	}
	return data, nil
}

// ruleSyntax marks a file that does not follow its grammar at all.
const ruleSyntax = "syntax"

func isSyntax(err error) bool {
	ps, ok := err.(Problems)
	return ok && len(ps) == 1 && ps[0].Rule == ruleSyntax
}

// invalidUTF8 returns the offset of the first byte that is no UTF-8, or -1.
func invalidUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// offsetPos turns an offset into a place.
func offsetPos(file string, data []byte, offset int) Pos {
	offset = min(max(offset, 0), len(data))
	line := 1 + bytes.Count(data[:offset], []byte{'\n'})
	return Pos{File: file, Line: line, Col: offset - bytes.LastIndexByte(data[:offset], '\n')}
}

// addMember appends a member that may be there already: the same value twice is
// harmless, another one is a problem, for readers disagree on which one counts.
// seen maps names to indices of members; ps is nil where nobody reads the value.
func addMember(n *Node, seen map[string]int, m Member, ps *Problems) {
	i, twice := seen[m.Name]
	if !twice {
		seen[m.Name] = len(n.Members)
		n.Members = append(n.Members, m)
		return
	}
	if first := n.Members[i]; ps != nil && !first.Value.Equal(m.Value) {
		*ps = append(*ps, Problem{
			Pos:     m.Pos,
			Rule:    "duplicate-key",
			Message: fmt.Sprintf("the member %q stands here a second time, with another value", clip(m.Name)),
			Hint:    fmt.Sprintf("keep one of them; the first is at line %d", first.Pos.Line),
		})
	}
}

// unread reports whether nothing is derived from the value of a member: examples
// and extensions of others are carried along in the sources only.
func unread(name string) bool {
	return name == "example" || name == "examples" || strings.HasPrefix(name, "x-")
}

// clip shortens text for a message.
func clip(s string) string {
	if len(s) <= 80 {
		return s
	}
	return strings.ToValidUTF8(s[:80], "") + "…"
}
