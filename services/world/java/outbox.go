package java

import (
	"context"
	"sync"
	"time"

	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// backlog bounds what waits for a client to read: changes of blocks, and packets.
const backlog = 1 << 16

// writing is how long a client may take to read what was written.
const writing = 20 * time.Second

// outbox is what is on its way to a client. Anybody may put something in; run
// alone takes it out and writes.
type outbox struct {
	player *player
	wake   chan struct{} // has a place for one

	mu      sync.Mutex
	over    bool
	last    string // what the client is told at the end
	packets []*wire.Packet
	changes []host.Change
	view    int           // in chunks
	middle  host.ChunkPos // of what the client sees
	batches int           // of chunks that the client has not confirmed
	asked   int64         // what has to come back to show that the client is there; 0 for nothing
	talked  []time.Time
	// known are the chunks that the client has or is about to get, with the
	// revision that each was sent at; 0 while that is not known.
	known map[host.ChunkPos]uint64
}

func newOutbox(p *player) *outbox {
	return &outbox{
		player: p, wake: make(chan struct{}, 1), view: p.server.config.View, known: map[host.ChunkPos]uint64{},
		middle: p.stand.chunk(),
	}
}

func (o *outbox) ring() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// with calls f with the lock held, and wakes the writer.
func (o *outbox) with(f func()) {
	o.mu.Lock()
	f()
	o.mu.Unlock()
	o.ring()
}

// send puts a packet in. A client that does not read is sent away.
func (o *outbox) send(p *wire.Packet) {
	o.with(func() {
		if o.packets = append(o.packets, p); len(o.packets) > backlog {
			o.stop("You read too slowly.")
		}
	})
}

// stop ends the outbox; the lock is held.
func (o *outbox) stop(why string) {
	if !o.over {
		o.over, o.last = true, why
	}
}

// end has the client told why and the connection closed.
func (o *outbox) end(why string) { o.with(func() { o.stop(why) }) }

func (o *outbox) ended() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.over
}

// say shows the client a text.
func (o *outbox) say(text string) {
	o.send(wire.NewPacket(o.player.server.table.ToClient("play", "system_chat")).String(plain(text)).Bool(false))
}

// changed puts in what changed in chunks that the client knows.
func (o *outbox) changed(changes []host.Change) {
	o.with(func() {
		for _, c := range changes {
			if _, ok := o.known[host.ChunkPos{X: c.X >> 4, Z: c.Z >> 4}]; ok {
				o.changes = append(o.changes, c)
			}
		}
		if len(o.changes) > backlog {
			o.stop("You read too slowly.")
		}
	})
}

// see sets how far the client wants to see.
func (o *outbox) see(chunks int) {
	o.with(func() { o.view = min(max(chunks, 2), o.player.server.config.View) })
}

// moved sets what the client sees.
func (o *outbox) moved(middle host.ChunkPos) {
	o.mu.Lock()
	same := o.middle == middle
	o.middle = middle
	o.mu.Unlock()
	if !same {
		o.ring()
	}
}

func (o *outbox) received() { o.with(func() { o.batches = max(0, o.batches-1) }) }

// alive notes that the client answered.
func (o *outbox) alive(answer int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if answer == o.asked {
		o.asked = 0
	}
}

// mayTalk bounds what is said: 4 messages a second.
func (o *outbox) mayTalk() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := time.Now()
	if len(o.talked) >= 4 && now.Sub(o.talked[len(o.talked)-4]) < time.Second {
		return false
	}
	o.talked = append(o.talked, now)
	if len(o.talked) > 4 {
		o.talked = o.talked[1:]
	}
	return true
}

// run writes until the end.
func (o *outbox) run(ctx context.Context) {
	alive := time.NewTicker(o.player.server.config.Silence / 3)
	defer alive.Stop()
	for {
		more, err := o.flush(ctx)
		if err != nil {
			return
		}
		if more {
			continue
		}
		select {
		case <-ctx.Done():
			o.end("The world closes.")
			_, _ = o.flush(context.WithoutCancel(ctx))
			return
		case <-o.wake:
		case <-alive.C:
			o.ask()
		}
	}
}

// ask asks the client for a sign of life, or ends if the last was not answered.
func (o *outbox) ask() {
	o.with(func() {
		if o.asked != 0 {
			o.stop("Nothing was heard of you.")
			return
		}
		o.asked = time.Now().UnixNano() | 1
		o.packets = append(o.packets, wire.NewPacket(o.player.server.table.ToClient("play", "keep_alive")).Long(o.asked))
	})
}

// flush writes what is there, then some chunks. More reports that there is work
// left. At the end the client is told why.
func (o *outbox) flush(ctx context.Context) (more bool, err error) {
	p := o.player
	_ = p.conn.SetWriteDeadline(time.Now().Add(writing))
	o.mu.Lock()
	packets, changes, over, last := o.packets, o.changes, o.over, o.last
	o.packets, o.changes = nil, nil
	o.mu.Unlock()
	if over {
		if last != "" {
			_ = p.wire.Write(wire.NewPacket(p.server.table.ToClient("play", "kick_disconnect")).String(plain(last)))
		}
		return false, errOver
	}
	for _, packet := range packets {
		if err := p.wire.Write(packet); err != nil {
			return false, err
		}
	}
	if err := o.blocks(changes); err != nil {
		return false, err
	}
	return o.chunks(ctx)
}
