package java

import (
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// cube is the place of 16×16×16 positions.
type cube struct{ x, y, z int32 }

// blocks sends changes that are newer than the chunks that the client has, those
// of a cube together, in their order.
func (o *outbox) blocks(changes []host.Change) error {
	if len(changes) == 0 {
		return nil
	}
	var order []cube
	records := map[cube][]int64{}
	pack := o.player.server.world.Blocks()
	for _, c := range o.news(changes) {
		id, known := pack.ID(c.After)
		if !known {
			continue // the host sets nothing else
		}
		at := cube{c.X >> 4, c.Y >> 4, c.Z >> 4}
		if records[at] == nil {
			order = append(order, at)
		}
		records[at] = append(records[at], int64(id)<<12|int64(c.X&15)<<8|int64(c.Z&15)<<4|int64(c.Y&15))
	}
	p := o.player
	for _, at := range order {
		packet := wire.NewPacket(p.server.table.ToClient("play", "multi_block_change"))
		packet.Long(int64(at.x)<<42 | int64(at.z)&0x3fffff<<20 | int64(at.y)&0xfffff).Int(int32(len(records[at])))
		for _, r := range records[at] {
			packet.Varlong(r)
		}
		if err := p.wire.Write(packet); err != nil {
			return err
		}
	}
	return nil
}

// news are those changes that the chunks of the client do not have.
func (o *outbox) news(changes []host.Change) []host.Change {
	o.mu.Lock()
	defer o.mu.Unlock()
	news := changes[:0]
	for _, c := range changes {
		sent, ok := o.known[host.ChunkPos{X: c.X >> 4, Z: c.Z >> 4}]
		if ok && c.Revision > sent {
			news = append(news, c)
		}
	}
	return news
}
