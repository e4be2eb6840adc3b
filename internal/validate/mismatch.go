package validate

import (
	"strings"
	"unicode/utf8"
)

// The bounds of an error.
const (
	maxProblems = 8
	maxText     = 1000 // bytes of Error
	maxName     = 60   // bytes of a name in a place or a message
)

// Mismatch is the error for a value that is not what its schema says.
type Mismatch struct {
	Problems []Problem // at most 8, never none
}

// Problem is one thing that is wrong.
type Problem struct {
	Pointer string // JSON pointer into the value, "" for the whole
	Message string // what was expected there
}

// Error lists the problems as "pointer: message", within 1,000 bytes.
func (m *Mismatch) Error() string {
	var b strings.Builder
	for i, p := range m.Problems {
		line := p.Message
		if p.Pointer != "" {
			line = p.Pointer + ": " + line
		}
		if b.Len()+len(line)+2 > maxText {
			if i == 0 {
				b.WriteString(clip(line, maxText-4))
			} else {
				b.WriteString("; …")
			}
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(line)
	}
	return b.String()
}

// below moves a problem under a member or item.
func (p *Problem) below(segment string) *Problem {
	p.Pointer = pointer("", segment) + p.Pointer
	return p
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// pointer appends a segment to a JSON pointer.
func pointer(to, segment string) string {
	return to + "/" + pointerEscapes.Replace(clip(segment, maxName))
}

// clip shortens a text to at most n bytes and an ellipsis.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
