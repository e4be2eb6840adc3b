package chunk

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/nbt"
)

// The lowest and the highest block of the overworld.
const (
	MinY = -64
	MaxY = 319
)

// OldestVersion is the DataVersion of 1.18, the first with this layout.
const OldestVersion = 2860

// edge is the first chunk whose blocks' positions are no 32-bit numbers.
const edge = 1 << 27

// limits are those of a chunk's tree. The game goes 512 deep.
var limits = nbt.Limits{Bytes: 64 << 20, Depth: 512, Tags: 1 << 20, Alloc: 256 << 20}

// Chunk is one chunk. Reads may be concurrent; Set and Encode need it alone.
type Chunk struct {
	pack     *blocks.Pack
	name     string // of the root
	root     *nbt.Compound
	rest     []byte // after the tree: the game does not look at it
	size     int    // of the bytes it was parsed from
	x, z     int32
	version  int32
	sections [sectionCount]section
	entities func() map[geom.Pos]string
	stale    bool // light and heightmaps are gone
}

// Error is a chunk, or a section of it, that cannot be read, or a block that
// cannot be set.
type Error struct{ Reason string }

// Error is the reason.
func (e *Error) Error() string { return e.Reason }

func refuse(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// Parse reads a chunk's bytes, unpacked. Errors are *Error, or *nbt.Error for
// bytes that are no tree: a layout from before 1.18, a chunk that the game has
// not finished, or one whose parts have impossible types. What is wrong within a
// section shows when it is read. A newer DataVersion than the pack's is parsed. What
// comes after the tree is kept, and not looked at, as by the game.
func Parse(data []byte, pack *blocks.Pack) (*Chunk, error) {
	name, root, rest, err := nbt.Leading(data, limits)
	if err != nil {
		return nil, err
	}
	c := &Chunk{pack: pack, name: name, root: root, rest: bytes.Clone(rest), size: len(data)}
	if err := c.readHead(); err != nil {
		return nil, err
	}
	if err := c.findSections(); err != nil {
		return nil, err
	}
	c.entities = sync.OnceValue(c.findEntities)
	return c, nil
}

func (c *Chunk) readHead() error {
	version, ok := nbt.Get[nbt.Int](c.root, "DataVersion")
	if _, old := c.root.Get("Level"); old || !ok || version < OldestVersion {
		return refuse("the chunk has the layout from before 1.18 (DataVersion %d)", version)
	}
	status, _ := nbt.Get[nbt.String](c.root, "Status")
	if status != "minecraft:full" && status != "full" {
		return refuse("the game has not finished the chunk (status %.40q)", string(status))
	}
	x, okX := nbt.Get[nbt.Int](c.root, "xPos")
	z, okZ := nbt.Get[nbt.Int](c.root, "zPos")
	if !okX || !okZ {
		return refuse("the chunk does not say where it is")
	}
	if x < -edge || x >= edge || z < -edge || z >= edge {
		return refuse("the chunk is said to be at (%d, %d), where no block has a position", x, z)
	}
	c.x, c.z, c.version = int32(x), int32(z), int32(version)
	return nil
}

// Position is where the chunk says that it is, in units of 16 blocks.
func (c *Chunk) Position() (x, z int32) { return c.x, c.z }

// DataVersion is the number of the version that wrote the chunk.
func (c *Chunk) DataVersion() int32 { return c.version }

// Encode writes the chunk. It may be changed further.
func (c *Chunk) Encode() []byte {
	for i := range c.sections {
		if s := &c.sections[i]; s.changed {
			c.store(s)
			s.changed = false
		}
	}
	return append(nbt.Append(make([]byte, 0, c.size+c.size/8+1024), c.name, c.root), c.rest...)
}
