package fold

import "strings"

// segments says for each piece of a folded text where it comes from.
type segments []segment

// segment is a piece that begins at a place of the folded text, and the bytes of
// the original that it was folded from.
type segment struct{ at, from, to int }

// trace folds a text like Text, and keeps where each piece comes from.
func trace(s string) (string, segments) {
	var (
		b      strings.Builder
		places segments
		f      folder
	)
	for at := 0; at < len(s); {
		n := next(s[at:])
		piece, spaced := f.fold(s[at : at+n])
		if piece != "" {
			if spaced && b.Len() > 0 {
				places = append(places, segment{b.Len(), at, at}) // the space before it
				b.WriteByte(' ')
			}
			places = append(places, segment{b.Len(), at, at + n})
			b.WriteString(piece)
		}
		at += n
	}
	return b.String(), places
}

// of finds the segment that a byte of the folded text belongs to.
func (p segments) of(at int) segment {
	low, high := 0, len(p)
	for high-low > 1 {
		if middle := (low + high) / 2; p[middle].at <= at {
			low = middle
		} else {
			high = middle
		}
	}
	return p[low]
}

// start is where the original of a byte of the folded text begins.
func (p segments) start(at int) int { return p.of(at).from }

// end is where the original of a byte of the folded text ends.
func (p segments) end(at int) int { return p.of(at).to }
