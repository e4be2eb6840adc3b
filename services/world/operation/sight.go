package operation

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// What is read of a chunk that cannot be read, in the place of states.
const (
	absent     = "nothing: the chunk does not exist"
	unreadable = "nothing: the chunk cannot be used"
)

// look reads what stands at positions, chunk by chunk, so that nothing between
// them needs to exist. A chunk that is not there or is damaged has a text of its
// own for states. steady tells that all was read at one revision of the world.
func (e *Engine) look(
	ctx context.Context, positions []geom.Pos,
) (states []string, revision uint64, steady bool, err error) {
	states, steady = make([]string, len(positions)), true
	chunks := map[host.ChunkPos][]int{}
	for i, p := range positions {
		chunks[chunkOf(p)] = append(chunks[chunkOf(p)], i)
	}
	for n, chunk := range chunksOf(slices.Values(positions)) {
		places := chunks[chunk]
		box := geom.Box{Min: positions[places[0]], Max: positions[places[0]]}
		for _, i := range places {
			box = box.Union(geom.Box{Min: positions[i], Max: positions[i]})
		}
		err := e.Host.View(ctx, box, func(r host.Reader) error {
			if n == 0 {
				revision = r.Revision()
			}
			steady = steady && r.Revision() == revision
			for _, i := range places {
				states[i] = standing(r, positions[i])
			}
			return nil
		})
		if err == nil {
			continue
		}
		text := unreadable
		if _, ok := errors.AsType[*host.NotGenerated](err); ok {
			text = absent
		} else if _, ok := errors.AsType[*host.Unreadable](err); !ok {
			return nil, 0, false, err
		}
		steady = false
		for _, i := range places {
			states[i] = text
		}
	}
	return states, revision, steady, nil
}

// standing is what stands at a position. Something with contents is never what
// a plan has seen.
func standing(r host.Reader, p geom.Pos) string {
	if id := r.Occupied(p); id != "" {
		return r.At(p) + " with the contents of a " + id
	}
	return r.At(p)
}

// chunksOf lists the chunks of positions, in the order z, x.
func chunksOf(positions iter.Seq[geom.Pos]) []host.ChunkPos {
	seen := map[host.ChunkPos]struct{}{}
	var chunks []host.ChunkPos
	for p := range positions {
		if _, ok := seen[chunkOf(p)]; !ok {
			seen[chunkOf(p)] = struct{}{}
			chunks = append(chunks, chunkOf(p))
		}
	}
	slices.SortFunc(chunks, func(a, b host.ChunkPos) int {
		return cmp.Or(cmp.Compare(a.Z, b.Z), cmp.Compare(a.X, b.X))
	})
	return chunks
}
