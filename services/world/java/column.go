package java

import (
	"context"
	"encoding/binary"
	"errors"
	"math/bits"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
	"github.com/pharos-mcp/pharos/services/world/nbt"
)

// column is a chunk as a client gets it.
type column struct {
	packet   *wire.Packet
	revision uint64
}

// column reads a chunk. One that is not there, or cannot be used, is shown empty.
func (s *Server) column(ctx context.Context, at host.ChunkPos) (column, error) {
	c, err := s.world.Column(ctx, at)
	if err != nil {
		absent, unusable := new(host.NotGenerated), new(host.Unreadable)
		if !errors.As(err, &absent) && !errors.As(err, &unusable) {
			return column{}, err
		}
		info := s.world.Info()
		c = &host.Column{Pos: at, MinY: info.MinY, Sections: make([]host.Section, (info.MaxY-info.MinY+1)/16)}
	}
	packet := wire.NewPacket(s.table.ToClient("play", "map_chunk")).Fixed(at.X).Fixed(at.Z)
	packet.Raw(heightmaps(c))
	data := new(wire.Packet)
	for i := range c.Sections {
		section(data, &c.Sections[i], s.world.Blocks())
		data.Byte(0).Int(s.table.Plains).Int(0) // one biome
	}
	packet.Int(int32(len(*data))).Raw(*data)
	packet.Int(0) // block entities
	packet.Raw(daylight(len(c.Sections)))
	return column{packet, c.Revision}, nil
}

// section adds the blocks of 16×16×16 positions: how many are not air, and a
// palette with places in it.
func section(p *wire.Packet, s *host.Section, pack *blocks.Pack) {
	palette, solid := numbers(s, pack)
	p.Short(int16(solid))
	if s.Cells == nil {
		p.Byte(0).Int(palette[0]).Int(0)
		return
	}
	width := max(4, bits.Len(uint(len(palette)-1)))
	direct := width > 8
	if direct {
		width = bits.Len(uint(pack.Count() - 1))
		p.Byte(byte(width))
	} else {
		p.Byte(byte(width)).Int(int32(len(palette)))
		for _, id := range palette {
			p.Int(id)
		}
	}
	each := 64 / width // numbers do not reach over from one long to the next
	p.Int(int32((4096 + each - 1) / each))
	var long uint64
	for i, cell := range s.Cells {
		v := uint64(cell)
		if direct {
			v = uint64(palette[cell])
		}
		long |= v << (i % each * width)
		if i%each == each-1 || i == 4095 {
			p.Long(int64(long))
			long = 0
		}
	}
}

// numbers are the game's numbers of a section's palette, and how many positions
// are not air. What has no number is shown as air.
func numbers(s *host.Section, pack *blocks.Pack) (palette []int32, solid int) {
	palette = make([]int32, max(1, len(s.Palette)))
	air := make([]bool, len(palette))
	air[0] = len(s.Palette) == 0
	for i, state := range s.Palette {
		palette[i], _ = pack.ID(state)
		air[i] = host.IsAir(state)
	}
	if s.Cells == nil {
		if !air[0] {
			solid = 4096
		}
		return palette, solid
	}
	for _, cell := range s.Cells {
		if !air[cell] {
			solid++
		}
	}
	return palette, solid
}

// heightmaps is the one map of heights that clients use, with 9 bits a column.
func heightmaps(c *host.Column) []byte {
	var longs nbt.LongArray
	var long uint64
	for i, height := range c.Heights() {
		long |= uint64(height-c.MinY+1) << (i % 7 * 9)
		if i%7 == 6 || i == 255 {
			longs = append(longs, int64(long))
			long = 0
		}
	}
	root := new(nbt.Compound)
	root.Set("MOTION_BLOCKING", longs)
	file := nbt.Encode("", root)
	return append([]byte{file[0]}, file[3:]...) // on the wire the root has no name
}

// daylight lights all of a chunk: nothing is dark in a world without a night.
func daylight(sections int) []byte {
	n := sections + 2 // one below and one above
	all := int64(1)<<n - 1
	p := new(wire.Packet)
	p.Int(1).Long(all).Int(1).Long(0).Int(1).Long(0).Int(1).Long(all)
	p.Int(int32(n))
	for range n {
		p.Int(2048).Raw(bright[:])
	}
	p.Int(0)
	return *p
}

var bright = func() (full [2048]byte) {
	for i := 0; i < len(full); i += 8 {
		binary.BigEndian.PutUint64(full[i:], ^uint64(0))
	}
	return full
}()
