package chunk

import (
	"sync"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/nbt"
)

// Layer is so many levels of one canonical state.
type Layer struct {
	State  string
	Height int
}

// New returns a finished chunk of a flat world: the layers from MinY up, air
// above, plains, no light and no heightmaps, which the game computes when it
// loads it. It refuses, with an *Error, layers that the pack does not have or
// that reach above the world.
func New(pack *blocks.Pack, x, z int32, layers []Layer) (*Chunk, error) {
	c := &Chunk{pack: pack, root: &nbt.Compound{}, x: x, z: z, version: pack.DataVersion(), stale: true}
	for _, m := range []struct {
		name string
		tag  nbt.Tag
	}{
		{"DataVersion", nbt.Int(c.version)},
		{"xPos", nbt.Int(x)},
		{"zPos", nbt.Int(z)},
		{"yPos", nbt.Int(lowest)},
		{"Status", nbt.String("minecraft:full")},
		{"LastUpdate", nbt.Long(0)},
		{"InhabitedTime", nbt.Long(0)},
		{"sections", nbt.List{}},
		{"block_entities", nbt.List{}},
		{"block_ticks", nbt.List{}},
		{"fluid_ticks", nbt.List{}},
		{"PostProcessing", postProcessing()},
		{"structures", structures()},
		{"isLightOn", nbt.Byte(0)},
	} {
		c.root.Set(m.name, m.tag)
	}
	c.entities = sync.OnceValue(c.findEntities)
	return c, c.fill(layers)
}

// fill sets the layers of a new chunk.
func (c *Chunk) fill(layers []Layer) error {
	levels := make([]string, 0, MaxY-MinY+1)
	for _, l := range layers {
		if !c.pack.Known(l.State) {
			return refuse("version %s has no state %.200q", c.pack.Version(), l.State)
		}
		if l.Height < 0 || l.Height > cap(levels)-len(levels) {
			return refuse("the layers are higher than the world")
		}
		for range l.Height {
			levels = append(levels, l.State)
		}
	}
	for len(levels) < cap(levels) {
		levels = append(levels, air)
	}
	for i := range c.sections {
		s := &c.sections[i]
		s.y = lowest + int32(i)
		found := &content{palette: []entry{{levels[16*i], tagOf(levels[16*i])}}}
		for at := range cellCount {
			found.put(at, levels[16*i+at>>8])
		}
		s.content.Store(found)
		c.store(s)
	}
	return nil
}

// postProcessing is a list of nothing for each section.
func postProcessing() nbt.List {
	list := nbt.List{Of: nbt.KindList}
	for range sectionCount {
		list.Items = append(list.Items, nbt.List{})
	}
	return list
}

func structures() *nbt.Compound {
	tag := &nbt.Compound{}
	tag.Set("References", &nbt.Compound{})
	tag.Set("starts", &nbt.Compound{})
	return tag
}
