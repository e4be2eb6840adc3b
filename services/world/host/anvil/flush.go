package anvil

import (
	"context"
	"maps"
	"path"
	"slices"

	"github.com/pharos-mcp/pharos/services/world/crashpoint"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/region"
)

// Flush implements host.Host. Each region file that has one of the chunks is
// replaced once, one after the other, with all that changed in it. Where that
// fails, its chunks and those of the files after it are still to be written, and
// Flush can be called again.
func (h *Host) Flush(ctx context.Context, chunks []host.ChunkPos) error {
	if err := h.Read(ctx, func() error { return nil }); err != nil {
		return err
	}
	h.flushing.Lock()
	defer h.flushing.Unlock()
	return h.flush(ctx, chunks)
}

// Save flushes all that changed, whoever changed it. Operations flush what they
// write; what players do is on the disk when somebody saves.
func (h *Host) Save(ctx context.Context) error {
	if err := h.Read(ctx, func() error { return nil }); err != nil {
		return err
	}
	h.flushing.Lock()
	defer h.flushing.Unlock()
	return h.flush(ctx, h.chunks.changed())
}

func (h *Host) flush(ctx context.Context, chunks []host.ChunkPos) error {
	files := map[string]bool{}
	changed := h.chunks.changed()
	for _, at := range chunks {
		if _, found := slices.BinarySearchFunc(changed, at, byPlace); found {
			files[fileOf(at)] = true
		}
	}
	for i, name := range slices.Sorted(maps.Keys(files)) {
		if i > 0 {
			crashpoint.At(crashpoint.RegionsDone)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := h.flushFile(name); err != nil {
			return err
		}
	}
	return nil
}

func fileOf(at host.ChunkPos) string { return region.Pos(at).FileName() }

// flushFile writes all that changed in one region file. Edits may go on
// meanwhile; a chunk that one of them changes stays to be written.
func (h *Host) flushFile(name string) error {
	if err := h.keepOriginal(name); err != nil {
		return err
	}
	type version struct {
		*entry
		edits uint64
	}
	var versions []version
	data := map[region.Pos][]byte{}
	h.Alone(func() { // no reader is about while a chunk is encoded
		for _, at := range h.chunks.changed() {
			if fileOf(at) == name {
				e := h.chunks.get(at)
				data[region.Pos(at)] = e.chunk.Encode()
				versions = append(versions, version{e, e.edits})
			}
		}
	})
	if err := region.Rewrite(h.files, path.Join(regions, name), data, h.now()); err != nil {
		return err
	}
	h.Alone(func() {
		for _, v := range versions {
			h.chunks.written(v.entry, v.edits)
		}
	})
	return nil
}
