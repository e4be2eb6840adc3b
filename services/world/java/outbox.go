package java

import (
	"sync"
	"time"

	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// backlog bounds, in bytes, what waits for a client to read: 65,536 changes of
// blocks, or as many bytes of packets.
const backlog = 8 << 20

// What an item counts beside the bytes of its packet.
const (
	changeCost = 128
	packetCost = 64
)

const tooSlow = "You read too slowly."

// leastView is the nearest that a client can be shown, in chunks.
const leastView = 2

// outbox is what is on its way to a client. Anybody may put something in; the
// goroutine of run alone takes it out and writes.
type outbox struct {
	player *player
	wake   chan struct{} // has a place for one

	mu    sync.Mutex
	over  bool
	last  string // what the client is told at the end
	items []item // in the order in which they are written
	size  int    // of the items, as backlog counts

	view    int           // in chunks
	middle  host.ChunkPos // of what the client sees
	batches int           // of chunks that the client has not confirmed
	asked   int64         // what has to come back to show that the client is there; 0 for nothing
	askedAt time.Time

	// known are the chunks that the client has or is about to get, with the
	// revision that each was sent at; 0 while that is not known.
	known map[host.ChunkPos]uint64
}

// item is a packet, or a block that changed where packet is nil.
type item struct {
	packet *wire.Packet
	change host.Change
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

// add puts an item in, with the lock held. A client that does not read is sent
// away, and for one that is sent away nothing more is kept.
func (o *outbox) add(i item, cost int) {
	if o.over {
		return
	}
	if o.size += cost; o.size > backlog {
		o.stop(tooSlow)
		return
	}
	o.items = append(o.items, i)
}

// stop ends the outbox; the lock is held. What is being written gets a last
// moment.
func (o *outbox) stop(why string) {
	if !o.over {
		o.over, o.last = true, why
		o.items, o.size = nil, 0
		_ = o.player.conn.SetWriteDeadline(time.Now().Add(goodbye))
	}
}

// end has the client told why and the connection closed.
func (o *outbox) end(why string) { o.with(func() { o.stop(why) }) }

func (o *outbox) ended() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.over
}

// send puts a packet in. Nobody changes it any more.
func (o *outbox) send(p *wire.Packet) {
	o.with(func() { o.add(item{packet: p}, packetCost+len(*p)) })
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
				o.add(item{change: c}, changeCost)
			}
		}
	})
}

// see sets how far the client wants to see.
func (o *outbox) see(chunks int) {
	o.with(func() { o.view = min(max(chunks, leastView), o.player.server.config.View) })
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

// received notes that the client has dealt with a batch of chunks.
func (o *outbox) received() { o.with(func() { o.batches = max(0, o.batches-1) }) }
