// Package spec reads API documents into trees that remember where each value
// stands, and carries the problems that every later stage reports.
//
// It parses JSON and YAML, nothing else: what a document means is the business
// of package normalise. Members of an object are kept in the order of their
// names, so whatever is derived from a tree does not depend on the order in
// which its author wrote it.
package spec

import (
	"fmt"
	"sort"
	"strings"
)

// Pos is a place in a source file. Line and Col count from 1; a zero Line
// means the file as a whole.
type Pos struct {
	File string
	Line int
	Col  int
}

// String renders the place as file:line:col, the form editors follow.
func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Problem is one thing that is wrong with the input, where, and how to mend it.
type Problem struct {
	Pos     Pos
	Rule    string // clause or short name of the rule, e.g. "E-01"
	Message string // lower case, no full stop
	Hint    string // what to write instead; empty if the message says it
}

// Problems are the faults of one run. A non-empty list is an error.
type Problems []Problem

// Error lists every problem as "file:line:col: message" with its hint below.
func (ps Problems) Error() string {
	var b strings.Builder
	for i, p := range ps {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s: %s", p.Pos, p.Message)
		if p.Hint != "" {
			fmt.Fprintf(&b, "\n\thint: %s", p.Hint)
		}
	}
	return b.String()
}

// Sort orders the problems by place, then by message.
func (ps Problems) Sort() {
	sort.SliceStable(ps, func(i, j int) bool {
		a, b := ps[i], ps[j]
		if a.Pos.File != b.Pos.File {
			return a.Pos.File < b.Pos.File
		}
		if a.Pos.Line != b.Pos.Line {
			return a.Pos.Line < b.Pos.Line
		}
		if a.Pos.Col != b.Pos.Col {
			return a.Pos.Col < b.Pos.Col
		}
		return a.Message < b.Message
	})
}

// Err returns the problems as an error, or nil if there are none.
func (ps Problems) Err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}
