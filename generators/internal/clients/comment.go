package clients

import (
	"strings"
	"unicode"
)

// Bounds of comments in generated code, in characters.
const (
	maxComment = 280 // of one comment
	lineWidth  = 90  // of one of its lines
)

// prose makes one paragraph of plain text out of a description: white space
// collapsed, what is not printed (control, format and bidirectional
// characters) left out, cut after maxComment characters.
func prose(text string) string {
	if len(text) > 16*maxComment { // far more than is kept
		text = text[:16*maxComment]
	}
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == unicode.ReplacementChar, !unicode.IsPrint(r):
			return -1
		}
		return r
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	runes := []rune(text)
	if len(runes) <= maxComment {
		return text
	}
	text = string(runes[:maxComment])
	if i := strings.LastIndexByte(text, ' '); i > maxComment/2 {
		text = text[:i]
	}
	return strings.TrimRight(text, " .,;:") + " …"
}

// sentence is prose that ends as a sentence does.
func sentence(text string) string {
	text = prose(text)
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".!?:") || strings.HasSuffix(text, "…") {
		return text
	}
	return text + "."
}

// wrap breaks a paragraph into lines; the first is shorter by the length of
// what will stand before it. No line starts like a list, a heading or a
// directive, so gofmt leaves the comment as it is.
func wrap(text string, first int) string {
	var lines []string
	line := ""
	width := lineWidth - first
	for word := range strings.FieldsSeq(text) {
		plain := unicode.IsLetter([]rune(word)[0])
		if line != "" && len(line)+1+len(word) > width && plain {
			lines = append(lines, line)
			line, width = "", lineWidth
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return strings.Join(append(lines, line), "\n")
}

// comment is the text of a doc comment that oapi-codegen prints after name.
func comment(name, text string) string { return wrap(text, len(name)+1) }
