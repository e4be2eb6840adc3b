package java

import (
	"cmp"
	"context"
	"slices"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

const (
	elsewhere = "You came in from another place."
	closed    = "The world is closed."
	full      = "The world is full."
)

// spawn is on the ground in the middle of the column of 8, 8, or where a flat
// world's ground would be.
func (s *Server) spawn(ctx context.Context) [3]float64 {
	y := host.Surface
	column := geom.Pos{X: 8, Z: 8}
	heights, err := s.world.Heights(ctx, geom.Box{Min: column, Max: column})
	if err == nil && len(heights) == 1 && heights[0] >= s.world.Info().MinY {
		y = heights[0]
	}
	return [3]float64{8.5, float64(y + 1), 8.5}
}

// isFull reports whether there is no place for a player. Those who are on the way
// take none from others, and who comes in under a name that is in has its place.
func (s *Server) isFull(p *player) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inside[p.id] == nil && len(s.inside) >= s.config.Players
}

// all are the players who are in the world now, in the order in which they came.
func (s *Server) all() []*player {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*player, 0, len(s.inside))
	for _, p := range s.inside {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *player) int { return cmp.Compare(a.entity, b.entity) })
	return all
}

// enter tells a player of the world, and everybody of the player. Who is in under
// the same name leaves. Where it cannot be, the player's outbox ends.
func (s *Server) enter(p *player) {
	s.gate.Lock()
	defer s.gate.Unlock()
	if s.isFull(p) { // by now
		p.outbox.end(full)
		return
	}
	s.mu.Lock()
	old := s.inside[p.id]
	s.mu.Unlock()
	if old != nil {
		old.outbox.end(elsewhere)
		s.out(old)
	}
	s.welcome(p)
	if err := s.world.Join(p.player(), func(text string) error { p.outbox.say(text); return nil }); err != nil {
		p.outbox.end(closed)
		return
	}
	others := s.all()
	s.mu.Lock()
	s.inside[p.id] = p
	s.mu.Unlock()
	p.outbox.send(s.listed(p))
	for _, other := range others {
		p.outbox.send(s.listed(other))
		p.outbox.send(s.spawned(other))
		other.outbox.send(s.listed(p))
		other.outbox.send(s.spawned(p))
		other.outbox.say(p.name + " came in.")
	}
	s.log.Info("minecraft: in", "name", p.name, "player", p.id)
}

// leave ends a player's time in the world, if they came in and are in it still.
func (s *Server) leave(p *player) {
	s.gate.Lock()
	defer s.gate.Unlock()
	s.mu.Lock()
	inside := s.inside[p.id] == p
	s.mu.Unlock()
	if inside {
		s.out(p)
	}
}

// out takes a player out of the world and tells everybody. The gate is held.
func (s *Server) out(p *player) {
	s.mu.Lock()
	delete(s.inside, p.id)
	s.mu.Unlock()
	s.world.Quit(p.id)
	for _, other := range s.all() {
		other.outbox.send(wire.NewPacket(s.table.ToClient("play", "entity_destroy")).Int(1).Int(p.entity))
		other.outbox.send(wire.NewPacket(s.table.ToClient("play", "player_remove")).Int(1).UUID(p.id))
		other.outbox.say(p.name + " left.")
	}
}
