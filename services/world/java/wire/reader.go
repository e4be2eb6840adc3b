package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/geom"
)

// ErrShort is a packet that ends before a value does.
var ErrShort = errors.New("the packet is too short")

// Reader reads the values of one packet. After the first mistake every value is
// zero, and Err tells the mistake.
type Reader struct {
	rest []byte
	err  error
}

// NewReader reads from data.
func NewReader(data []byte) *Reader { return &Reader{rest: data} }

// Err is the first mistake.
func (r *Reader) Err() error { return r.err }

// End is the first mistake; bytes that are left are one.
func (r *Reader) End() error {
	if r.err == nil && len(r.rest) > 0 {
		r.err = fmt.Errorf("%d bytes are left of the packet", len(r.rest))
	}
	return r.err
}

// Left is how many bytes are left.
func (r *Reader) Left() int { return len(r.rest) }

func (r *Reader) fail(err error) {
	if r.err == nil {
		r.err, r.rest = err, nil
	}
}

// Bytes are the next n bytes, which belong to the packet.
func (r *Reader) Bytes(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.fail(ErrShort)
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *Reader) fixed(n int) []byte {
	if b := r.Bytes(n); b != nil {
		return b
	}
	return make([]byte, n)
}

// Byte is one byte.
func (r *Reader) Byte() byte { return r.fixed(1)[0] }

// Bool is a byte that is 0 or 1.
func (r *Reader) Bool() bool {
	b := r.Byte()
	if b > 1 {
		r.fail(fmt.Errorf("%d is neither true nor false", b))
	}
	return b == 1
}

// Short has 16 bits.
func (r *Reader) Short() int16 { return int16(binary.BigEndian.Uint16(r.fixed(2))) }

// Long has 64 bits.
func (r *Reader) Long() int64 { return int64(binary.BigEndian.Uint64(r.fixed(8))) }

// Float is a finite number of 32 bits.
func (r *Reader) Float() float32 {
	f := math.Float32frombits(binary.BigEndian.Uint32(r.fixed(4)))
	if math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) {
		r.fail(errors.New("a number is not finite"))
		return 0
	}
	return f
}

// Double is a finite number of 64 bits.
func (r *Reader) Double() float64 {
	f := math.Float64frombits(binary.BigEndian.Uint64(r.fixed(8)))
	if math.IsNaN(f) || math.IsInf(f, 0) {
		r.fail(errors.New("a number is not finite"))
		return 0
	}
	return f
}

// Int is a whole number of 32 bits in one to five bytes.
func (r *Reader) Int() int32 {
	var v uint32
	for i := range 5 {
		b := r.Byte()
		v |= uint32(b&0x7f) << (7 * i)
		if b&0x80 == 0 {
			if i == 4 && b > 0x0f {
				break
			}
			return int32(v)
		}
	}
	r.fail(errors.New("a number has more than 32 bits"))
	return 0
}

// Count is a number of things, each of at least size bytes, most at most.
func (r *Reader) Count(most, size int) int {
	n := int(r.Int())
	switch {
	case r.err != nil:
		return 0
	case n < 0 || n > most:
		r.fail(fmt.Errorf("there are %d of at most %d", n, most))
	case n*size > len(r.rest):
		r.fail(ErrShort)
	default:
		return n
	}
	return 0
}

// String is a text of most UTF-16 code units at most, as the game counts.
func (r *Reader) String(most int) string {
	n := r.Count(most*3, 1)
	b := r.Bytes(n)
	if r.err != nil {
		return ""
	}
	if !utf8.Valid(b) {
		r.fail(errors.New("a text is no UTF-8"))
		return ""
	}
	units := 0
	for _, c := range string(b) {
		units += utf16.RuneLen(c)
	}
	if units > most {
		r.fail(fmt.Errorf("a text has %d characters, at most %d are allowed", units, most))
		return ""
	}
	return string(b)
}

// UUID has 16 bytes.
func (r *Reader) UUID() uuid.UUID { return uuid.UUID(r.fixed(16)) }

// Position is that of a block, packed into 64 bits: 26 for x, 26 for z, 12 for y.
func (r *Reader) Position() geom.Pos {
	v := r.Long()
	return geom.Pos{X: int32(v >> 38), Y: int32(v << 52 >> 52), Z: int32(v << 26 >> 38)}
}
