package java

import (
	"context"
	"time"

	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// How long a client may take to read what was written, and the last words.
const (
	writing = 20 * time.Second
	goodbye = time.Second
)

const silent = "Nothing was heard of you."

// run writes until the end, of which the client is told if it listens still.
func (o *outbox) run(ctx context.Context) {
	alive := time.NewTicker(o.player.server.config.Silence / 3)
	defer alive.Stop()
	for {
		if ctx.Err() != nil {
			o.end(closed)
		}
		more, err := o.flush(ctx)
		switch {
		case err != nil && ctx.Err() != nil && !o.ended():
			continue // what failed was a read of a world that closes
		case err != nil:
			return
		case more:
			continue
		}
		select {
		case <-ctx.Done():
		case <-o.wake:
		case <-alive.C:
			o.ask(time.Now())
		}
	}
}

// flush writes what is there, then some chunks. More reports that there is work
// left.
func (o *outbox) flush(ctx context.Context) (more bool, err error) {
	o.mu.Lock()
	items, over, last := o.items, o.over, o.last
	o.items, o.size = nil, 0
	o.mu.Unlock()
	p := o.player
	patience := writing
	if over {
		patience = goodbye
	}
	_ = p.conn.SetWriteDeadline(time.Now().Add(patience))
	if ctx.Err() != nil { // by now, whoever shortens all deadlines may have been before this one
		_ = p.conn.SetWriteDeadline(time.Now().Add(goodbye))
	}
	if over {
		if last != "" {
			_ = p.wire.Write(wire.NewPacket(p.server.table.ToClient("play", "kick_disconnect")).String(plain(last)))
		}
		return false, errOver
	}
	if err := o.write(items); err != nil {
		return false, err
	}
	return o.chunks(ctx)
}

// write writes items in their order. Changes that follow each other go together.
func (o *outbox) write(items []item) error {
	var changes []host.Change
	for _, i := range items {
		if i.packet == nil {
			changes = append(changes, i.change)
			continue
		}
		if err := o.blocks(changes); err != nil {
			return err
		}
		changes = changes[:0]
		if err := o.player.wire.Write(i.packet); err != nil {
			return err
		}
	}
	return o.blocks(changes)
}

// ask asks the client for a sign of life, unless one is due still; one that has
// been due for too long is the end.
func (o *outbox) ask(now time.Time) {
	o.with(func() {
		switch {
		case o.asked == 0:
			o.asked, o.askedAt = now.UnixNano()|1, now
			packet := wire.NewPacket(o.player.server.table.ToClient("play", "keep_alive")).Long(o.asked)
			o.add(item{packet: packet}, packetCost)
		case now.Sub(o.askedAt) >= o.player.server.config.Silence:
			o.stop(silent)
		}
	})
}

// alive notes that the client answered. Another answer than the one due counts
// for nothing.
func (o *outbox) alive(answer int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if answer == o.asked {
		o.asked = 0
	}
}
