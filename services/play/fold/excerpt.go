package fold

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Join makes one text of several, as they are searched and shown together;
// empty ones are left out.
func Join(texts ...string) string {
	var b strings.Builder
	for _, s := range texts {
		if s == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(s)
	}
	return b.String()
}

// ellipsis stands where an excerpt leaves something out.
const ellipsis = "…"

// Excerpt gives a piece of a text around the first place where a query stands,
// both as written and not folded: at most size characters, with an ellipsis
// where it was cut. It is cut at a space where one is near, and never inside of
// what is seen as one character. Without such a place it is the beginning of
// the text.
func Excerpt(original, query string, size int) string {
	from, to, _ := Find(original, query)
	return Around(original, from, to, size)
}

// Find gives the bytes of a text where a query stands first, both as written and
// not folded. An empty query stands nowhere.
func Find(original, query string) (from, to int, found bool) {
	needle := Text(query)
	if needle == "" {
		return 0, 0, false
	}
	folded, places := trace(original)
	at := strings.Index(folded, needle)
	if at < 0 {
		return 0, 0, false
	}
	return places.start(at), places.end(at + len(needle) - 1), true
}

// Around gives a piece of a text with the bytes from one place to another in it,
// in the way of Excerpt. Where these are too many, it begins with them.
func Around(original string, from, to, size int) string {
	if utf8.RuneCountInString(original) <= size {
		return strings.TrimSpace(original)
	}
	room := max(size-utf8.RuneCountInString(original[from:to]), 0)
	begin := backwards(original, from, room/3)
	end := forwards(original, begin, max(size-2, 0)) // for two ellipses
	piece := strings.TrimSpace(original[begin:end])
	if strings.TrimSpace(original[:begin]) != "" {
		piece = ellipsis + piece
	}
	if strings.TrimSpace(original[end:]) != "" {
		piece += ellipsis
	}
	return piece
}

// near is how far an excerpt is shortened to end at a space.
const near = 24

// backwards goes back from a place by up to so many characters.
func backwards(s string, at, most int) int {
	begin := at
	for range most {
		if begin == 0 {
			return 0
		}
		_, n := utf8.DecodeLastRuneInString(s[:begin])
		begin -= n
	}
	seen := 0
	for i, r := range s[begin:at] {
		if unicode.IsSpace(r) {
			return begin + i
		}
		if seen++; seen == near {
			break
		}
	}
	for begin < at && !seam(s, begin) {
		_, n := utf8.DecodeRuneInString(s[begin:])
		begin += n
	}
	return begin
}

// forwards goes on from a place by up to so many characters.
func forwards(s string, begin, most int) int {
	end := begin
	for range most {
		if end == len(s) {
			return end
		}
		_, n := utf8.DecodeRuneInString(s[end:])
		end += n
	}
	tail, seen := end, 0
	for tail > begin && seen < near {
		r, n := utf8.DecodeLastRuneInString(s[begin:tail])
		if unicode.IsSpace(r) {
			return tail
		}
		tail -= n
		seen++
	}
	whole := end
	for whole > begin && !seam(s, whole) {
		_, n := utf8.DecodeLastRuneInString(s[begin:whole])
		whole -= n
	}
	if whole == begin {
		return end // nothing but one character that does not end
	}
	return whole
}
