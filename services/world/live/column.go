package live

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/live/mesh"
)

// Bounds of requests for chunks: those that are worked on at once, those that wait
// beside them, and how far out a chunk may be asked for, which is where the game's
// world ends.
const (
	meshers  = 2
	queued   = 62
	farthest = 30_000_000 / 16
)

// column sends what is seen of a chunk. There is no content where there is no
// chunk, or none that can be used.
func (p *Page) column(w http.ResponseWriter, r *http.Request) {
	x, errX := strconv.ParseInt(r.PathValue("x"), 10, 32)
	z, errZ := strconv.ParseInt(r.PathValue("z"), 10, 32)
	if errX != nil || errZ != nil || max(x, -x, z, -z) > farthest {
		write(w, http.StatusNotFound, text, []byte("there is no such chunk\n"))
		return
	}
	select {
	case p.waiting <- struct{}{}:
		defer func() { <-p.waiting }()
	default:
		busy(w, "too many chunks are asked for")
		return
	}
	select {
	case p.meshing <- struct{}{}:
		defer func() { <-p.meshing }()
	case <-r.Context().Done():
		return
	}
	data, err := p.mesh(r.Context(), host.ChunkPos{X: int32(x), Z: int32(z)})
	switch {
	case absent(err):
		w.WriteHeader(http.StatusNoContent)
	case err != nil:
		busy(w, "the world cannot be read now")
	default:
		write(w, http.StatusOK, "application/octet-stream", data)
	}
}

// busy asks to come again.
func busy(w http.ResponseWriter, why string) {
	w.Header().Set("Retry-After", "1")
	write(w, http.StatusServiceUnavailable, text, []byte(why+"\n"))
}

// absent reports whether an error says that there is no chunk to be shown.
func absent(err error) bool {
	missing, unusable := new(host.NotGenerated), new(host.Unreadable)
	return errors.As(err, &missing) || errors.As(err, &unusable)
}

// mesh finds what is seen of a column. Columns beside it that are absent are air.
func (p *Page) mesh(ctx context.Context, at host.ChunkPos) ([]byte, error) {
	c, err := p.columns.get(ctx, at)
	if err != nil {
		return nil, err
	}
	var around mesh.Around
	for _, beside := range []struct {
		of   **mesh.Column
		x, z int32
	}{{&around.West, -1, 0}, {&around.East, 1, 0}, {&around.North, 0, -1}, {&around.South, 0, 1}} {
		*beside.of, err = p.columns.get(ctx, host.ChunkPos{X: at.X + beside.x, Z: at.Z + beside.z})
		if err != nil && !absent(err) {
			return nil, err
		}
	}
	return mesh.Encode(at, c.Revision(), c.Mesh(around)), nil
}
