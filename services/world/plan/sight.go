package plan

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// seen is what stands at a position.
type seen struct {
	state    string
	occupied string // the block entity's name, or ""
}

// sight is what was read of the world, at one moment.
type sight map[geom.Pos]seen

// looks is how often the world is read again because it changed meanwhile.
const looks = 5

// look reads the positions that are needed and those that are only wanted,
// where a chunk that does not exist has nothing to tell. Chunks are read one by
// one, so that two blocks far apart do not need all that lies between them; the
// world's revision shows that nothing changed from the first to the last.
func look(ctx context.Context, h host.Host, needed, wanted []geom.Pos) (sight, error) {
	chunks := byChunk(needed, wanted)
	for range looks {
		s, steady, err := lookOnce(ctx, h, chunks, len(needed)+len(wanted))
		if err != nil {
			return nil, HostFault(err)
		}
		if steady {
			return s, nil
		}
	}
	return nil, fault.New(Busy, "the world changed each time while it was read; try again")
}

// glimpse is what is read of one chunk.
type glimpse struct {
	chunk     host.ChunkPos
	box       geom.Box
	positions []geom.Pos
	needed    bool
}

func byChunk(needed, wanted []geom.Pos) []*glimpse {
	found := map[host.ChunkPos]*glimpse{}
	for i, list := range [][]geom.Pos{needed, wanted} {
		for _, p := range list {
			chunk := host.ChunkPos{X: p.X >> 4, Z: p.Z >> 4}
			g := found[chunk]
			if g == nil {
				g = &glimpse{chunk: chunk, box: geom.Box{Min: p, Max: p}}
				found[chunk] = g
			}
			g.box = g.box.Union(geom.Box{Min: p, Max: p})
			g.positions = append(g.positions, p)
			g.needed = g.needed || i == 0
		}
	}
	all := make([]*glimpse, 0, len(found))
	for _, g := range found {
		all = append(all, g)
	}
	slices.SortFunc(all, func(a, b *glimpse) int {
		return cmp.Or(cmp.Compare(a.chunk.Z, b.chunk.Z), cmp.Compare(a.chunk.X, b.chunk.X))
	})
	return all
}

// lookOnce reads every chunk once. steady reports that nothing changed.
func lookOnce(ctx context.Context, h host.Host, chunks []*glimpse, size int) (s sight, steady bool, err error) {
	s, steady = make(sight, size), true
	var missing host.NotGenerated
	var revision uint64
	first := true
	for _, g := range chunks {
		err := h.View(ctx, g.box, func(r host.Reader) error {
			if !first && r.Revision() != revision {
				steady = false
			}
			first, revision = false, r.Revision()
			for _, p := range g.positions {
				s[p] = seen{r.At(p), r.Occupied(p)}
			}
			return nil
		})
		if none, ok := errors.AsType[*host.NotGenerated](err); ok {
			if g.needed {
				missing.Chunks = append(missing.Chunks, none.Chunks...)
			}
			continue
		}
		if err != nil {
			return nil, false, err
		}
	}
	if len(missing.Chunks) > 0 {
		return nil, false, &missing
	}
	return s, steady, nil
}

// HostFault is what the caller is told of an error of the host: a fault where it
// is about the world, else the error itself.
func HostFault(err error) error {
	if e, ok := errors.AsType[*host.NotGenerated](err); ok {
		return fault.Newf(ChunkNotLoaded, "%v; nothing is generated for you, so keep to chunks that exist", e)
	}
	if e, ok := errors.AsType[*host.Unreadable](err); ok {
		return fault.Newf(ChunkNotLoaded, "%v; keep away from it, or have the world's owner mend it", e)
	}
	if errors.Is(err, host.ErrClosed) {
		return fault.New(fault.Unavailable, "the world is closed; try again later")
	}
	return err
}
