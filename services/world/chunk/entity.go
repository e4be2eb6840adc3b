package chunk

import (
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/nbt"
)

// BlockEntity names what stands at a position beside the plain block:
// "minecraft:chest".
func (c *Chunk) BlockEntity(p geom.Pos) (id string, ok bool) {
	id, ok = c.entities()[p]
	return id, ok
}

// BlockEntities are all of the chunk, by position.
func (c *Chunk) BlockEntities() map[geom.Pos]string { return c.entities() }

// findEntities reads the list. What has no position in it stands nowhere.
func (c *Chunk) findEntities() map[geom.Pos]string {
	list, _ := nbt.Get[nbt.List](c.root, "block_entities")
	found := make(map[geom.Pos]string, len(list.Items))
	for _, item := range list.Items {
		tag, ok := item.(*nbt.Compound)
		if !ok {
			continue
		}
		x, okX := nbt.Get[nbt.Int](tag, "x")
		y, okY := nbt.Get[nbt.Int](tag, "y")
		z, okZ := nbt.Get[nbt.Int](tag, "z")
		if !okX || !okY || !okZ {
			continue
		}
		id, ok := nbt.Get[nbt.String](tag, "id")
		if !ok {
			id = "block entity without an id"
		}
		found[geom.Pos{X: int32(x), Y: int32(y), Z: int32(z)}] = string(id)
	}
	return found
}
