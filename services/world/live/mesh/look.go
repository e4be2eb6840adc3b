package mesh

import (
	"sync"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/colour"
)

// look is how a block is seen: boxes in units of 1/32 of a block, in one colour.
type look struct {
	boxes  []blocks.AABB
	colour colour.RGBA
}

// thin is the shape of what takes no room and is still seen: plants, torches.
var thin = []blocks.AABB{{Min: [3]int8{10, 0, 10}, Max: [3]int8{22, 22, 22}}}

// full is the shape of a cube, and of what flows.
var full = []blocks.AABB{{Max: [3]int8{blocks.Whole, blocks.Whole, blocks.Whole}}}

// Table knows how the states of a version look. It is safe for concurrent use.
type Table struct {
	pack  *blocks.Pack
	mu    sync.Mutex
	looks map[string]*look
}

// NewTable makes an empty table: what is asked for is kept, at most every state
// of the pack.
func NewTable(pack *blocks.Pack) *Table {
	return &Table{pack: pack, looks: map[string]*look{}}
}

// of is how a state looks; nil where nothing is seen of it.
func (t *Table) of(state string) *look {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l, ok := t.looks[state]; ok {
		return l
	}
	l := t.look(state)
	if t.pack.Known(state) {
		t.looks[state] = l
	}
	return l
}

func (t *Table) look(state string) *look {
	c, _ := colour.Of(state)
	if c.A == 0 {
		return nil
	}
	shape := t.pack.Shape(state)
	name, _ := blocks.Split(state)
	switch {
	case name == "minecraft:water" || name == "minecraft:lava":
		return &look{full, c}
	case len(shape) == 0:
		return &look{thin, c}
	}
	l := &look{make([]blocks.AABB, len(shape)), c}
	for i, box := range shape {
		for axis := range 3 { // fences are drawn up to the top of their position
			l.boxes[i].Min[axis] = min(max(box.Min[axis], 0), blocks.Whole)
			l.boxes[i].Max[axis] = min(max(box.Max[axis], 0), blocks.Whole)
		}
	}
	return l
}

// opaque reports whether nothing is seen through it.
func (l *look) opaque() bool { return l.colour.A == 255 }
