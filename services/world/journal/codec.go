package journal

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/pharos-mcp/pharos/services/world/geom"
)

// Blocks are kept as gzip of: the palette (how many states, then of each its
// length and its bytes), how many blocks, and of each how far it lies from the
// one before along y, z and x, and its places in the palette. All numbers are
// varints. A change has two places, a dependency one, a block of a mask none.

// errBlocks is a text of blocks that is none. It stands for damage.
var errBlocks = errors.New("the blocks cannot be read")

// block is a position with the states that are kept of it.
type block struct {
	geom.Pos
	states [2]string
}

// encode writes blocks with so many states each.
func encode(blocks []block, states int) []byte {
	var raw []byte
	palette, places := []string{}, map[string]int{}
	for _, b := range blocks {
		for _, s := range b.states[:states] {
			if _, known := places[s]; !known {
				places[s] = len(palette)
				palette = append(palette, s)
			}
		}
	}
	raw = binary.AppendUvarint(raw, uint64(len(palette)))
	for _, s := range palette {
		raw = binary.AppendUvarint(raw, uint64(len(s)))
		raw = append(raw, s...)
	}
	raw = binary.AppendUvarint(raw, uint64(len(blocks)))
	var last geom.Pos
	for _, b := range blocks {
		raw = binary.AppendVarint(raw, int64(b.Y)-int64(last.Y))
		raw = binary.AppendVarint(raw, int64(b.Z)-int64(last.Z))
		raw = binary.AppendVarint(raw, int64(b.X)-int64(last.X))
		last = b.Pos
		for _, s := range b.states[:states] {
			raw = binary.AppendUvarint(raw, uint64(places[s]))
		}
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(raw) // a buffer takes all
	_ = w.Close()
	return packed.Bytes()
}

// decode reads at most so many blocks. All that it reads is counted before, so
// however much is packed, no more is unpacked than so many blocks can have.
func decode(packed []byte, states, most int) ([]block, error) {
	source := bytes.NewReader(packed)
	z, err := gzip.NewReader(source)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errBlocks, err)
	}
	z.Multistream(false)
	r := &reader{in: bufio.NewReader(z)}
	palette := r.palette(states * most)
	blocks := make([]block, r.count(most))
	var last geom.Pos
	for i := range blocks {
		b := &blocks[i]
		b.Y, b.Z, b.X = r.along(last.Y), r.along(last.Z), r.along(last.X)
		if i > 0 && last.Compare(b.Pos) >= 0 {
			r.fail(errors.New("not in order"))
		}
		last = b.Pos
		for n := range states {
			if place := r.count(len(palette) - 1); r.err == nil {
				b.states[n] = palette[place]
			}
		}
		if r.err != nil {
			break
		}
	}
	if r.err == nil {
		if _, err := r.in.ReadByte(); err != io.EOF || source.Len() > 0 { // io.EOF has seen the checksum
			r.fail(errors.New("something follows"))
		}
	}
	if r.err != nil {
		return nil, fmt.Errorf("%w: %w", errBlocks, r.err)
	}
	return blocks, nil
}

// reader reads numbers until something is wrong, and then zeros.
type reader struct {
	in  *bufio.Reader
	err error
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// count reads a number from 0 to most.
func (r *reader) count(most int) int {
	if r.err != nil {
		return 0
	}
	n, err := binary.ReadUvarint(r.in)
	switch {
	case err != nil:
		r.fail(err)
		return 0
	case most < 0 || n > uint64(most):
		r.fail(fmt.Errorf("%d is more than %d", n, most))
		return 0
	}
	return int(n)
}

// along reads a coordinate.
func (r *reader) along(from int32) int32 {
	if r.err != nil {
		return 0
	}
	d, err := binary.ReadVarint(r.in)
	if err != nil {
		r.fail(err)
		return 0
	}
	if d < math.MinInt32-int64(from) || d > math.MaxInt32-int64(from) {
		r.fail(errors.New("a position is too far away"))
		return 0
	}
	return int32(int64(from) + d)
}

// palette reads at most so many states, none of them twice or longer than a
// state may be.
func (r *reader) palette(most int) []string {
	n := r.count(most)
	var palette []string
	known := map[string]bool{}
	for range n {
		text := make([]byte, r.count(MaxState))
		if r.err == nil {
			if _, err := io.ReadFull(r.in, text); err != nil {
				r.fail(err)
			}
		}
		if known[string(text)] {
			r.fail(errors.New("a state is there twice"))
		}
		if r.err != nil {
			return nil
		}
		known[string(text)] = true
		palette = append(palette, string(text))
	}
	return palette
}
