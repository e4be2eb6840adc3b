package fold

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/google/uuid"
)

// longest is how many characters a gram has at most.
const longest = 3

// Grams gives the grams of a folded text: every piece of 1, 2 and 3 characters
// as a number, each once and sorted. The upper half of a number is the scope's,
// such as an assignment, so that the grams of one are beside each other in an
// index and apart from those of others. Now and then two have the same number
// by chance, and a text only seems to hold what it does not.
func Grams(scope uuid.UUID, folded string) []int64 {
	runes := []rune(folded)
	out := make([]int64, 0, longest*len(runes))
	mix := mixerOf(scope)
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
	mix := mixerOf(scope)
	var out []int64
	for i := 0; i+n <= len(runes); i++ {
		out = append(out, mix.gram(runes[i:i+n]))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// mixer is the upper half of the numbers of one scope.
type mixer uint64

func mixerOf(scope uuid.UUID) mixer {
	upper, lower := binary.BigEndian.Uint64(scope[:8]), binary.BigEndian.Uint64(scope[8:])
	return mixer(spread(spread(upper)^lower) &^ math.MaxUint32)
}

// gram numbers up to three characters, of 21 bits each.
func (m mixer) gram(runes []rune) int64 {
	var packed uint64
	for _, r := range runes {
		packed = packed<<21 | uint64(r)
	}
	return int64(uint64(m) | spread(packed)>>32)
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
