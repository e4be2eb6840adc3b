package fold

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/google/uuid"
)

// longest is how many characters a gram has at most that stands for every piece
// of its length.
const longest = 3

// A text has every short piece of many a phrase of usual words that is not in it.
// So some long pieces count too: of so many that begin side by side, in whatever
// text, the one with the least number. Their numbers are few, and texts share
// the small ones: what is of one text alone costs an index most.
const (
	long   = 10 // characters
	beside = 8  // pieces
	few    = 15 // bits of a number
)

// Grams gives the grams of a folded text: every piece of 1, 2 and 3 characters,
// and some of the long ones, as a number, each once and sorted. The upper half of
// a number is the scope's, such as an assignment, so that the grams of one are
// beside each other in an index and apart from those of others. Now and then two
// have the same number by chance, and a text only seems to hold what it does not.
func Grams(scope uuid.UUID, folded string) []int64 {
	runes := []rune(folded)
	out := make([]int64, 0, (longest+1)*len(runes))
	mix := mixerOf(scope)
	for i := range runes {
		for n := 1; n <= longest && i+n <= len(runes); n++ {
			out = append(out, mix.gram(runes[i:i+n]))
		}
	}
	return sorted(mix.longs(out, runes))
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
	out := mix.longs(nil, runes)
	step := 1
	if len(out) > 0 {
		step = longest // these say more than the short ones between would
	}
	for i := len(runes) - n; i >= 0; i -= step {
		out = append(out, mix.gram(runes[i:i+n]))
	}
	return sorted(out)
}

func sorted(grams []int64) []int64 {
	slices.Sort(grams)
	return slices.Compact(grams)
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

// longs adds the long pieces that count: the least of each that are side by side.
// Which one that is depends on nothing around them.
func (m mixer) longs(out []int64, runes []rune) []int64 {
	var last [beside]int64
	for i := 0; i+long <= len(runes); i++ {
		last[i%beside] = m.long(runes[i : i+long])
		if i < beside-1 {
			continue
		}
		if least := slices.Min(last[:]); len(out) == 0 || least != out[len(out)-1] {
			out = append(out, least)
		}
	}
	return out
}

// long numbers a long piece.
func (m mixer) long(runes []rune) int64 {
	var h uint64
	for _, r := range runes {
		h = spread(h ^ uint64(r))
	}
	return int64(uint64(m) | h>>(64-few))
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
