package emit

import (
	"fmt"
	"strings"
	"unicode"
)

// text makes a string literal in Markdown: nothing in it is markup, hidden or
// a line of its own, so a reviewer sees what a model will read.
func text(s string) string {
	var b strings.Builder
	for _, r := range visible(s) {
		if strings.ContainsRune("\\`*_[]<>|~&#$", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// quoted prints text over several lines as a block quote; nothing for nothing.
func quoted(s string) []string {
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSpace(s), "\n") {
		line = strings.TrimSpace(line)
		lines = append(lines, strings.TrimRight("> "+text(line), " "))
	}
	if len(lines) == 1 && lines[0] == ">" {
		return nil
	}
	return lines
}

// code prints a string as a code span that is safe in a table as well.
func code(s string) string {
	s = visible(s)
	if s == "" || strings.TrimSpace(s) != s || strings.Contains(s, "`") ||
		strings.Contains(s, `\`) && strings.Contains(s, "|") {
		return text(s)
	}
	return "`" + strings.ReplaceAll(s, "|", `\|`) + "`"
}

// codes prints strings as code spans.
func codes(list []string) string {
	spans := make([]string, len(list))
	for i, s := range list {
		spans[i] = code(s)
	}
	return strings.Join(spans, ", ")
}

// visible brings a string onto one line and spells out the characters that a
// page does not show.
func visible(s string) string {
	plain := true
	for _, r := range s {
		if hidden(r) || r == unicode.ReplacementChar {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			b.WriteByte(' ')
		case hidden(r):
			fmt.Fprintf(&b, "U+%04X", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hidden reports whether a character has no mark of its own.
func hidden(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co)
}
