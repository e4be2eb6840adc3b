package serial

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// Store has the blocks of a world. Load may be called by several readers at
// once, and by an edit alone.
type Store interface {
	// Load returns the blocks of the chunks of a box, or *host.NotGenerated or
	// *host.Unreadable. The area keeps being usable for as long as it is held.
	Load(box geom.Box) (Area, error)
}

// Area is some loaded chunks. Positions are in them, and in the world's height.
type Area interface {
	At(geom.Pos) string
	Occupied(geom.Pos) string
	// Set puts a state that the pack has. No reader is about. It changes nothing
	// where it fails, and never refuses to put back what it took the place of.
	Set(geom.Pos, string) error
	// Keep tells that an edit of the area stands, with what it changed.
	Keep([]host.Change)
}

// MaxChunks bounds the box of one view or edit.
const MaxChunks = 1024

// Air stands above and below the world.
const Air = "minecraft:air"

// World is the order of all that happens in one world. It is safe for concurrent
// use. Its methods are those of host.Host where they have the same name.
type World struct {
	store    Store
	pack     *blocks.Pack
	low      int32
	high     int32
	readOnly func() string

	mu        sync.RWMutex // held by all that reads, alone by all that happens
	closed    bool
	revision  uint64
	observers []*observer

	playersMu sync.Mutex // taken after mu
	players   map[uuid.UUID]present
}

// New returns the order over a store of a world of the height from low to high.
// As long as readOnly returns a reason, every edit is refused.
func New(store Store, pack *blocks.Pack, low, high int32, readOnly func() string) *World {
	return &World{store: store, pack: pack, low: low, high: high, readOnly: readOnly, players: map[uuid.UUID]present{}}
}

// Blocks is the pack.
func (w *World) Blocks() *blocks.Pack { return w.pack }

// View calls f with a consistent view.
func (w *World) View(ctx context.Context, box geom.Box, f func(host.Reader) error) error {
	return w.Read(ctx, func() error {
		area, err := w.load(box)
		if err != nil {
			return err
		}
		v := &view{world: w, box: box, area: area}
		defer func() { v.ended = true }()
		return f(v)
	})
}

// Read calls f while no edit happens, but other reads may.
func (w *World) Read(ctx context.Context, f func() error) error {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if err := w.ready(ctx); err != nil {
		return err
	}
	return f()
}

// Alone calls f while nothing else happens, also after Close.
func (w *World) Alone(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f()
}

// Close has all later calls refused with host.ErrClosed and reports whether this
// was the first.
func (w *World) Close() (first bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	first, w.closed = !w.closed, true
	return first
}

func (w *World) ready(ctx context.Context) error {
	if w.closed {
		return host.ErrClosed
	}
	return ctx.Err()
}

// load has the store load what of the box is within the world's height.
func (w *World) load(box geom.Box) (Area, error) {
	columns := geom.Box{
		Min: geom.Pos{X: box.Min.X >> 4, Z: box.Min.Z >> 4},
		Max: geom.Pos{X: box.Max.X >> 4, Z: box.Max.Z >> 4},
	}
	if n := columns.Volume(); n > MaxChunks {
		return nil, fmt.Errorf("the box is over %d chunks, and at most %d are read at once", n, MaxChunks)
	}
	return w.store.Load(box)
}

func (w *World) inHeight(p geom.Pos) bool { return p.Y >= w.low && p.Y <= w.high }

// Columns loads the chunks of a box as View does and calls f.
func (w *World) Columns(ctx context.Context, box geom.Box, f func(Area) error) error {
	return w.Read(ctx, func() error {
		area, err := w.load(box)
		if err != nil {
			return err
		}
		return f(area)
	})
}

var errOutsideHeight = errors.New("it lies above or below the world")
