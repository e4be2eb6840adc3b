package java

import (
	"context"
	"time"

	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// enter tells a player of the world, and everybody of the player.
func (s *Server) enter(p *player) {
	t := s.table
	creative := byte(1)
	join := wire.NewPacket(t.ToClient("play", "login")).Fixed(p.entity).Bool(false).Int(1).String("minecraft:overworld")
	join.Int(int32(s.config.Players)).Int(int32(s.config.View)).Int(int32(s.config.View)).Bool(false).Bool(true).Bool(false)
	join.String("minecraft:overworld").String("minecraft:overworld").Long(0).Byte(creative).Byte(0xff).Bool(false).Bool(true)
	join.Bool(false).Int(0)
	p.outbox.send(join)
	p.outbox.send(wire.NewPacket(t.ToClient("play", "abilities")).Byte(0x01 | 0x04 | 0x08).Float(0.05).Float(0.1))
	p.outbox.send(commands(t.ToClient("play", "declare_commands")))
	p.outbox.send(wire.NewPacket(t.ToClient("play", "update_health")).Float(20).Int(20).Float(5))
	where := p.at()
	p.outbox.send(wire.NewPacket(t.ToClient("play", "spawn_position")).Position(floor(where.feet)).Float(0))
	p.outbox.send(wire.NewPacket(t.ToClient("play", "update_time")).Long(6000).Long(-6000)) // noon, and it stays
	p.awaited = 1
	put := wire.NewPacket(t.ToClient("play", "position"))
	put.Double(where.feet[0]).Double(where.feet[1]).Double(where.feet[2]).Float(0).Float(0).Byte(0).Int(p.awaited)
	p.outbox.send(put)
	for _, other := range s.all() {
		p.outbox.send(s.listed(other))
		if other != p {
			other.outbox.send(s.listed(p))
			other.outbox.send(s.spawned(p))
			other.outbox.say(p.name + " came in.")
			p.outbox.send(s.spawned(other))
		}
	}
}

// leave tells everybody that a player is gone.
func (s *Server) leave(p *player) {
	s.drop(p)
	s.mu.Lock()
	again := s.players[p.id] != nil // under the same name, from elsewhere
	s.mu.Unlock()
	if !again {
		s.world.Quit(p.id)
	}
	for _, other := range s.all() {
		if other == p || other.id == p.id {
			continue
		}
		other.outbox.send(wire.NewPacket(s.table.ToClient("play", "entity_destroy")).Int(1).Int(p.entity))
		if !again {
			other.outbox.send(wire.NewPacket(s.table.ToClient("play", "player_remove")).Int(1).UUID(p.id))
			other.outbox.say(p.name + " left.")
		}
	}
}

// listed puts a player in a client's list: added, in creative mode, shown.
func (s *Server) listed(p *player) *wire.Packet {
	const add, mode, list = 0x01, 0x04, 0x08
	packet := wire.NewPacket(s.table.ToClient("play", "player_info")).Byte(add | mode | list).Int(1)
	return packet.UUID(p.id).String(p.name).Int(0).Int(1).Int(1)
}

// spawned shows a player's figure.
func (s *Server) spawned(p *player) *wire.Packet {
	t := p.at()
	packet := wire.NewPacket(s.table.ToClient("play", "spawn_entity")).Int(p.entity).UUID(p.id).Int(s.table.Player)
	packet.Double(t.feet[0]).Double(t.feet[1]).Double(t.feet[2]).Angle(t.pitch).Angle(t.yaw).Angle(t.yaw)
	return packet.Int(0).Short(0).Short(0).Short(0)
}

// tick tells the players of each other's ways, twenty times a second.
func (s *Server) tick(ctx context.Context) {
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		players := s.all()
		for _, p := range players {
			p.mu.Lock()
			now, moved := p.stand, p.stand != p.shown
			p.shown = p.stand
			p.mu.Unlock()
			if !moved {
				continue
			}
			there := wire.NewPacket(s.table.ToClient("play", "entity_teleport")).Int(p.entity)
			there.Double(now.feet[0]).Double(now.feet[1]).Double(now.feet[2]).Angle(now.yaw).Angle(now.pitch).Bool(now.ground)
			head := wire.NewPacket(s.table.ToClient("play", "entity_head_rotation")).Int(p.entity).Angle(now.yaw)
			for _, other := range players {
				if other != p {
					other.outbox.send(there)
					other.outbox.send(head)
				}
			}
		}
	}
}

// commands tells a client which there are: /ai with any words.
func commands(number int32) *wire.Packet {
	const literal, argument, runs = 1, 2, 4
	p := wire.NewPacket(number).Int(3)
	p.Byte(0).Int(1).Int(1)                                      // the root, with one child
	p.Byte(literal | runs).Int(1).Int(2).String("ai")            // "ai" alone runs, too
	p.Byte(argument | runs).Int(0).String("words").Int(5).Int(2) // a text to the end of the line
	return p.Int(0)
}

// OnBlocks implements host.Observer.
func (s *Server) OnBlocks(changes []host.Change) {
	for _, p := range s.all() {
		p.outbox.changed(changes)
	}
}

// OnChat implements host.Observer. What is said is shown where it is said.
func (s *Server) OnChat(host.Player, string) {}

// OnJoin implements host.Observer.
func (s *Server) OnJoin(host.Player) {}

// OnQuit implements host.Observer.
func (s *Server) OnQuit(host.Player) {}
