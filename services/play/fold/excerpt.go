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
	begin, end := around(original, from, to, size)
	return piece(original, begin, end)
}

// Excerpts gives the pieces of a text around the places where a query stands, as
// Excerpt does: in their order, each for a place that those before do not show,
// and so many at most. There is none where it stands nowhere.
func Excerpts(original, query string, size, most int) []string {
	out := []string{}
	needle := Text(query)
	if needle == "" {
		return out
	}
	folded, w := Text(original), walk{original: original}
	shown := 0 // up to where the original was shown
	for at := 0; len(out) < most; at += len(needle) {
		next := strings.Index(folded[at:], needle)
		if next < 0 {
			break
		}
		at += next
		from, to := w.origin(at, at+len(needle))
		if to <= shown {
			continue
		}
		begin, end := around(original, from, to, size)
		out = append(out, piece(original, begin, end))
		shown = end
	}
	return out
}

// Find gives the bytes of a text where a query stands first, both as written and
// not folded. An empty query stands nowhere.
func Find(original, query string) (from, to int, found bool) {
	needle := Text(query)
	if needle == "" {
		return 0, 0, false
	}
	at := strings.Index(Text(original), needle)
	if at < 0 {
		return 0, 0, false
	}
	w := walk{original: original}
	from, to = w.origin(at, at+len(needle))
	return from, to, true
}

// walk goes through a text to find what became of it.
type walk struct {
	original string
	folder   folder
	segment  int // where the last segment that was folded begins
	at       int // and where it ends
	folded   int // bytes that the text up to there has in its folded form
}

// origin gives the bytes of the text that some bytes of its folded form come
// from, which neither begin nor end with a space. It does not go back: these
// begin at the end of those before, or later.
func (w *walk) origin(begin, end int) (from, to int) {
	w.until(begin + 1)
	from = w.segment
	w.until(end)
	return from, w.at
}

// until goes on to the segment that so many bytes end in.
func (w *walk) until(folded int) {
	for w.folded < folded && w.at < len(w.original) {
		w.segment = w.at
		w.at += next(w.original[w.at:])
		piece, spaced := w.folder.fold(w.original[w.segment:w.at])
		if spaced && w.folded > 0 {
			w.folded++
		}
		w.folded += len(piece)
	}
}

// around gives the bytes of a text that an excerpt of so many characters has,
// with those from one place to another in it. Where these are too many, it
// begins with them.
func around(original string, from, to, size int) (begin, end int) {
	if utf8.RuneCountInString(original) <= size {
		return 0, len(original)
	}
	room := max(size-utf8.RuneCountInString(original[from:to]), 0)
	begin = backwards(original, from, room/3)
	return begin, forwards(original, begin, to, max(size-2, 0)) // for two ellipses
}

// piece is a piece of a text as it is shown.
func piece(original string, begin, end int) string {
	shown := strings.TrimSpace(original[begin:end])
	if strings.TrimSpace(original[:begin]) != "" {
		shown = ellipsis + shown
	}
	if strings.TrimSpace(original[end:]) != "" {
		shown += ellipsis
	}
	return shown
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

// forwards goes on from a place by up to so many characters, and back to where
// it may be cut, but not over what must be in it.
func forwards(s string, begin, needed, most int) int {
	end := begin
	for range most {
		if end == len(s) {
			return end
		}
		_, n := utf8.DecodeRuneInString(s[end:])
		end += n
	}
	floor := max(min(needed, end), begin)
	tail := end
	for range near {
		if tail == floor {
			break
		}
		r, n := utf8.DecodeLastRuneInString(s[:tail])
		if unicode.IsSpace(r) {
			return tail
		}
		tail -= n
	}
	for tail = end; tail > floor && !seam(s, tail); {
		_, n := utf8.DecodeLastRuneInString(s[:tail])
		tail -= n
	}
	if tail == begin {
		return end // it is one character that does not end
	}
	return tail
}
