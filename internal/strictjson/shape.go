package strictjson

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// The bounds of a text from outside, wherever one is taken in: what would cost
// more to decode than it can be worth is refused before.
const (
	MaxDepth  = 32     // objects and arrays within each other
	MaxTokens = 20_000 // values and names of members
)

// ErrTooDeep and ErrTooMany are what Shape refuses.
var (
	ErrTooDeep = fmt.Errorf("nested deeper than %d levels", MaxDepth)
	ErrTooMany = fmt.Errorf("made of more than %d values and names", MaxTokens)
)

// Shape holds a text to MaxDepth and MaxTokens. It goes over the text once and
// allocates nothing. Whether the text is JSON, it does not say: of one that is
// none it counts what a decoder would meet first.
func Shape(text []byte) error {
	depth, tokens := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ' ', '\t', '\r', '\n', ',', ':':
			continue
		case '}', ']':
			depth--
			continue
		case '{', '[':
			if depth++; depth > MaxDepth {
				return ErrTooDeep
			}
		case '"':
			i = endOfString(text, i)
		default:
			i = endOfWord(text, i)
		}
		if tokens++; tokens > MaxTokens {
			return ErrTooMany
		}
	}
	return nil
}

// endOfString returns the place of the quote that ends the string which begins
// at i, or of the text's end.
func endOfString(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

// endOfWord returns the last place of the number or word that begins at i.
func endOfWord(text []byte, i int) int {
	for i+1 < len(text) {
		switch text[i+1] {
		case ' ', '\t', '\r', '\n', ',', ':', '}', ']', '{', '[', '"':
			return i
		}
		i++
	}
	return i
}

// ErrText says that a string holds what no database keeps and what decoders
// turn into something else.
var ErrText = errors.New("a string holds the character U+0000 or half of a surrogate pair")

// Text refuses JSON in whose strings, names among them, stands U+0000 or half of
// a surrogate pair, or whose bytes are not UTF-8: ErrText. Most texts have no
// escape, which is all that it looks for.
func Text(text []byte) error {
	if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		return ErrText
	}
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 || i+1 >= len(text) {
			return nil
		}
		text = text[i:]
		unit, ok := escaped(text)
		switch {
		case !ok:
			text = text[2:]
			continue
		case unit == 0:
			return ErrText
		case utf16.IsSurrogate(unit):
			low, _ := escaped(text[6:])
			if utf16.DecodeRune(unit, low) == utf8.RuneError {
				return ErrText
			}
			text = text[6:]
		}
		text = text[6:]
	}
}

// escaped reads the \uXXXX that a text begins with.
func escaped(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n), err == nil
}
