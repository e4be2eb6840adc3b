package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// mask is some of a plan's changes, by their places, ascending. It is kept as
// runs: how far from the end of the run before, and how long, in varints.
type mask []int

// errMask is a text of a mask that is none. It stands for damage.
var errMask = errors.New("the mask cannot be read")

func (m mask) encode() []byte {
	out := []byte{}
	for end := 0; len(m) > 0; {
		n := 1
		for n < len(m) && m[n] == m[0]+n {
			n++
		}
		out = binary.AppendUvarint(out, uint64(m[0]-end))
		out = binary.AppendUvarint(out, uint64(n))
		end, m = m[0]+n, m[n:]
	}
	return out
}

// decodeMask reads places below total, which is MaxChanges at most.
func decodeMask(data []byte, total int) (mask, error) {
	m := mask{}
	end := uint64(0)
	for first := true; len(data) > 0; first = false {
		gap, a := binary.Uvarint(data)
		if a <= 0 {
			return nil, errMask
		}
		n, b := binary.Uvarint(data[a:])
		switch {
		case b <= 0, n == 0, gap == 0 && !first, gap > uint64(total)-end, n > uint64(total)-end-gap:
			return nil, errMask
		}
		for i := range n {
			m = append(m, int(end+gap+i))
		}
		end += gap + n
		data = data[a+b:]
	}
	return m, nil
}

// check refuses places that are not ascending or not below total.
func (m mask) check(total int) error {
	for i, n := range m {
		if n < 0 || n >= total || i > 0 && n <= m[i-1] {
			return fmt.Errorf("place %d of a plan with %d changes is not allowed there", n, total)
		}
	}
	return nil
}

// holds tells that all of some places are in m.
func (m mask) holds(others mask) bool {
	return !slices.ContainsFunc(others, func(n int) bool { _, in := slices.BinarySearch(m, n); return !in })
}

// meets tells that one place at least is in both.
func (m mask) meets(others mask) bool {
	return slices.ContainsFunc(others, func(n int) bool { _, in := slices.BinarySearch(m, n); return in })
}

// with is m and others.
func (m mask) with(others mask) mask {
	both := slices.Concat(m, others)
	slices.Sort(both)
	return slices.Compact(both)
}

// rest is all places below total that are not in m.
func (m mask) rest(total int) mask {
	rest := mask{}
	for n := range total {
		if _, in := slices.BinarySearch(m, n); !in {
			rest = append(rest, n)
		}
	}
	return rest
}
