package fold

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Text folds a text: lower case, no diacritics, compatible forms alike (ﬁ and
// fi), one space for each run of white space and none at the ends. What cannot
// be seen, such as a soft hyphen, is left out. Text that is no UTF-8 reads as if
// U+FFFD stood there.
func Text(s string) string {
	if out, ok := ascii(s); ok {
		return out
	}
	var b strings.Builder
	b.Grow(len(s))
	var f folder
	for len(s) > 0 {
		n := next(s)
		piece, spaced := f.fold(s[:n])
		if spaced && piece != "" && b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(piece)
		s = s[n:]
	}
	return b.String()
}

// ascii folds a text that is all ASCII, and tells whether it was.
func ascii(s string) (string, bool) {
	out := make([]byte, 0, len(s))
	space := false
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= utf8.RuneSelf:
			return "", false
		case c == ' ', '\t' <= c && c <= '\r':
			space = true
			continue
		case c < ' ', c == 0x7f:
			continue
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		if space && len(out) > 0 {
			out = append(out, ' ')
		}
		space = false
		out = append(out, c)
	}
	return string(out), true
}

// next is how many bytes the first segment of a text has.
func next(s string) int {
	if len(s) == 1 || s[0] < utf8.RuneSelf && s[1] < utf8.RuneSelf {
		return 1
	}
	return max(norm.NFKC.NextBoundaryInString(s, true), 1)
}

// folder folds one segment after the other.
type folder struct{ space bool }

// fold gives what becomes of a segment, and whether white space stood before
// it. A segment may hold white space itself, in what it is compatible with.
func (f *folder) fold(segment string) (piece string, spaced bool) {
	var b strings.Builder
	for _, r := range segmentForm(segment) {
		switch {
		case unicode.IsSpace(r):
			f.space = true
			continue
		case hidden(r):
			continue
		}
		if f.space {
			if b.Len() == 0 {
				spaced = true
			} else {
				b.WriteByte(' ')
			}
			f.space = false
		}
		b.WriteRune(r)
	}
	return b.String(), spaced
}

var caseless = cases.Fold()

// segmentForm gives a segment in lower case and without marks, composed again
// as far as it is still to be: か with its mark stays が, and 각 is not 가.
func segmentForm(segment string) string {
	if c := segment[0]; len(segment) == 1 && c < utf8.RuneSelf {
		return lowASCII[c : c+1]
	}
	decomposed := norm.NFKD.String(caseless.String(norm.NFKD.String(segment)))
	var b strings.Builder
	for _, r := range norm.NFKD.String(decomposed) {
		if mark(r) {
			continue
		}
		if plain, ok := letters[r]; ok {
			b.WriteString(plain)
		} else {
			b.WriteRune(r)
		}
	}
	return norm.NFKC.String(b.String())
}

// lowASCII holds the ASCII characters in lower case, each at its place.
var lowASCII = func() string {
	var b [utf8.RuneSelf]byte
	for i := range b {
		b[i] = byte(unicode.ToLower(rune(i)))
	}
	return string(b[:])
}()

// letters are those whose stroke or ligature is no mark that comes off.
var letters = map[rune]string{
	'ł': "l", 'đ': "d", 'ð': "d", 'ø': "o", 'ħ': "h", 'ŧ': "t", 'ı': "i", 'ȷ': "j", 'ƶ': "z",
	'æ': "ae", 'œ': "oe", 'þ': "th",
}

// mark tells whether a rune is a diacritic: of the Latin, Greek or Cyrillic
// script, or a point of Hebrew or Arabic. A mark that makes another letter, as
// in Kana or Devanagari, is none.
func mark(r rune) bool {
	if r < 0x300 || !unicode.Is(unicode.Mn, r) {
		return false
	}
	class := norm.NFKD.PropertiesString(string(r)).CCC()
	return class == 1 || 10 <= class && class <= 36 || class >= 200
}

// hidden tells whether a rune shows nothing by itself: a control or format
// character, or a selector of how the one before it looks.
func hidden(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector)
}
