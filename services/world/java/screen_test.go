package java_test

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

const sectionsOfChunk = 24

// screen is what a client shows: the numbers of states.
type screen struct {
	chunks map[host.ChunkPos]*[sectionsOfChunk][4096]int32
	// shown are the single blocks that came, in order.
	shown []shown
}

type shown struct {
	geom.Pos
	ID int32
}

func newScreen() *screen { return &screen{chunks: map[host.ChunkPos]*[sectionsOfChunk][4096]int32{}} }

// at is the state at a position, -1 where the client has no chunk.
func (s *screen) at(p geom.Pos) int32 {
	c := s.chunks[host.ChunkPos{X: p.X >> 4, Z: p.Z >> 4}]
	if c == nil {
		return -1
	}
	return c[(p.Y+64)>>4][cellOf(p)]
}

func cellOf(p geom.Pos) int { return int(p.Y&15)<<8 | int(p.Z&15)<<4 | int(p.X&15) }

func (s *screen) set(p geom.Pos, id int32) error {
	c := s.chunks[host.ChunkPos{X: p.X >> 4, Z: p.Z >> 4}]
	if c == nil {
		return fmt.Errorf("%v changes in a chunk that the client does not have", p)
	}
	s.shown = append(s.shown, shown{p, id})
	if p.Y < -64 || p.Y > 319 {
		return nil
	}
	c[(p.Y+64)>>4][cellOf(p)] = id
	return nil
}

func fixed(r *wire.Reader) int32 {
	b := r.Bytes(4)
	if b == nil {
		return 0
	}
	return int32(binary.BigEndian.Uint32(b))
}

func (s *screen) show(name string, r *wire.Reader) error {
	switch name {
	case "map_chunk":
		return s.chunk(r)
	case "unload_chunk":
		z, x := fixed(r), fixed(r)
		delete(s.chunks, host.ChunkPos{X: x, Z: z})
		return r.End()
	case "block_change":
		p, id := r.Position(), r.Int()
		return errors.Join(s.set(p, id), r.End())
	default:
		return s.changes(r)
	}
}

func (s *screen) changes(r *wire.Reader) error {
	place := r.Long()
	base := geom.Pos{X: int32(place>>42) << 4, Y: int32(place<<44>>44) << 4, Z: int32(place<<22>>42) << 4}
	for range r.Count(4096*16, 1) {
		var record uint64
		for shift := 0; ; shift += 7 {
			b := r.Byte()
			record |= uint64(b&0x7f) << shift
			if b&0x80 == 0 || r.Err() != nil {
				break
			}
		}
		at := base.Add(geom.Pos{X: int32(record >> 8 & 15), Y: int32(record & 15), Z: int32(record >> 4 & 15)})
		if err := s.set(at, int32(record>>12)); err != nil {
			return err
		}
	}
	return r.End()
}

// chunk reads a whole chunk, to its last byte.
func (s *screen) chunk(r *wire.Reader) error {
	x, z := fixed(r), fixed(r)
	head := string(r.Bytes(2 + 2 + len("MOTION_BLOCKING")))
	if want := "\x0a\x0c\x00\x0fMOTION_BLOCKING"; head != want {
		return fmt.Errorf("heights begin with %q", head)
	}
	r.Bytes(8 * int(fixed(r)))
	if end := r.Byte(); end != 0 {
		return fmt.Errorf("heights end with %d", end)
	}
	data := wire.NewReader(r.Bytes(r.Count(1<<20, 1)))
	c := new([sectionsOfChunk][4096]int32)
	for i := range c {
		if err := section(data, &c[i]); err != nil {
			return fmt.Errorf("section %d: %w", i, err)
		}
		if width, _, longs := data.Byte(), data.Int(), data.Int(); width != 0 || longs != 0 {
			return fmt.Errorf("section %d has biomes of %d bits", i, width)
		}
	}
	if err := data.End(); err != nil {
		return err
	}
	if n := r.Int(); n != 0 {
		return fmt.Errorf("%d block entities", n)
	}
	for range 4 {
		r.Bytes(8 * r.Count(4, 8))
	}
	for range 2 {
		for range r.Count(26, 2048) {
			r.Bytes(r.Count(2048, 1))
		}
	}
	s.chunks[host.ChunkPos{X: x, Z: z}] = c
	return r.End()
}

func section(r *wire.Reader, cells *[4096]int32) error {
	solid := r.Short()
	width := int(r.Byte())
	if width == 0 {
		id := r.Int()
		for i := range cells {
			cells[i] = id
		}
		if n := r.Int(); n != 0 {
			return fmt.Errorf("%d longs of one state", n)
		}
		return r.Err()
	}
	var palette []int32
	if width <= 8 {
		for range r.Count(256, 1) {
			palette = append(palette, r.Int())
		}
	}
	each, at := 64/width, 0
	for range r.Count(4096, 8) {
		long := uint64(r.Long())
		for range min(each, 4096-at) {
			id := int32(long & (1<<width - 1))
			if palette != nil {
				if int(id) >= len(palette) {
					return fmt.Errorf("state %d of %d", id, len(palette))
				}
				id = palette[id]
			}
			cells[at] = id
			long >>= width
			at++
		}
	}
	if at != 4096 || solid < 0 || solid > 4096 {
		return fmt.Errorf("%d positions, %d of them solid", at, solid)
	}
	return r.Err()
}
