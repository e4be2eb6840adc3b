package memory

import (
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/serial"
)

// store is what differs from the world as it is made.
type store struct {
	config   Config
	set      map[geom.Pos]string
	occupied map[geom.Pos]string // block entities
	entities []host.Foreign
}

// Load implements serial.Store.
func (s *store) Load(box geom.Box) (serial.Area, error) {
	var missing []host.ChunkPos
	for _, c := range host.ChunksOf(box) {
		if !s.config.Exists(c) {
			missing = append(missing, c)
		}
	}
	if missing != nil {
		return nil, &host.NotGenerated{Chunks: missing}
	}
	return s, nil
}

// At implements serial.Area.
func (s *store) At(p geom.Pos) string {
	if state, ok := s.set[p]; ok {
		return state
	}
	return s.config.State(p)
}

// Occupied implements serial.Area.
func (s *store) Occupied(p geom.Pos) string { return s.occupied[p] }

// Set implements serial.Area.
func (s *store) Set(p geom.Pos, state string) error {
	if state == s.config.State(p) {
		delete(s.set, p)
	} else {
		s.set[p] = state
	}
	return nil
}

// Keep implements serial.Area: nothing else is to be done.
func (s *store) Keep([]host.Change) {}
