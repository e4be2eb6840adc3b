package chunk

import (
	"fmt"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/nbt"
)

// Load decodes the sections of these heights and returns why one of them cannot
// be read, as an *Error. After it At is certain for them. Heights outside the
// world do not count.
func (c *Chunk) Load(minY, maxY int32) error {
	for y := max(minY, MinY) >> 4; y <= min(maxY, MaxY)>>4; y++ {
		if found := c.read(&c.sections[y-lowest]); found.err != nil {
			return found.err
		}
	}
	return nil
}

// At is the state at a position of the chunk, in the world's coordinates. It is
// "" above and below the world and in a section that Load refuses. A position of
// another chunk panics.
func (c *Chunk) At(p geom.Pos) string {
	s := c.sectionOf(p)
	if s == nil {
		return ""
	}
	found := c.read(s)
	switch {
	case found.err != nil:
		return ""
	case found.cells == nil:
		return found.palette[0].state
	}
	return found.palette[found.cells[cell(p)]].state
}

// Set puts a canonical state. It refuses, with an *Error, a state that the pack
// does not have, a position above or below the world, one where a block entity
// stands, and one in a section that Load refuses.
func (c *Chunk) Set(p geom.Pos, state string) error {
	s := c.sectionOf(p)
	if s == nil {
		return refuse("%v is above or below the world", p)
	}
	found := c.read(s)
	if found.err != nil {
		return found.err
	}
	if id, there := c.BlockEntity(p); there {
		return refuse("there is a %.64s at %v", id, p)
	}
	if !c.pack.Known(state) {
		return refuse("version %s has no state %.200q", c.pack.Version(), state)
	}
	if found.put(cell(p), state) {
		s.changed = true
		c.invalidate()
	}
	return nil
}

// put reports whether it changed the cell.
func (f *content) put(at int, state string) bool {
	now := uint16(0)
	if f.cells != nil {
		now = f.cells[at]
	}
	if f.palette[now].state == state {
		return false
	}
	if f.byState == nil {
		f.byState = make(map[string]uint16, len(f.palette)+1)
		for i, e := range f.palette {
			if _, there := f.byState[e.state]; !there {
				f.byState[e.state] = uint16(i)
			}
		}
	}
	place, there := f.byState[state]
	if !there {
		place = uint16(len(f.palette))
		f.palette = append(f.palette, entry{state, tagOf(state)})
		f.byState[state] = place
	}
	if f.cells == nil {
		f.cells = make([]uint16, cellCount)
	}
	f.cells[at] = place
	return true
}

// sectionOf is the section of a position, nil above and below the world.
func (c *Chunk) sectionOf(p geom.Pos) *section {
	if p.X>>4 != c.x || p.Z>>4 != c.z {
		panic(fmt.Sprintf("chunk: %v is not in chunk (%d, %d)", p, c.x, c.z))
	}
	if p.Y < MinY || p.Y > MaxY {
		return nil
	}
	return &c.sections[p.Y>>4-lowest]
}

// cell is the number of a position in its section.
func cell(p geom.Pos) int { return int(p.Y&15)<<8 | int(p.Z&15)<<4 | int(p.X&15) }

// invalidate takes away what follows from the blocks, so that the game computes
// it when it loads the chunk. The names with "starlight" are those under which
// Paper and the Starlight mod keep their light; they do not heed isLightOn.
func (c *Chunk) invalidate() {
	if c.stale {
		return
	}
	c.stale = true
	if _, there := c.root.Get("isLightOn"); there {
		c.root.Set("isLightOn", nbt.Byte(0))
	}
	c.root.Delete("Heightmaps")
	c.root.Delete("starlight.light_version")
	list, _ := nbt.Get[nbt.List](c.root, "sections")
	for _, item := range list.Items {
		for _, name := range []string{"BlockLight", "SkyLight", "starlight.blocklight_state", "starlight.skylight_state"} {
			item.(*nbt.Compound).Delete(name)
		}
	}
}
