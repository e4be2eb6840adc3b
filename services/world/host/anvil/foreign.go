package anvil

import (
	"context"
	"errors"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/serial"
	"github.com/pharos-mcp/pharos/services/world/nbt"
	"github.com/pharos-mcp/pharos/services/world/region"
)

// Foreign implements host.Host. Entities are where the game saved them.
func (h *Host) Foreign(ctx context.Context, box geom.Box) (found []host.Foreign, err error) {
	err = h.Columns(ctx, box, func(loaded serial.Area) error {
		found = h.Players(box)
		for _, e := range loaded.(*area).chunks {
			for p, id := range e.chunk.BlockEntities() {
				if box.Contains(p) {
					found = append(found, host.Foreign{Pos: p, Kind: "block entity", ID: id})
				}
			}
		}
		open := regionFiles{files: h.files, folder: entities, open: map[string]*region.File{}}
		defer open.close()
		for _, at := range host.ChunksOf(box) {
			here, err := open.entities(at)
			if err != nil {
				return &host.Unreadable{Chunk: at, Reason: err}
			}
			for _, e := range here {
				if box.Contains(e.Pos) {
					found = append(found, e)
				}
			}
		}
		serial.Sort(found)
		return nil
	})
	return found, err
}

// entities are all of a chunk, which has its own place in a file of their own
// folder; none where the folder, the file or the chunk is not there.
func (r *regionFiles) entities(at host.ChunkPos) ([]host.Foreign, error) {
	raw, ok, err := r.chunk(at)
	if err != nil || !ok {
		return nil, err
	}
	_, root, err := nbt.Decode(raw, limits)
	if err != nil {
		return nil, err
	}
	var found []host.Foreign
	if err := addEntities(&found, root, "Entities"); err != nil {
		return nil, err
	}
	return found, nil
}

// addEntities adds those of a list and their passengers.
func addEntities(found *[]host.Foreign, of *nbt.Compound, name string) error {
	list, _ := nbt.Get[nbt.List](of, name)
	for _, item := range list.Items {
		tag, ok := item.(*nbt.Compound)
		if !ok {
			return errors.New("an entity is no compound")
		}
		id, _ := nbt.Get[nbt.String](tag, "id")
		if id == "" {
			id = "entity without an id"
		}
		at, _ := nbt.Get[nbt.List](tag, "Pos")
		if len(at.Items) != 3 || at.Of != nbt.KindDouble {
			return errors.New("an entity does not say where it is")
		}
		var point [3]float64
		for i, v := range at.Items {
			point[i] = float64(v.(nbt.Double))
		}
		*found = append(*found, host.Foreign{Pos: serial.Floor(point), Kind: "entity", ID: string(id)})
		if err := addEntities(found, tag, "Passengers"); err != nil {
			return err
		}
	}
	return nil
}

// Heights implements host.Host.
func (h *Host) Heights(ctx context.Context, box geom.Box) (heights []int32, err error) {
	err = h.Columns(ctx, box, func(loaded serial.Area) error {
		a := loaded.(*area)
		columns := make([][256]int32, len(a.chunks))
		for i, e := range a.chunks {
			var err error
			if columns[i], err = e.chunk.Heights(); err != nil {
				return &host.Unreadable{Chunk: e.at, Reason: err}
			}
		}
		for z := box.Min.Z; z <= box.Max.Z; z++ {
			for x := box.Min.X; x <= box.Max.X; x++ {
				at := int(z>>4-a.first.Z)*a.width + int(x>>4-a.first.X)
				heights = append(heights, columns[at][(z&15)<<4|x&15])
			}
		}
		return nil
	})
	return heights, err
}
