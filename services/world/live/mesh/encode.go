package mesh

import (
	"encoding/binary"

	"github.com/pharos-mcp/pharos/services/world/host"
)

// Lengths of what is written, in bytes.
const (
	headLength    = 24
	sectionLength = 16
	quadLength    = 16
)

// Encode writes sections of a column, all numbers little-endian:
//
//	x, z int32; how many sections uint32; 0 uint32; revision uint64
//	of each section: y int32; how many opaque and clear quads uint32 each; 0 uint32
//	of each quad, opaque ones first: x | side<<12, y, z of the smaller corner and
//	x, y, z of the larger, red<<8|green, blue<<8|alpha, uint16 each
func Encode(at host.ChunkPos, revision uint64, sections []Section) []byte {
	length := headLength
	for i := range sections {
		length += sectionLength + quadLength*(len(sections[i].Opaque)+len(sections[i].Clear))
	}
	le := binary.LittleEndian
	b := make([]byte, 0, length)
	b = le.AppendUint32(b, uint32(at.X))
	b = le.AppendUint32(b, uint32(at.Z))
	b = le.AppendUint32(b, uint32(len(sections)))
	b = le.AppendUint32(b, 0)
	b = le.AppendUint64(b, revision)
	for i := range sections {
		s := &sections[i]
		b = le.AppendUint32(b, uint32(s.Y))
		b = le.AppendUint32(b, uint32(len(s.Opaque)))
		b = le.AppendUint32(b, uint32(len(s.Clear)))
		b = le.AppendUint32(b, 0)
		for _, quads := range [][]Quad{s.Opaque, s.Clear} {
			for j := range quads {
				b = quads[j].append(b)
			}
		}
	}
	return b
}

func (q *Quad) append(b []byte) []byte {
	for _, v := range [8]uint16{
		q.Min[0] | uint16(q.Side)<<12, q.Min[1], q.Min[2], q.Max[0], q.Max[1], q.Max[2],
		uint16(q.Colour.R)<<8 | uint16(q.Colour.G), uint16(q.Colour.B)<<8 | uint16(q.Colour.A),
	} {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	return b
}
