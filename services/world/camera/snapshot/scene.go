package snapshot

import (
	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/camera/render"
	"github.com/pharos-mcp/pharos/services/world/colour"
)

// Scene is the snapshot as it is drawn. It shares the cells.
func (s *Snapshot) Scene(pack *blocks.Pack) *render.Scene {
	scene := &render.Scene{Box: s.Box, Cells: s.Cells, Materials: make([]render.Material, len(s.Palette))}
	for i, state := range s.Palette {
		scene.Materials[i] = Material(pack, state)
	}
	scene.Prepare()
	return scene
}

// thin is the shape of what takes no room and is still seen: plants, torches.
var thin = []render.Cuboid{{Min: [3]float32{0.3, 0, 0.3}, Max: [3]float32{0.7, 0.7, 0.7}}}

// Material is how a state looks.
func Material(pack *blocks.Pack, state string) render.Material {
	c, _ := colour.Of(state)
	if c.A == 0 {
		return render.Material{}
	}
	m := render.Material{Colour: c}
	boxes := pack.Shape(state)
	if len(boxes) == 0 {
		m.Shape = thin
		if name, _ := blocks.Split(state); name == "minecraft:water" || name == "minecraft:lava" {
			m.Shape = render.Whole
		}
		return m
	}
	for _, b := range boxes {
		var part render.Cuboid
		for i := range 3 {
			part.Min[i] = share(b.Min[i])
			part.Max[i] = share(b.Max[i])
		}
		m.Shape = append(m.Shape, part)
	}
	return m
}

// share is a length as a share of a block; what reaches above its position, such
// as a fence, is drawn up to it.
func share(v int8) float32 { return min(max(float32(v)/blocks.Whole, 0), 1) }
