package java

import (
	"context"
	"errors"
	"math"
	"net"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// player is somebody in the world. The reading goroutine owns what has no lock
// about it; the writing one has the connection's other half.
type player struct {
	server *Server
	name   string
	id     uuid.UUID
	entity int32
	conn   net.Conn
	wire   *wire.Conn
	outbox *outbox

	awaited int32 // the teleport that the client has to confirm; 0 for none
	held    int   // place in the hotbar: 0 to 8
	hotbar  [9]string
	second  int32 // of an item in the other hand: unused by what is placed

	mu    sync.Mutex // of all below
	since time.Time
	stand stand
	shown stand // as the others were told last
}

// stand is where a player is and looks.
type stand struct {
	feet       [3]float64
	yaw, pitch float32
	ground     bool
}

var (
	errFull      = errors.New("The world is full.")
	errElsewhere = "You came in from another place."
)

// admit gives a name its place. Who is in already under that name leaves.
func (s *Server) admit(name string, v *visit) (*player, error) {
	p := &player{
		server: s, name: name, id: PlayerID(name), entity: s.entities.Add(1), conn: v.conn, wire: v.wire,
		since: time.Now(), stand: stand{feet: s.spawn},
	}
	p.outbox = newOutbox(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.players[p.id]
	if old == nil && len(s.players) >= s.config.Players {
		return nil, errFull
	}
	if old != nil {
		old.outbox.end(errElsewhere)
	}
	s.players[p.id] = p
	return p, nil
}

// drop takes a player away who has the place of the name still.
func (s *Server) drop(p *player) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.players[p.id] == p {
		delete(s.players, p.id)
	}
}

// live is a player's time in the world.
func (p *player) live(ctx context.Context) {
	s := p.server
	defer s.drop(p)
	if err := s.world.Join(p.player(), func(text string) error { p.outbox.say(text); return nil }); err != nil {
		return
	}
	s.log.Info("minecraft: in", "name", p.name, "player", p.id)
	var writing sync.WaitGroup
	writing.Go(func() {
		p.outbox.run(ctx)
		_ = p.conn.SetReadDeadline(time.Unix(1, 0)) // the reader ends with the writer
	})
	s.enter(p)
	err := p.read(ctx)
	p.outbox.end("")
	writing.Wait()
	s.leave(p)
	s.log.Info("minecraft: out", "name", p.name, "player", p.id, "why", err)
}

// read handles what the client sends, until it ends.
func (p *player) read(ctx context.Context) error {
	for {
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
	p.mu.Lock()
	defer p.mu.Unlock()
	return host.Player{
		ID: p.id, Name: p.name, Feet: p.stand.feet, Yaw: p.stand.yaw, Pitch: p.stand.pitch, Since: p.since,
	}
}

// at is where a player stands now.
func (p *player) at() stand {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stand
}

// chunk is the chunk that a player stands in.
func (t stand) chunk() host.ChunkPos {
	return host.ChunkPos{X: int32(math.Floor(t.feet[0] / 16)), Z: int32(math.Floor(t.feet[2] / 16))}
}
