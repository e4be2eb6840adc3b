package live

import (
	"slices"
	"sync"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/host"
)

// observer hears of the world for a page, inside what happens.
type observer struct{ page *Page }

// OnBlocks implements host.Observer. A change at a chunk's border changes what is
// seen of the one beside it.
func (o observer) OnBlocks(changes []host.Change) {
	changed, seen := map[host.ChunkPos]struct{}{}, map[host.ChunkPos]struct{}{}
	for i := range changes {
		x, z := changes[i].X, changes[i].Z
		changed[host.ChunkPos{X: x >> 4, Z: z >> 4}] = struct{}{}
		for _, at := range [...]host.ChunkPos{
			{X: x >> 4, Z: z >> 4}, {X: (x - 1) >> 4, Z: z >> 4}, {X: (x + 1) >> 4, Z: z >> 4},
			{X: x >> 4, Z: (z - 1) >> 4}, {X: x >> 4, Z: (z + 1) >> 4},
		} {
			seen[at] = struct{}{}
		}
	}
	o.page.columns.forget(changed)
	o.page.viewers.changed(seen)
}

// OnChat implements host.Observer.
func (o observer) OnChat(host.Player, string) {}

// OnJoin implements host.Observer.
func (o observer) OnJoin(p host.Player) { o.page.guests.came(p.ID) }

// OnQuit implements host.Observer.
func (o observer) OnQuit(p host.Player) { o.page.guests.went(p.ID) }

// guests are the players who are in.
type guests struct {
	mu    sync.Mutex
	known map[uuid.UUID]struct{}
}

func (g *guests) came(id uuid.UUID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.known[id] = struct{}{}
}

func (g *guests) went(id uuid.UUID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.known, id)
}

// list returns them in the order of their ids.
func (g *guests) list() []uuid.UUID {
	g.mu.Lock()
	defer g.mu.Unlock()
	ids := make([]uuid.UUID, 0, len(g.known))
	for id := range g.known {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	return ids
}
