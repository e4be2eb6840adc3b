package chunk

import (
	"math/bits"

	"github.com/pharos-mcp/pharos/services/world/nbt"
)

const (
	statesName = "block_states"
	cellCount  = 16 * 16 * 16
	air        = "minecraft:air"
)

// content is the decoded blocks of a section. The palette only grows: what is
// no longer used is left out when it is written, so that a block that comes back
// finds its place, and the bytes are those from before.
type content struct {
	err     error
	palette []entry
	cells   []uint16 // into the palette, by y, z, x; nil: the first entry everywhere
	byState map[string]uint16
}

// entry is a state of a palette.
type entry struct {
	state string
	tag   *nbt.Compound
}

// decode reads a section's blocks. A section that is not there, or has none, is
// air.
func (c *Chunk) decode(s *section) *content {
	states, err := s.states()
	if err != nil {
		return &content{err: err}
	}
	if states == nil {
		return &content{palette: []entry{{air, tagOf(air)}}}
	}
	found := &content{}
	list, ok := nbt.Get[nbt.List](states, "palette")
	if n := len(list.Items); !ok || list.Of != nbt.KindCompound || n == 0 || n > cellCount {
		return &content{err: refuse("section %d: the palette is no list of 1 to %d states", s.y, cellCount)}
	}
	found.palette = make([]entry, len(list.Items))
	for i, item := range list.Items {
		tag := item.(*nbt.Compound)
		state, ok := c.stateOf(tag)
		if !ok {
			return &content{err: refuse("section %d: entry %d of the palette is no block state", s.y, i)}
		}
		found.palette[i] = entry{state, tag}
	}
	if len(found.palette) == 1 {
		return found
	}
	data, _ := nbt.Get[nbt.LongArray](states, "data")
	if found.cells, err = unpack(data, len(found.palette)); err != nil {
		return &content{err: refuse("section %d: %v", s.y, err)}
	}
	return found
}

// states is the section's compound of block states, or nil.
func (s *section) states() (*nbt.Compound, error) {
	if s.tag == nil {
		return nil, nil
	}
	tag, there := s.tag.Get(statesName)
	if !there {
		return nil, nil
	}
	states, ok := tag.(*nbt.Compound)
	if !ok {
		return nil, refuse("section %d: %s is no compound", s.y, statesName)
	}
	return states, nil
}

// encode returns the palette of what is used, in the order it has, and the
// cells: nil for one entry.
func (f *content) encode() (nbt.List, nbt.Tag) {
	places := make([]uint16, len(f.palette)) // new place plus one
	if f.cells == nil {
		places[0] = 1
	}
	for _, cell := range f.cells {
		places[cell] = 1
	}
	list := nbt.List{Of: nbt.KindCompound}
	for i, e := range f.palette {
		if places[i] > 0 {
			places[i] = uint16(len(list.Items))
			list.Items = append(list.Items, e.tag)
		}
	}
	if len(list.Items) == 1 {
		return list, nil
	}
	return list, pack(f.cells, places, len(list.Items))
}

// widthFor is the number of bits of a cell, for a palette of n entries.
func widthFor(n int) int { return max(4, bits.Len(uint(n-1))) }

// unpack reads cells, which do not reach from one long into the next.
func unpack(data nbt.LongArray, n int) ([]uint16, error) {
	width := widthFor(n)
	each := 64 / width
	if want := (cellCount + each - 1) / each; len(data) != want {
		return nil, refuse("%d longs for %d states, not %d", len(data), n, want)
	}
	cells := make([]uint16, cellCount)
	mask := uint64(1)<<width - 1
	at := 0
	for _, long := range data {
		word := uint64(long)
		for range min(each, cellCount-at) {
			cell := word & mask
			if cell >= uint64(n) {
				return nil, refuse("a block is of state %d of %d", cell, n)
			}
			cells[at] = uint16(cell)
			word >>= width
			at++
		}
	}
	return cells, nil
}

// pack writes cells, each by its place in the palette of n entries.
func pack(cells, places []uint16, n int) nbt.LongArray {
	width := widthFor(n)
	each := 64 / width
	data := make(nbt.LongArray, (cellCount+each-1)/each)
	at := 0
	for i := range data {
		word := uint64(0)
		for shift := range min(each, cellCount-at) {
			word |= uint64(places[cells[at]]) << (shift * width)
			at++
		}
		data[i] = int64(word)
	}
	return data
}
