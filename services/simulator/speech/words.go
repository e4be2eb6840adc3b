package speech

import (
	"strings"
	"unicode"
)

// place is the word that stands for any identifier.
const place = "<>"

// wordsOf takes a text to pieces: words in lower case without what stands
// between them. Apostrophes are no part of a word and do not end it.
func wordsOf(text string) (words []string) {
	var b strings.Builder
	end := func() {
		if b.Len() > 0 {
			words = append(words, b.String())
			b.Reset()
		}
	}
	inside := false
	for _, r := range text {
		switch {
		case inside:
			inside = r != '>'
		case r == '<':
			end()
			words = append(words, place)
			inside = true
		case unicode.IsLetter(r):
			b.WriteRune(unicode.ToLower(r))
		case r == '\'' || r == '’':
		default:
			end()
		}
	}
	end()
	return words
}
