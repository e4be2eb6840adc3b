package java

import (
	"context"
	"time"

	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// tick tells the players of each other's ways, twenty times a second.
func (s *Server) tick(ctx context.Context) {
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			s.show(s.all())
		}
	}
}

// show tells players where those among them are who moved since.
func (s *Server) show(players []*player) {
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
