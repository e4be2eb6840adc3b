package edge

import (
	"strings"
	"unicode/utf8"
)

const hex = "0123456789abcdef"

// appendCompact appends JSON without the space between its tokens and with <,
// > and & and the two line separators escaped, which is what the SDK makes of
// it: so both copies of an envelope are the same bytes. The value must have
// been found to be JSON.
func appendCompact(b, value []byte) []byte {
	start, inside := 0, false
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '"':
			inside = !inside
		case c == '\\':
			i++ // what is escaped is no end of a string
		case !inside && (c == ' ' || c == '\t' || c == '\n' || c == '\r'):
			b = append(b, value[start:i]...)
			start = i + 1
		case c == '<' || c == '>' || c == '&':
			b = append(append(b, value[start:i]...), '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			start = i + 1
		case c == 0xE2 && i+2 < len(value) && value[i+1] == 0x80 && value[i+2]&^1 == 0xA8:
			b = append(append(b, value[start:i]...), '\\', 'u', '2', '0', '2', hex[value[i+2]&15])
			i += 2
			start = i + 1
		}
	}
	return append(b, value[start:]...)
}

// appendJSONString appends a text as a JSON string, as encoding/json does.
func appendJSONString[T string | []byte](b []byte, text T) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(text); {
		c := text[i]
		if plainBytes[c] {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			b = append(b, text[start:i]...)
			if short := shortEscapes[c]; short != 0 {
				b = append(b, '\\', short)
			} else {
				b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(string(text[i:min(i+utf8.UTFMax, len(text))]))
		switch {
		case r == utf8.RuneError && size == 1:
			b = append(append(b, text[start:i]...), `\ufffd`...)
			start = i + size
		case r == '\u2028' || r == '\u2029':
			b = append(append(b, text[start:i]...), '\\', 'u', '2', '0', '2', hex[r&15])
			start = i + size
		}
		i += size
	}
	return append(append(b, text[start:]...), '"')
}

// plainBytes are those that stand for themselves in a JSON string.
var plainBytes = func() (plain [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		plain[c] = !strings.ContainsRune("\"\\<>&", c)
	}
	return plain
}()

// shortEscapes are the letters of the escapes that have one.
var shortEscapes = [utf8.RuneSelf]byte{
	'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't',
}

// bounded cuts a text to at most limit bytes, between characters.
func bounded(text string, limit int) string {
	if len(text) <= limit {
		return strings.ToValidUTF8(text, "\uFFFD")
	}
	const mark = "…"
	cut := max(limit-len(mark), 0)
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return strings.ToValidUTF8(text[:cut], "?") + mark
}
