package live

import (
	"container/list"
	"context"
	"sync"

	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/live/mesh"
)

// maxColumns is how many columns are kept. Those that one viewer sees, and the
// ones around them, are 225 where View is 6.
const maxColumns = 512

// columns keeps what was read of the world until it changes. Who asks after a
// change was told gets what is true then: forgetting takes away what is being
// read as well.
type columns struct {
	life  context.Context // of the page
	world host.Columns
	table *mesh.Table

	mu    sync.Mutex
	known map[host.ChunkPos]*list.Element
	order *list.List // of *entry, what was asked for last in front
}

// entry is a column, once ready is closed.
type entry struct {
	at     host.ChunkPos
	ready  chan struct{}
	column *mesh.Column
	err    error
}

func newColumns(life context.Context, world host.Columns, table *mesh.Table) *columns {
	return &columns{life: life, world: world, table: table, known: map[host.ChunkPos]*list.Element{}, order: list.New()}
}

// get returns a column, or the error of the host.
func (c *columns) get(ctx context.Context, at host.ChunkPos) (*mesh.Column, error) {
	e, mine := c.find(at)
	if mine {
		c.read(e)
	}
	select {
	case <-e.ready:
		return e.column, e.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// find returns what is known of a column, or makes an entry that the caller reads.
func (c *columns) find(at host.ChunkPos) (e *entry, mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, ok := c.known[at]; ok {
		c.order.MoveToFront(known)
		return known.Value.(*entry), false
	}
	e = &entry{at: at, ready: make(chan struct{})}
	c.known[at] = c.order.PushFront(e)
	if c.order.Len() > maxColumns {
		c.drop(c.order.Back().Value.(*entry))
	}
	return e, true
}

// read fills an entry, for all who wait for it, whoever goes away meanwhile. What
// could not be read is asked for again the next time.
func (c *columns) read(e *entry) {
	defer close(e.ready)
	column, err := c.world.Column(c.life, e.at)
	if err == nil {
		e.column = mesh.NewColumn(c.table, column)
		return
	}
	e.err = err
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(e)
}

// drop takes an entry out, unless another one has its place. mu is held.
func (c *columns) drop(e *entry) {
	if known, ok := c.known[e.at]; ok && known.Value == e {
		c.order.Remove(known)
		delete(c.known, e.at)
	}
}

// forget drops columns that changed.
func (c *columns) forget(changed map[host.ChunkPos]struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for at := range changed {
		if known, ok := c.known[at]; ok {
			c.drop(known.Value.(*entry))
		}
	}
}
