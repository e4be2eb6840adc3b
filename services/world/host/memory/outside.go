package memory

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// Place has somebody outside change blocks: of host.ByPlayer or host.ByOther. The
// edit waits for its turn, is told to the observers, and is one as any other.
func (h *Host) Place(cause host.Cause, state string, at ...geom.Pos) error {
	box := geom.Box{Min: at[0], Max: at[0]}
	for _, p := range at {
		box = box.Union(geom.Box{Min: p, Max: p})
	}
	_, err := h.Edit(context.Background(), cause, box, func(w host.Writer) error {
		for _, p := range at {
			if err := w.Set(p, state); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

// Put puts a block with a block entity, such as a chest; with an empty id it
// takes the block entity away. Nobody hears of it.
func (h *Host) Put(p geom.Pos, state, id string) {
	h.Alone(func() {
		h.store.set[p] = state
		if id == "" {
			delete(h.store.occupied, p)
		} else {
			h.store.occupied[p] = id
		}
	})
}

// Alter changes a block that nobody hears of, as something does that the host
// cannot see.
func (h *Host) Alter(p geom.Pos, state string) {
	h.Alone(func() { h.store.set[p] = state })
}

// Spawn puts an entity into the world.
func (h *Host) Spawn(p geom.Pos, id string) {
	h.Alone(func() { h.store.entities = append(h.store.entities, host.Foreign{Pos: p, Kind: "entity", ID: id}) })
}

// Enter lets a player in who remembers what is said to them.
func (h *Host) Enter(p host.Player) error {
	return h.Join(p, func(text string) error {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.said[p.ID] = append(h.said[p.ID], text)
		return nil
	})
}

// Said is all that was said to a player, in order.
func (h *Host) Said(id uuid.UUID) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.said[id])
}

// MakeReadOnly has every edit refused for a reason; "" allows them again.
func (h *Host) MakeReadOnly(why string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.info.ReadOnly = why
}
