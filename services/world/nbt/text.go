package nbt

import (
	"encoding/binary"
	"unicode/utf8"
)

// Modified UTF-8 is UTF-8 but for two things: U+0000 is two bytes, c0 80, and a
// character above U+FFFF is its two surrogates, three bytes each.

// plain reports whether b is the same in modified UTF-8 and in UTF-8 because it
// is ASCII.
func plain[T []byte | string](b T) bool {
	for i := range len(b) {
		if b[i]-1 >= 0x7f { // zero wraps
			return false
		}
	}
	return true
}

// fromModified appends to text what b says, and reports whether b is modified
// UTF-8 with one spelling a character.
func fromModified(text, b []byte) ([]byte, bool) {
	for len(b) > 0 {
		switch first := b[0]; {
		case first-1 < 0x7f:
			text, b = append(text, first), b[1:]
		case first == 0xc0 && len(b) > 1 && b[1] == 0x80:
			text, b = append(text, 0), b[2:]
		case first >= 0xc2 && first <= 0xdf && follow(b, 2):
			text, b = append(text, b[:2]...), b[2:]
		case first >= 0xe0 && first <= 0xef && follow(b, 3) && (first > 0xe0 || b[1] >= 0xa0):
			if high(b) && len(b) >= 6 && low(b[3:]) {
				r := 0x10000 + rune(b[1]&0x0f)<<16 + rune(b[2]&0x3f)<<10 + rune(b[4]&0x0f)<<6 + rune(b[5]&0x3f)
				text, b = utf8.AppendRune(text, r), b[6:]
				continue
			}
			text, b = append(text, b[:3]...), b[3:]
		default:
			return nil, false
		}
	}
	return text, true
}

// appendString appends the length and the modified UTF-8 of s. Bytes of s that
// are neither UTF-8 nor a lone surrogate are written as U+FFFD. It panics where
// the result is longer than a string can be.
func appendString(out []byte, s string) []byte {
	start := len(out)
	out = append(out, 0, 0)
	if plain(s) {
		out = append(out, s...)
	} else {
		out = appendModified(out, s)
	}
	n := len(out) - start - 2
	if n > maxString {
		panic("nbt: a string of more than 65,535 bytes")
	}
	binary.BigEndian.PutUint16(out[start:], uint16(n))
	return out
}

const maxString = 1<<16 - 1

func appendModified(out []byte, s string) []byte {
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == 0:
			out = append(out, 0xc0, 0x80)
		case r > 0xffff:
			r -= 0x10000
			out = append(out,
				0xed, 0xa0|byte(r>>16), 0x80|byte(r>>10)&0x3f,
				0xed, 0xb0|byte(r>>6)&0x0f, 0x80|byte(r)&0x3f)
		case r == utf8.RuneError && size == 1 && len(s) >= 3 && (high(s) || low(s)):
			size = 3
			out = append(out, s[:3]...)
		default:
			out = utf8.AppendRune(out, r)
		}
		s = s[size:]
	}
	return out
}

// follow reports whether b begins with a character of n bytes, if its first
// byte says so.
func follow(b []byte, n int) bool {
	if len(b) < n {
		return false
	}
	for _, c := range b[1:n] {
		if c&0xc0 != 0x80 {
			return false
		}
	}
	return true
}

// high reports whether b begins with the first half of a surrogate pair, low
// with the second. Both have three bytes at least.
func high[T []byte | string](b T) bool { return b[0] == 0xed && b[1]&0xf0 == 0xa0 && b[2]&0xc0 == 0x80 }
func low[T []byte | string](b T) bool  { return b[0] == 0xed && b[1]&0xf0 == 0xb0 && b[2]&0xc0 == 0x80 }
