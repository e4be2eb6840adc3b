package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/chunk"
	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/anvil"
	"github.com/pharos-mcp/pharos/services/world/plan"
	"github.com/pharos-mcp/pharos/services/world/region"
)

const regionFolder = "region"

// worldBox is in four chunks of one file.
var worldBox = geom.Box{Min: geom.Pos{Y: 65}, Max: geom.Pos{X: 31, Y: 68, Z: 31}}

// site is a world that is only read.
type site struct {
	folder string
	files  *disk.Folder
	config anvil.Config
}

// newSite makes a world whose host keeps one chunk in memory.
func newSite(pack *blocks.Pack) (*site, error) {
	folder, err := os.MkdirTemp("", "bench-world-")
	if err != nil {
		return nil, err
	}
	s := &site{folder: folder}
	world := filepath.Join(folder, "world")
	if err = os.Mkdir(world, 0o700); err == nil {
		s.files, err = disk.In(world)
	}
	if err != nil {
		return nil, err
	}
	s.config = anvil.Config{Files: s.files, Folder: world, Pack: pack, Create: &anvil.Flat{Chunks: 20}, Chunks: 1}
	return s, nil
}

func (s *site) close() {
	if s.files != nil {
		_ = s.files.Close()
	}
	_ = os.RemoveAll(s.folder)
}

// worldInspect measures a read of 4,096 positions with every block, none of
// whose chunks is in memory, beside decoding these chunks from their file.
func worldInspect(ctx context.Context, stdout io.Writer) (goal, error) {
	pack, err := blocks.Load(blocks.Default)
	if err != nil {
		return goal{}, err
	}
	s, err := newSite(pack)
	if err != nil {
		return goal{}, err
	}
	defer s.close()
	h, err := anvil.Open(s.config)
	if err != nil {
		return goal{}, err
	}
	defer h.Close()
	if err := furnish(ctx, h); err != nil {
		return goal{}, err
	}
	fmt.Fprintf(stdout, "world: %d rounds of reading %d positions and decoding their %d chunks\n",
		worldInspectRounds, worldBox.Volume(), len(host.ChunksOf(worldBox)))
	elsewhere := geom.Box{Min: geom.Pos{X: 40, Z: 40}, Max: geom.Pos{X: 40, Z: 40}}
	var cold, decoded, ratios []float64
	for range worldInspectRounds {
		if _, err := plan.Inspect(ctx, h, benchProject(), elsewhere, true); err != nil { // it takes the one place
			return goal{}, err
		}
		begun := time.Now()
		if _, err := plan.Inspect(ctx, h, benchProject(), worldBox, true); err != nil {
			return goal{}, err
		}
		c := time.Since(begun)
		begun = time.Now()
		if err := decode(s.files, pack, worldBox); err != nil {
			return goal{}, err
		}
		d := time.Since(begun)
		cold, decoded, ratios = append(cold, c.Seconds()), append(decoded, d.Seconds()), append(ratios, c.Seconds()/d.Seconds())
	}
	fmt.Fprintf(stdout, "world: %.2f ms to read them with every block, %.2f ms to decode\n", 1000*median(cold), 1000*median(decoded))
	return goal{name: "world-inspect-to-decode", measured: median(ratios), bound: worldInspectGoal, unit: "x"}, nil
}

// furnish puts forty kinds of blocks into the box, as they come.
func furnish(ctx context.Context, h *anvil.Host) error {
	r := rand.New(rand.NewPCG(3, 5))
	_, err := h.Edit(ctx, host.Cause{Kind: host.ByOther}, worldBox, func(w host.Writer) error {
		for at := range worldBox.Positions() {
			state, _ := h.Blocks().State(int32(1 + r.IntN(40)))
			if err := w.Set(at, state); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return h.Flush(ctx, host.ChunksOf(worldBox))
}

// decode reads the chunks of a box from their file, and the heights of the box
// in each.
func decode(files disk.FS, pack *blocks.Pack, box geom.Box) error {
	chunks := host.ChunksOf(box)
	file, err := region.Open(files, path.Join(regionFolder, region.Pos(chunks[0]).FileName()))
	if err != nil {
		return err
	}
	defer file.Close()
	for _, at := range chunks {
		raw, ok, err := file.Chunk(region.Pos(at))
		if err != nil || !ok {
			return fmt.Errorf("chunk %v: %v, %w", at, ok, err)
		}
		c, err := chunk.Parse(raw, pack)
		if err != nil {
			return err
		}
		if err := c.Load(box.Min.Y, box.Max.Y); err != nil {
			return err
		}
	}
	return nil
}
