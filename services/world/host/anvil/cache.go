package anvil

import (
	"cmp"
	"container/list"
	"maps"
	"slices"
	"sync"

	"github.com/pharos-mcp/pharos/services/world/chunk"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// entry is a chunk in memory.
type entry struct {
	at    host.ChunkPos
	chunk *chunk.Chunk
	edits uint64 // that changed it
}

// cache has the chunks in memory. Those that changed stay until they are
// written; of the others as many as there is room for, the latest used.
type cache struct {
	room int

	mu    sync.Mutex
	dirty map[host.ChunkPos]*entry
	clean map[host.ChunkPos]*list.Element
	order *list.List // of *entry, the latest used first
}

func newCache(room int) *cache {
	return &cache{room: room, dirty: map[host.ChunkPos]*entry{}, clean: map[host.ChunkPos]*list.Element{}, order: list.New()}
}

// get returns a chunk that is in memory, or nil.
func (c *cache) get(at host.ChunkPos) *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.find(at)
}

func (c *cache) find(at host.ChunkPos) *entry {
	if e := c.dirty[at]; e != nil {
		return e
	}
	if place := c.clean[at]; place != nil {
		c.order.MoveToFront(place)
		return place.Value.(*entry)
	}
	return nil
}

// add puts a chunk that was read, and returns the one that is there, should
// another reader have been first.
func (c *cache) add(e *entry) *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	if there := c.find(e.at); there != nil {
		return there
	}
	c.addClean(e)
	return e
}

func (c *cache) addClean(e *entry) {
	c.clean[e.at] = c.order.PushFront(e)
	for c.order.Len() > c.room {
		last := c.order.Back()
		delete(c.clean, c.order.Remove(last).(*entry).at)
	}
}

// change tells that an edit changed a chunk.
func (c *cache) change(e *entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e.edits++
	if place := c.clean[e.at]; place != nil {
		c.order.Remove(place)
		delete(c.clean, e.at)
	}
	c.dirty[e.at] = e
}

// written tells that a chunk is on the disk as it was after so many edits.
func (c *cache) written(e *entry, edits uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.edits == edits && c.dirty[e.at] == e {
		delete(c.dirty, e.at)
		c.addClean(e)
	}
}

// changed are the chunks that are not on the disk, in the order z, x.
func (c *cache) changed() []host.ChunkPos {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.SortedFunc(maps.Keys(c.dirty), byPlace)
}

func byPlace(a, b host.ChunkPos) int { return cmp.Or(cmp.Compare(a.Z, b.Z), cmp.Compare(a.X, b.X)) }
