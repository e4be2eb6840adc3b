package chunk

import (
	"slices"
	"sync/atomic"

	"github.com/pharos-mcp/pharos/services/world/nbt"
)

const (
	lowest       = MinY >> 4
	sectionCount = (MaxY-MinY)/16 + 1
)

// section is 16 by 16 by 16 blocks.
type section struct {
	y       int32
	tag     *nbt.Compound // nil where the file does not have it
	content atomic.Pointer[content]
	changed bool
}

// findSections puts the file's sections in their places. Those beyond the
// world's height, which have light alone, stay in the tree.
func (c *Chunk) findSections() error {
	for i := range c.sections {
		c.sections[i].y = lowest + int32(i)
	}
	list, err := c.list("sections")
	if err != nil {
		return err
	}
	for _, item := range list.Items {
		tag := item.(*nbt.Compound)
		y, ok := nbt.Get[nbt.Byte](tag, "Y")
		if !ok {
			return refuse("a section does not say where it is")
		}
		at := int(y) - lowest
		if at < 0 || at >= sectionCount {
			continue
		}
		if c.sections[at].tag != nil {
			return refuse("section %d is there twice", y)
		}
		c.sections[at].tag = tag
	}
	return nil
}

// list returns a list of compounds, empty where the chunk does not have it.
func (c *Chunk) list(name string) (nbt.List, error) {
	tag, there := c.root.Get(name)
	list, ok := tag.(nbt.List)
	if there && !ok || len(list.Items) > 0 && list.Of != nbt.KindCompound {
		return nbt.List{}, refuse("%s is no list of compounds", name)
	}
	return list, nil
}

// read decodes a section, once.
func (c *Chunk) read(s *section) *content {
	if found := s.content.Load(); found != nil {
		return found
	}
	// Two readers may both come here; they find the same, and one of them stays.
	s.content.CompareAndSwap(nil, c.decode(s))
	return s.content.Load()
}

// store puts a changed section into the tree.
func (c *Chunk) store(s *section) {
	content := s.content.Load()
	palette, data := content.encode()
	states, ok := nbt.Get[*nbt.Compound](c.sectionTag(s), statesName)
	if !ok {
		states = &nbt.Compound{}
		s.tag.Set(statesName, states)
	}
	states.Set("palette", palette)
	if data == nil {
		states.Delete("data")
		return
	}
	states.Set("data", data)
}

// sectionTag returns a section's compound. One that the file does not have is
// made, in the order of heights, with the biome that the game reads where there
// is none.
func (c *Chunk) sectionTag(s *section) *nbt.Compound {
	if s.tag != nil {
		return s.tag
	}
	s.tag = &nbt.Compound{}
	s.tag.Set("Y", nbt.Byte(s.y))
	s.tag.Set(statesName, &nbt.Compound{})
	biomes := &nbt.Compound{}
	biomes.Set("palette", nbt.List{Of: nbt.KindString, Items: []nbt.Tag{nbt.String("minecraft:plains")}})
	s.tag.Set("biomes", biomes)
	list, _ := nbt.Get[nbt.List](c.root, "sections")
	at := slices.IndexFunc(list.Items, func(item nbt.Tag) bool {
		y, _ := nbt.Get[nbt.Byte](item.(*nbt.Compound), "Y")
		return int32(y) > s.y
	})
	if at < 0 {
		at = len(list.Items)
	}
	c.root.Set("sections", nbt.List{Of: nbt.KindCompound, Items: slices.Insert(list.Items, at, nbt.Tag(s.tag))})
	return s.tag
}
