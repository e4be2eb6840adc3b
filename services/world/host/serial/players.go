package serial

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// present is a player in the world, and how a text gets to them.
type present struct {
	host.Player
	show func(text string) error
}

type observer struct{ host.Observer }

// Observe has the observer hear of all that happens from now on. After stop has
// returned it hears no more; stop waits for what is being told, so an observer
// does not call it from within.
func (w *World) Observe(o host.Observer) (stop func()) {
	entry := &observer{o}
	w.Alone(func() { w.observers = append(slices.Clip(w.observers), entry) })
	return func() {
		w.Alone(func() {
			w.observers = slices.DeleteFunc(slices.Clone(w.observers), func(o *observer) bool { return o == entry })
		})
	}
}

// tell has all observers hear of something.
func (w *World) tell(f func(host.Observer)) {
	for _, o := range w.observers {
		f(o)
	}
}

// Join lets a player in, or back in. What is said to the player goes to show.
func (w *World) Join(p host.Player, show func(text string) error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return host.ErrClosed
	}
	w.playersMu.Lock()
	w.players[p.ID] = present{p, show}
	w.playersMu.Unlock()
	w.tell(func(o host.Observer) { o.OnJoin(p) })
	return nil
}

// Move tells where a player is and looks. Nobody hears of it; Player returns it.
func (w *World) Move(p host.Player) {
	w.playersMu.Lock()
	defer w.playersMu.Unlock()
	if known, ok := w.players[p.ID]; ok {
		known.Player = p
		w.players[p.ID] = known
	}
}

// Quit lets a player go who is in the world.
func (w *World) Quit(id uuid.UUID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.playersMu.Lock()
	p, ok := w.players[id]
	delete(w.players, id)
	w.playersMu.Unlock()
	if ok {
		w.tell(func(o host.Observer) { o.OnQuit(p.Player) })
	}
}

// Chat has a player who is in the world say something.
func (w *World) Chat(id uuid.UUID, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if p, ok := w.Player(id); ok {
		w.tell(func(o host.Observer) { o.OnChat(p, text) })
	}
}

// Player returns a player who is in the world now.
func (w *World) Player(id uuid.UUID) (host.Player, bool) {
	w.playersMu.Lock()
	defer w.playersMu.Unlock()
	p, ok := w.players[id]
	return p.Player, ok
}

// Say shows a player a text.
func (w *World) Say(ctx context.Context, to uuid.UUID, text string) error {
	if err := w.Read(ctx, func() error { return nil }); err != nil {
		return err
	}
	w.playersMu.Lock()
	p, ok := w.players[to]
	w.playersMu.Unlock()
	if !ok {
		return nil
	}
	return p.show(text)
}

// Players lists the players whose feet are in the box, by their UUIDs.
func (w *World) Players(box geom.Box) []host.Foreign {
	w.playersMu.Lock()
	defer w.playersMu.Unlock()
	var found []host.Foreign
	for id, p := range w.players {
		if at := Floor(p.Feet); box.Contains(at) {
			found = append(found, host.Foreign{Pos: at, Kind: "player", ID: id.String()})
		}
	}
	Sort(found)
	return found
}
