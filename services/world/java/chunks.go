package java

import (
	"cmp"
	"context"
	"slices"

	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// batch is how many chunks are sent at once, and unconfirmed how many batches a
// client may have to confirm still.
const (
	batch       = 8
	unconfirmed = 4
)

// chunks sends some that the client should see and does not have, the nearest
// first, and takes back those that are too far.
func (o *outbox) chunks(ctx context.Context) (more bool, err error) {
	gone, missing, middle := o.look()
	p := o.player
	t := p.server.table
	for _, c := range gone {
		if err := p.wire.Write(wire.NewPacket(t.ToClient("play", "unload_chunk")).Fixed(c.Z).Fixed(c.X)); err != nil {
			return false, err
		}
	}
	if len(missing) == 0 {
		return false, nil
	}
	center := wire.NewPacket(t.ToClient("play", "update_view_position")).Int(middle.X).Int(middle.Z)
	if err := p.wire.Write(center); err != nil {
		return false, err
	}
	if err := p.wire.Write(wire.NewPacket(t.ToClient("play", "chunk_batch_start"))); err != nil {
		return false, err
	}
	for _, c := range missing {
		column, err := p.server.column(ctx, c)
		if err != nil {
			return false, err
		}
		if err := p.wire.Write(column.packet); err != nil {
			return false, err
		}
		o.mu.Lock()
		if _, ok := o.known[c]; ok {
			o.known[c] = column.revision
		}
		o.mu.Unlock()
	}
	return true, p.wire.Write(wire.NewPacket(t.ToClient("play", "chunk_batch_finished")).Int(int32(len(missing))))
}

// look finds what is too much and what is missing. What it names missing counts
// as known from here on: changes from now on are kept for the client.
func (o *outbox) look() (gone, missing []host.ChunkPos, middle host.ChunkPos) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for c := range o.known {
		if distance(c, o.middle) > o.view+1 {
			gone = append(gone, c)
			delete(o.known, c)
		}
	}
	if o.batches >= unconfirmed {
		return gone, nil, o.middle
	}
	for x := o.middle.X - int32(o.view); x <= o.middle.X+int32(o.view); x++ {
		for z := o.middle.Z - int32(o.view); z <= o.middle.Z+int32(o.view); z++ {
			c := host.ChunkPos{X: x, Z: z}
			if _, ok := o.known[c]; !ok {
				missing = append(missing, c)
			}
		}
	}
	slices.SortFunc(missing, func(a, b host.ChunkPos) int {
		return cmp.Or(cmp.Compare(distance(a, o.middle), distance(b, o.middle)), cmp.Compare(a.Z, b.Z), cmp.Compare(a.X, b.X))
	})
	missing = missing[:min(batch, len(missing))]
	for _, c := range missing {
		o.known[c] = 0
	}
	if len(missing) > 0 {
		o.batches++
	}
	return gone, missing, o.middle
}

func distance(a, b host.ChunkPos) int {
	return int(max(a.X-b.X, b.X-a.X, a.Z-b.Z, b.Z-a.Z))
}

// blocks sends changes that are newer than the chunks that the client has, those
// of a section together.
func (o *outbox) blocks(changes []host.Change) error {
	type section struct{ x, y, z int32 }
	var order []section
	records := map[section][]int64{}
	pack := o.player.server.world.Blocks()
	for _, c := range changes {
		o.mu.Lock()
		sent, ok := o.known[host.ChunkPos{X: c.X >> 4, Z: c.Z >> 4}]
		o.mu.Unlock()
		if !ok || c.Revision <= sent {
			continue
		}
		id, known := pack.ID(c.After)
		if !known {
			continue // the host sets nothing else
		}
		at := section{c.X >> 4, c.Y >> 4, c.Z >> 4}
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
