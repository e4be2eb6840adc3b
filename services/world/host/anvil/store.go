package anvil

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/pharos-mcp/pharos/services/world/chunk"
	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/serial"
	"github.com/pharos-mcp/pharos/services/world/region"
)

// store reads chunks.
type store struct{ *Host }

// Load implements serial.Store.
func (s *store) Load(box geom.Box) (serial.Area, error) {
	chunks := host.ChunksOf(box)
	a := &area{cache: s.chunks, newest: s.info.DataVersion, first: chunks[0], width: int(box.Max.X>>4-box.Min.X>>4) + 1}
	open := regionFiles{files: s.files, folder: regions, open: map[string]*region.File{}}
	defer open.close()
	var missing []host.ChunkPos
	for _, at := range chunks {
		e := s.chunks.get(at)
		if e == nil {
			raw, ok, err := open.chunk(at)
			if err != nil {
				return nil, &host.Unreadable{Chunk: at, Reason: err}
			}
			if !ok {
				missing = append(missing, at)
				continue
			}
			c, err := s.parse(at, raw)
			if err != nil {
				return nil, &host.Unreadable{Chunk: at, Reason: err}
			}
			e = s.chunks.add(&entry{at: at, chunk: c})
		}
		if err := e.chunk.Load(box.Min.Y, box.Max.Y); err != nil {
			return nil, &host.Unreadable{Chunk: at, Reason: err}
		}
		a.chunks = append(a.chunks, e)
	}
	if missing != nil {
		return nil, &host.NotGenerated{Chunks: missing}
	}
	return a, nil
}

func (s *store) parse(at host.ChunkPos, raw []byte) (*chunk.Chunk, error) {
	c, err := chunk.Parse(raw, s.Blocks())
	if err != nil {
		return nil, err
	}
	if x, z := c.Position(); x != at.X || z != at.Z {
		return nil, fmt.Errorf("it says that it is chunk (%d, %d)", x, z)
	}
	return c, nil
}

// regionFiles are the files of a folder that a read has open, each once.
type regionFiles struct {
	files  disk.FS
	folder string
	open   map[string]*region.File // nil: there is none
}

// chunk returns the bytes of a chunk that is there.
func (r *regionFiles) chunk(at host.ChunkPos) (raw []byte, ok bool, err error) {
	p := region.Pos{X: at.X, Z: at.Z}
	file, known := r.open[p.FileName()]
	if !known {
		file, err = region.Open(r.files, path.Join(r.folder, p.FileName()))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, false, err
		}
		if err != nil {
			file = nil
		}
		r.open[p.FileName()] = file
	}
	if file == nil {
		return nil, false, nil
	}
	return file.Chunk(p)
}

func (r *regionFiles) close() {
	for _, file := range r.open {
		if file != nil {
			file.Close() // it was read only
		}
	}
}

// area is the chunks of a box, in the order z, x.
type area struct {
	cache  *cache
	newest int32
	chunks []*entry
	first  host.ChunkPos
	width  int
}

func (a *area) entry(p geom.Pos) *entry {
	return a.chunks[int(p.Z>>4-a.first.Z)*a.width+int(p.X>>4-a.first.X)]
}

// At implements serial.Area.
func (a *area) At(p geom.Pos) string { return a.entry(p).chunk.At(p) }

// Occupied implements serial.Area.
func (a *area) Occupied(p geom.Pos) string {
	id, _ := a.entry(p).chunk.BlockEntity(p)
	return id
}

// Set implements serial.Area.
func (a *area) Set(p geom.Pos, state string) error {
	c := a.entry(p).chunk
	if c.DataVersion() > a.newest {
		return fmt.Errorf("%w at %s: a newer version of the game saved this chunk (DataVersion %d)",
			host.ErrReadOnly, p, c.DataVersion())
	}
	return c.Set(p, state)
}

// Keep implements serial.Area.
func (a *area) Keep(changes []host.Change) {
	seen := map[*entry]bool{}
	for _, c := range changes {
		if e := a.entry(c.Pos); !seen[e] {
			seen[e] = true
			a.cache.change(e)
		}
	}
}
