package fold

import (
	"encoding/binary"
	"slices"

	"github.com/google/uuid"
)

// longest is how many characters a gram has at most.
const longest = 3

// Grams gives the grams of a folded text: every piece of 1, 2 and 3 characters
// as a number, each once and sorted. Numbers are mixed with a scope, such as an
// assignment, so that those of another are different ones. Within a scope two
// grams never have the same number.
func Grams(scope uuid.UUID, folded string) []int64 {
	runes := []rune(folded)
	out := make([]int64, 0, longest*len(runes))
	mix := mixer(scope)
	for i := range runes {
		for n := 1; n <= longest && i+n <= len(runes); n++ {
			out = append(out, mix.gram(runes[i:i+n]))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Needles gives grams that every text has in which a folded query stands; a text
// that has them need not. There are none for an empty query.
func Needles(scope uuid.UUID, foldedQuery string) []int64 {
	runes := []rune(foldedQuery)
	if len(runes) == 0 {
		return nil
	}
	n := min(longest, len(runes))
	mix := mixer(scope)
	var out []int64
	for i := 0; i+n <= len(runes); i++ {
		out = append(out, mix.gram(runes[i:i+n]))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// mixed is what makes the numbers of one scope.
type mixed struct{ before, after uint64 }

func mixer(scope uuid.UUID) mixed {
	return mixed{spread(binary.BigEndian.Uint64(scope[:8])), spread(binary.BigEndian.Uint64(scope[8:]))}
}

// gram numbers up to three characters. They have 21 bits each, so that no two
// have the same before they are spread, nor after it.
func (m mixed) gram(runes []rune) int64 {
	var packed uint64
	for _, r := range runes {
		packed = packed<<21 | uint64(r)
	}
	return int64(spread(packed^m.before) ^ m.after)
}

// spread gives each number another one that tells nothing of its order: the
// last step of SplitMix64.
func spread(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
