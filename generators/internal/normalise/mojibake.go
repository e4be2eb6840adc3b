package normalise

import (
	"strings"
	"unicode/utf8"
)

// maxEncodings bounds how often a text may have been encoded.
const maxEncodings = 4

// decoded reads text that was encoded as UTF-8 twice or more, whose authors see
// an apostrophe where the document has "â" and two control characters. Only
// runs with such a character are read again, and only as a whole; all other
// text stays as it is.
func decoded(text string) string {
	for range maxEncodings {
		again := decodeRuns(text)
		if again == text {
			break
		}
		text = again
	}
	return text
}

// decodeRuns takes the runs of characters that are bytes, as Latin-1 has them,
// for the UTF-8 that they are.
func decodeRuns(text string) string {
	if !strings.ContainsFunc(text, isC1) {
		return text
	}
	var b strings.Builder
	var run []byte
	flush := func() {
		original := latin1(run)
		if utf8.Valid(run) && strings.ContainsFunc(original, isC1) {
			b.Write(run)
		} else {
			b.WriteString(original)
		}
		run = run[:0]
	}
	for _, c := range text {
		if c >= 0x80 && c <= 0xff {
			run = append(run, byte(c))
			continue
		}
		flush()
		b.WriteRune(c)
	}
	flush()
	return b.String()
}

func latin1(data []byte) string {
	var b strings.Builder
	for _, c := range data {
		b.WriteRune(rune(c))
	}
	return b.String()
}

// isC1 tells the control characters beyond ASCII, which nobody types.
func isC1(c rune) bool { return c >= 0x80 && c < 0xa0 }
