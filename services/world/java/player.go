package java

import (
	"context"
	"errors"
	"math"
	"net"
	"os"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// player is somebody in the world, or on the way into it. The goroutine that
// reads owns what has no lock about it; the one that writes has the connection's
// other half.
type player struct {
	server *Server
	name   string
	id     uuid.UUID
	entity int32
	since  time.Time
	conn   net.Conn
	wire   *wire.Conn
	outbox *outbox

	awaited int32 // the teleport that the client has to confirm; 0 for none
	held    int   // place in the hotbar: 0 to 8
	hotbar  [9]string
	pace    pace

	mu    sync.Mutex // of all below
	stand stand
	shown stand // as the others were told last
}

// newPlayer is the player of a visit.
func newPlayer(v *visit, name string, feet [3]float64) *player {
	s := v.server
	p := &player{
		server: s, name: name, id: PlayerID(name), entity: s.entities.Add(1), since: time.Now(), conn: v.conn, wire: v.wire,
		stand: stand{feet: feet},
	}
	p.shown = p.stand
	p.outbox = newOutbox(p)
	return p
}

// live is a player's time in the world.
func (p *player) live(ctx context.Context) {
	s := p.server
	defer s.leave(p)
	s.enter(p) // before the writer starts: the first packet of play has to be the first
	var writing sync.WaitGroup
	writing.Go(func() {
		p.outbox.run(ctx)
		p.outbox.end("")
		_ = p.conn.SetReadDeadline(time.Unix(1, 0)) // the reader ends with the writer
	})
	err := p.read(ctx)
	switch {
	case ctx.Err() != nil:
		p.outbox.end(closed)
	case errors.Is(err, os.ErrDeadlineExceeded):
		p.outbox.end(silent)
	default:
		p.outbox.end("") // the client left
	}
	writing.Wait()
	s.log.Info("minecraft: out", "name", p.name, "player", p.id, "why", err)
}

// read handles what the client sends, until it ends.
func (p *player) read(ctx context.Context) error {
	for {
		// Whoever wants the reader to end says so before moving the deadline, so
		// either that is seen here, or their deadline comes after this one.
		_ = p.conn.SetReadDeadline(time.Now().Add(p.server.config.Silence))
		if p.outbox.ended() || ctx.Err() != nil {
			return errOver
		}
		number, r, err := p.wire.Read()
		if err != nil {
			return err
		}
		if err := p.take(ctx, p.server.table.FromClient("play", number), r); err != nil {
			p.outbox.end("The client sent what cannot be read: " + err.Error() + ".")
			return err
		}
	}
}

// player is what the host knows of a player.
func (p *player) player() host.Player {
	t := p.at()
	return host.Player{ID: p.id, Name: p.name, Feet: t.feet, Yaw: t.yaw, Pitch: t.pitch, Since: p.since}
}

// at is where a player stands now.
func (p *player) at() stand {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stand
}

// stand is where a player is and looks.
type stand struct {
	feet       [3]float64
	yaw, pitch float32
	ground     bool
}

// chunk is the chunk that a player stands in.
func (t stand) chunk() host.ChunkPos {
	return host.ChunkPos{X: int32(math.Floor(t.feet[0] / 16)), Z: int32(math.Floor(t.feet[2] / 16))}
}

// eye is from where a player looks and reaches.
func (t stand) eye() [3]float64 { return [3]float64{t.feet[0], t.feet[1] + 1.62, t.feet[2]} }
