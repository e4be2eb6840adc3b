package java

import (
	"github.com/pharos-mcp/pharos/services/world/host/serial"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// The bits and numbers of the packets below.
const (
	creative = 1
	noMode   = 0xff // of an earlier game mode

	mayNotBeHurt = 0x01
	mayFly       = 0x04
	breaksAtOnce = 0x08

	listAdd  = 0x01
	listMode = 0x04
	listShow = 0x08

	noon = 6000
)

const dimension = "minecraft:overworld"

// welcome puts in all that a client has to know of the world before its chunks.
func (s *Server) welcome(p *player) {
	t := s.table
	join := wire.NewPacket(t.ToClient("play", "login")).Fixed(p.entity)
	join.Bool(false)              // hardcore
	join.Int(1).String(dimension) // all that there are
	join.Int(int32(s.config.Players)).Int(int32(s.config.View)).Int(int32(s.config.View))
	join.Bool(false).Bool(true).Bool(false) // all may be shown; a screen at a death; all recipes
	join.String(dimension).String(dimension).Long(0)
	join.Byte(creative).Byte(noMode)
	join.Bool(false).Bool(true) // no world of debugging, but a flat one
	join.Bool(false).Int(0)     // no place of a death, no portal
	p.outbox.send(join)
	abilities := wire.NewPacket(t.ToClient("play", "abilities")).Byte(mayNotBeHurt | mayFly | breaksAtOnce)
	p.outbox.send(abilities.Float(0.05).Float(0.1)) // how fast it flies, and how wide it sees then
	if s.options.Ask != nil {
		p.outbox.send(s.commands())
	}
	p.outbox.send(wire.NewPacket(t.ToClient("play", "update_health")).Float(20).Int(20).Float(5))
	feet := p.at().feet
	p.outbox.send(wire.NewPacket(t.ToClient("play", "spawn_position")).Position(serial.Floor(feet)).Float(0))
	p.outbox.send(wire.NewPacket(t.ToClient("play", "update_time")).Long(noon).Long(-noon)) // negative: it stays
	p.awaited = 1
	put := wire.NewPacket(t.ToClient("play", "position")).Double(feet[0]).Double(feet[1]).Double(feet[2])
	p.outbox.send(put.Float(0).Float(0).Byte(0).Int(p.awaited))
}

// commands tells a client which there are: /ai with any words.
func (s *Server) commands() *wire.Packet {
	const literal, argument, runs, text, toTheEnd = 1, 2, 4, 5, 2
	p := wire.NewPacket(s.table.ToClient("play", "declare_commands")).Int(3)
	p.Byte(0).Int(1).Int(1)                                                // the root, with one child
	p.Byte(literal | runs).Int(1).Int(2).String("ai")                      // "ai" alone runs, too
	p.Byte(argument | runs).Int(0).String("words").Int(text).Int(toTheEnd) // of the line
	return p.Int(0)
}

// listed puts a player in a client's list: added, in creative mode, shown.
func (s *Server) listed(p *player) *wire.Packet {
	packet := wire.NewPacket(s.table.ToClient("play", "player_info")).Byte(listAdd | listMode | listShow).Int(1)
	return packet.UUID(p.id).String(p.name).Int(0).Int(creative).Bool(true)
}

// spawned shows a player's figure.
func (s *Server) spawned(p *player) *wire.Packet {
	t := p.at()
	packet := wire.NewPacket(s.table.ToClient("play", "spawn_entity")).Int(p.entity).UUID(p.id).Int(s.table.Player)
	packet.Double(t.feet[0]).Double(t.feet[1]).Double(t.feet[2]).Angle(t.pitch).Angle(t.yaw).Angle(t.yaw)
	return packet.Int(0).Short(0).Short(0).Short(0)
}
