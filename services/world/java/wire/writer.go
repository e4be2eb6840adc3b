package wire

import (
	"encoding/binary"
	"math"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/geom"
)

// Packet is what is written of a packet: its number and its values.
type Packet []byte

// NewPacket begins a packet of a number.
func NewPacket(number int32) *Packet {
	p := make(Packet, 0, 64)
	return p.Int(number)
}

// Byte adds one byte.
func (p *Packet) Byte(b byte) *Packet {
	*p = append(*p, b)
	return p
}

// Bool adds a byte that is 0 or 1.
func (p *Packet) Bool(b bool) *Packet {
	if b {
		return p.Byte(1)
	}
	return p.Byte(0)
}

// Short adds 16 bits.
func (p *Packet) Short(v int16) *Packet {
	*p = binary.BigEndian.AppendUint16(*p, uint16(v))
	return p
}

// Fixed adds 32 bits.
func (p *Packet) Fixed(v int32) *Packet {
	*p = binary.BigEndian.AppendUint32(*p, uint32(v))
	return p
}

// Long adds 64 bits.
func (p *Packet) Long(v int64) *Packet {
	*p = binary.BigEndian.AppendUint64(*p, uint64(v))
	return p
}

// Float adds a number of 32 bits.
func (p *Packet) Float(v float32) *Packet { return p.Fixed(int32(math.Float32bits(v))) }

// Double adds a number of 64 bits.
func (p *Packet) Double(v float64) *Packet { return p.Long(int64(math.Float64bits(v))) }

// Int adds a whole number in one to five bytes.
func (p *Packet) Int(v int32) *Packet { return p.Varlong(int64(uint32(v))) }

// Varlong adds a number of 64 bits in one to ten bytes.
func (p *Packet) Varlong(v int64) *Packet {
	*p = binary.AppendUvarint(*p, uint64(v))
	return p
}

// String adds a text.
func (p *Packet) String(s string) *Packet {
	p.Int(int32(len(s)))
	*p = append(*p, s...)
	return p
}

// UUID adds 16 bytes.
func (p *Packet) UUID(id uuid.UUID) *Packet { return p.Raw(id[:]) }

// Raw adds bytes as they are.
func (p *Packet) Raw(b []byte) *Packet {
	*p = append(*p, b...)
	return p
}

// Position adds the place of a block in 64 bits.
func (p *Packet) Position(at geom.Pos) *Packet {
	return p.Long(int64(at.X)<<38 | int64(at.Z)&0x3ffffff<<12 | int64(at.Y)&0xfff)
}

// Angle adds degrees as one of 256 parts of a circle.
func (p *Packet) Angle(degrees float32) *Packet {
	return p.Byte(byte(int32(math.Floor(float64(degrees) * 256 / 360))))
}
