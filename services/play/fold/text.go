package fold

import (
	"strings"
	"sync"
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
	if _, n := lone(s); n > 0 {
		return n
	}
	return max(norm.NFKC.NextBoundaryInString(s, true), 1)
}

// combining is the first rune that may belong to the one before it, and the byte
// that it begins with.
const (
	combining     = 0x300
	combiningByte = 0xcc
)

// lone gives the first rune of a text and how many bytes it has, where it is a
// segment by itself that needs no looking at what follows; else 0 bytes.
func lone(s string) (r rune, n int) {
	r, n = rune(s[0]), 1
	if r >= utf8.RuneSelf {
		r, n = utf8.DecodeRuneInString(s)
	}
	if r >= combining || len(s) > n && s[n] >= combiningByte {
		return 0, 0
	}
	return r, n
}

// folder folds one segment after the other.
type folder struct{ space bool }

// fold gives what becomes of a segment, and whether white space stood before
// it. A segment may hold white space itself, in what it is compatible with.
func (f *folder) fold(segment string) (piece string, spaced bool) {
	form := ""
	if r, n := lone(segment); n > 0 {
		form = forms()[r]
	} else {
		form = formOf(segment)
	}
	switch {
	case form == " ":
		f.space = true
		return "", false
	case strings.IndexByte(form, ' ') < 0:
		if form != "" {
			spaced, f.space = f.space, false
		}
		return form, spaced
	}
	return f.spaced(form)
}

// spaced is fold for a form with white space in it.
func (f *folder) spaced(form string) (piece string, spaced bool) {
	var b strings.Builder
	for _, r := range form {
		if r == ' ' {
			f.space = true
			continue
		}
		if f.space && b.Len() == 0 {
			spaced = true
		} else if f.space {
			b.WriteByte(' ')
		}
		f.space = false
		b.WriteRune(r)
	}
	return b.String(), spaced
}

// forms holds what becomes of each rune that cannot belong to the one before it.
var forms = sync.OnceValue(func() *[combining]string {
	var out [combining]string
	for r := range out {
		out[r] = formOf(string(rune(r)))
	}
	return &out
})

var caseless = cases.Fold()

// formOf gives a segment in lower case and without marks, with every white space
// as a blank and without what is hidden. It is composed again as far as it is
// still to be: か with its mark stays が, and 각 is not 가.
func formOf(segment string) string {
	decomposed := norm.NFKD.String(caseless.String(norm.NFKD.String(segment)))
	var b strings.Builder
	for _, r := range decomposed {
		switch plain, ok := letters[r]; {
		case ok:
			b.WriteString(plain)
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case !mark(r) && !hidden(r):
			b.WriteRune(r)
		}
	}
	return norm.NFKC.String(b.String())
}

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
