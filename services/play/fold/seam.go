package fold

import (
	"unicode"
	"unicode/utf8"
)

// joiner makes one picture of two.
const joiner = '\u200d'

// seam tells whether a text may be cut at a place without cutting what is seen
// as one character: marks, joined pictures, their tones, and flags.
func seam(s string, at int) bool {
	if at <= 0 || at >= len(s) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at:])
	switch {
	case before == '\r' && after == '\n':
		return false
	case before == joiner, after == joiner:
		return false
	case unicode.In(after, unicode.M, unicode.Variation_Selector), tone(after), tagged(after):
		return false
	case flag(before) && flag(after):
		return flags(s[:at])%2 == 0
	case jamo(before) && jamo(after):
		return false
	}
	return true
}

// tone tells whether a rune gives the picture before it a colour of skin.
func tone(r rune) bool { return 0x1f3fb <= r && r <= 0x1f3ff }

// tagged tells whether a rune is a tag, as in the flags of regions.
func tagged(r rune) bool { return 0xe0020 <= r && r <= 0xe007f }

// flag tells whether a rune is half of a flag.
func flag(r rune) bool { return unicode.Is(unicode.Regional_Indicator, r) }

// jamo tells whether a rune is a part of a Korean syllable.
func jamo(r rune) bool { return 0x1100 <= r && r <= 0x11ff }

// flags counts the halves of flags that a text ends with.
func flags(s string) int {
	n := 0
	for s != "" {
		r, size := utf8.DecodeLastRuneInString(s)
		if !flag(r) {
			break
		}
		n++
		s = s[:len(s)-size]
	}
	return n
}
