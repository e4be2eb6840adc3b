package region

import (
	"encoding/binary"
	"fmt"
)

// A file is sectors of 4 KiB. The first has the place of each chunk, the second
// the time of its last write.
const (
	sector     = 4096
	slots      = 32 * 32
	headerSize = 2 * sector
	mostOf     = 255 // sectors of one chunk
)

// place is where a chunk stands: the first sector in the upper three bytes, the
// number of sectors in the last.
type place uint32

func (p place) first() int64 { return int64(p >> 8) }
func (p place) count() int64 { return int64(p & 0xff) }

func newPlace(first, count int64) place { return place(first<<8 | count) }

// header is the first two sectors.
type header struct {
	places [slots]place
	times  [slots]uint32
}

func parseHeader(b []byte) *header {
	h := &header{}
	for i := range slots {
		h.places[i] = place(binary.BigEndian.Uint32(b[4*i:]))
		h.times[i] = binary.BigEndian.Uint32(b[sector+4*i:])
	}
	return h
}

func (h *header) bytes() []byte {
	b := make([]byte, headerSize)
	for i := range slots {
		binary.BigEndian.PutUint32(b[4*i:], uint32(h.places[i]))
		binary.BigEndian.PutUint32(b[sector+4*i:], h.times[i])
	}
	return b
}

// stored is the part of a place that a file of that size has: no sectors where
// it has none or the place is impossible.
func (p place) stored(size int64) (offset, length int64) {
	if p.first() < 2 || p.count() == 0 || p.first()*sector >= size {
		return 0, 0
	}
	return p.first() * sector, min(p.count()*sector, size-p.first()*sector)
}

// odd says what is wrong with the place of a slot, or "".
func (h *header) odd(slot int, size int64) string {
	p := h.places[slot]
	switch {
	case p.first() < 2:
		return "its place is in the header"
	case p.count() == 0:
		return "its place has no sectors"
	case p.first()*sector >= size:
		return "its place is beyond the end of the file"
	}
	for other, q := range h.places {
		if other != slot && q.first() >= 2 && p.first() < q.first()+q.count() && q.first() < p.first()+p.count() {
			return fmt.Sprintf("its sectors are also those of slot %d", other)
		}
	}
	return ""
}
