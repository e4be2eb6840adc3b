// Package stream gives the simulator its chance: one stream of numbers for each
// purpose and thing, so that what a player does never shifts what another
// stream draws.
package stream

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
)

// Stream is a sequence of numbers that its seed, label and two numbers decide.
// It is ChaCha8 as C2SP's chacha8rand has it, and of that Uint64 alone.
type Stream struct{ source rand.ChaCha8 }

// New begins a stream. Seeds are from 0 to 2^53-1.
func New(seed int64, label string, a, b int64) *Stream {
	s := new(Stream)
	s.source.Seed(Key(seed, label, a, b))
	return s
}

// Key is what a stream is seeded with: the SHA-256 of
// "pharos-sim/1" 0x00 label 0x00 seed a b, the numbers as eight bytes each, the
// most significant first.
func Key(seed int64, label string, a, b int64) [32]byte {
	text := make([]byte, 0, 64)
	text = append(append(text, "pharos-sim/1"...), 0)
	text = append(append(text, label...), 0)
	for _, n := range [...]int64{seed, a, b} {
		text = binary.BigEndian.AppendUint64(text, uint64(n))
	}
	return sha256.Sum256(text)
}

// Uint64 is the next number.
func (s *Stream) Uint64() uint64 { return s.source.Uint64() }

// N draws a number from 0 to n-1; n is positive. It takes one number of the
// stream whatever n is.
func (s *Stream) N(n int64) int64 {
	high, _ := bits.Mul64(s.Uint64(), uint64(n))
	return int64(high)
}

// Range draws a number from low to high, both included.
func (s *Stream) Range(low, high int64) int64 { return low + s.N(high-low+1) }

// Permille is true p times in 1000.
func (s *Stream) Permille(p int64) bool { return s.N(1000) < p }

// Pick draws the place of a weight, each as often as its weight says. The
// weights are not negative, and one is positive.
func (s *Stream) Pick(weights ...int64) int {
	sum := int64(0)
	for _, w := range weights {
		sum += w
	}
	n := s.N(sum)
	for i, w := range weights {
		if n < w {
			return i
		}
		n -= w
	}
	panic("stream: no weight is positive")
}

// Shuffle brings n things into an order of chance: from the last place down,
// each is swapped with one of those up to itself.
func (s *Stream) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, int(s.N(int64(i+1))))
	}
}
