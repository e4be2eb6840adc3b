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
		o.known[c] = column.revision
		o.mu.Unlock()
	}
	return true, p.wire.Write(wire.NewPacket(t.ToClient("play", "chunk_batch_finished")).Int(int32(len(missing))))
}

// look finds what is too much and what is missing. What it names missing counts
// as known from here on: changes from now on are kept for the client. Those among
// them that the chunk has already, as it is read after this, are left out by its
// revision when their turn comes.
func (o *outbox) look() (gone, missing []host.ChunkPos, middle host.ChunkPos) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for c := range o.known {
		if distance(c, o.middle) > o.view+1 {
			gone = append(gone, c)
			delete(o.known, c)
		}
	}
	order := func(a, b host.ChunkPos) int {
		return cmp.Or(cmp.Compare(distance(a, o.middle), distance(b, o.middle)), cmp.Compare(a.Z, b.Z), cmp.Compare(a.X, b.X))
	}
	slices.SortFunc(gone, order)
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
	slices.SortFunc(missing, order)
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
