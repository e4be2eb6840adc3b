package java

import (
	"context"
	"errors"
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
		case errors.Is(err, context.Canceled):
			continue // a chunk is not read any more; the last words are due
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
	items, over, last := o.take(ctx)
	p := o.player
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

// take takes all items out, and sets how long the client may take to read them.
func (o *outbox) take(ctx context.Context) (items []item, over bool, last string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	items, o.items, o.size = o.items, nil, 0
	conn := o.player.conn
	if !o.over {
		_ = conn.SetWriteDeadline(time.Now().Add(writing))
	}
	if ctx.Err() != nil { // whoever shortened the deadline then may have been before this one
		_ = conn.SetWriteDeadline(time.Now().Add(goodbye))
	}
	return items, o.over, o.last
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
