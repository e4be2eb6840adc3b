package main

import (
	"context"
	"fmt"
	"io"
	"path"
	"time"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/chunk"
	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/anvil"
	"github.com/pharos-mcp/pharos/services/world/region"
)

// regionsAside is how many full region files a large world has along a side,
// beside those of its middle: together they have 100 MB.
const regionsAside = 5

// worldOpen measures opening a world of 100 MB and reading one block of it,
// beside opening its files and reading their headers.
func worldOpen(ctx context.Context, stdout io.Writer) (goal, error) {
	pack, err := blocks.Load(blocks.Default)
	if err != nil {
		return goal{}, err
	}
	s, err := newSite(pack)
	if err != nil {
		return goal{}, err
	}
	defer s.close()
	made, err := anvil.Open(s.config)
	if err != nil {
		return goal{}, err
	}
	if err := made.Close(); err != nil {
		return goal{}, err
	}
	size, err := spread(ctx, s.files, pack)
	if err != nil {
		return goal{}, err
	}
	fmt.Fprintf(stdout, "world: %d rounds of opening a world of %d MB and its files\n", worldOpenRounds, size/1_000_000)
	var opened, files, ratios []float64
	for range worldOpenRounds {
		begun := time.Now()
		h, err := anvil.Open(s.config)
		if err != nil {
			return goal{}, err
		}
		if err := h.View(ctx, geom.Box{}, func(r host.Reader) error { r.At(geom.Pos{}); return nil }); err != nil {
			return goal{}, err
		}
		o := time.Since(begun)
		if err := h.Close(); err != nil {
			return goal{}, err
		}
		begun = time.Now()
		if err := openFiles(s.files); err != nil {
			return goal{}, err
		}
		f := time.Since(begun)
		opened, files, ratios = append(opened, o.Seconds()), append(files, f.Seconds()), append(ratios, o.Seconds()/f.Seconds())
	}
	fmt.Fprintf(stdout, "world: %.2f ms until a block is read, %.2f ms to open the files\n", 1000*median(opened), 1000*median(files))
	return goal{name: "world-open-to-files", measured: median(ratios), bound: worldOpenGoal, unit: "x"}, nil
}

// spread adds full region files of flat chunks around a world, and returns how
// large all are.
func spread(ctx context.Context, files disk.FS, pack *blocks.Pack) (size int64, err error) {
	layers := []chunk.Layer{{State: "minecraft:bedrock", Height: 1}, {State: "minecraft:stone", Height: 120}, {State: "minecraft:dirt", Height: 8}}
	for z := range int32(regionsAside) {
		for x := range int32(regionsAside) {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			first := region.Pos{X: (x + 1) << 5, Z: (z + 1) << 5}
			data := map[region.Pos][]byte{}
			for slot := range int32(1024) {
				p := region.Pos{X: first.X + slot&31, Z: first.Z + slot>>5}
				c, err := chunk.New(pack, p.X, p.Z, layers)
				if err != nil {
					return 0, err
				}
				data[p] = c.Encode()
			}
			if err := region.Rewrite(files, path.Join(regionFolder, first.FileName()), data, time.Now()); err != nil {
				return 0, err
			}
		}
	}
	entries, err := files.ReadDir(regionFolder)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return 0, err
		}
		size += info.Size()
	}
	return size, err
}

// openFiles opens every region file, and reads level.dat.
func openFiles(files disk.FS) error {
	if _, err := disk.ReadFile(files, "level.dat", 1<<20); err != nil {
		return err
	}
	entries, err := files.ReadDir(regionFolder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		file, err := region.Open(files, path.Join(regionFolder, e.Name()))
		if err != nil {
			return err
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
	return nil
}
