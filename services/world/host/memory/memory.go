// Package memory is a host without files: a world that lives as long as the
// process. Tests use it, and programs that embed the world. It knows only the
// positions that differ from how the world is made, so its size does not matter.
package memory

import (
	"context"
	"sync"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/serial"
)

// Config says how a world is made. The zero value, with a pack, is a flat world
// without an end.
type Config struct {
	Pack  *blocks.Pack
	World uuid.UUID // a new one where it is nil
	// State is what stands where nothing was set; host.Flat where it is nil. It
	// returns the same for the same position.
	State func(geom.Pos) string
	// Exists says which chunks exist; all do where it is nil.
	Exists func(host.ChunkPos) bool
}

// The height of the world, as in the game since 1.18.
const minY, maxY = -64, 319

// Host is a host in memory. Beside the methods of host.Host it has those by which
// the world outside is played.
type Host struct {
	*serial.World
	config Config
	mu     sync.Mutex // of what follows
	info   host.Info
	said   map[uuid.UUID][]string

	store *store // under the order of World
}

var _ host.Host = (*Host)(nil)

// New makes a world.
func New(c Config) *Host {
	if c.World == uuid.Nil {
		c.World = uuid.New()
	}
	if c.State == nil {
		c.State = func(p geom.Pos) string { return host.Flat(p.Y) }
	}
	if c.Exists == nil {
		c.Exists = func(host.ChunkPos) bool { return true }
	}
	h := &Host{config: c, said: map[uuid.UUID][]string{}}
	h.info = host.Info{World: c.World, Version: c.Pack.Version(), DataVersion: c.Pack.DataVersion(), MinY: minY, MaxY: maxY}
	h.store = &store{config: c, set: map[geom.Pos]string{}, occupied: map[geom.Pos]string{}}
	h.World = serial.New(h.store, c.Pack, minY, maxY, func() string { return h.Info().ReadOnly })
	return h
}

// Info implements host.Host.
func (h *Host) Info() host.Info {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.info
}

// Flush implements host.Host: there is nothing to write.
func (h *Host) Flush(ctx context.Context, _ []host.ChunkPos) error {
	return h.Read(ctx, func() error { return nil })
}

// Foreign implements host.Host.
func (h *Host) Foreign(ctx context.Context, box geom.Box) (found []host.Foreign, err error) {
	err = h.Columns(ctx, box, func(serial.Area) error {
		found = h.Players(box)
		for p, id := range h.store.occupied {
			if box.Contains(p) {
				found = append(found, host.Foreign{Pos: p, Kind: "block entity", ID: id})
			}
		}
		for _, e := range h.store.entities {
			if box.Contains(e.Pos) {
				found = append(found, e)
			}
		}
		serial.Sort(found)
		return nil
	})
	return found, err
}

// Heights implements host.Host.
func (h *Host) Heights(ctx context.Context, box geom.Box) (heights []int32, err error) {
	err = h.Columns(ctx, box, func(area serial.Area) error {
		for z := box.Min.Z; z <= box.Max.Z; z++ {
			for x := box.Min.X; x <= box.Max.X; x++ {
				y := int32(maxY)
				for y >= minY && host.IsAir(area.At(geom.Pos{X: x, Y: y, Z: z})) {
					y--
				}
				heights = append(heights, y)
			}
		}
		return nil
	})
	return heights, err
}

// Close implements host.Host.
func (h *Host) Close() error {
	h.World.Close()
	return nil
}
