package anvil

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/pharos-mcp/pharos/services/world/chunk"
	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/region"
)

// create makes a world where there is none. level.dat comes last, so a world
// that has it is whole; a mark stands from the first step to after it, by which a
// world that was not finished is known from one that has lost its level.dat.
func create(c Config, now time.Time) error {
	_, err := c.Files.Stat(levelFile)
	if err == nil {
		return finished(c.Files)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := c.Files.Stat(creating); errors.Is(err, fs.ErrNotExist) {
		if _, err := c.Files.Stat(regions); !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(fmt.Errorf("the world has a folder %s and no %s; put that back", regions, levelFile), err)
		}
	}
	if c.Create == nil {
		return fmt.Errorf("there is no world: the folder has no %s", levelFile)
	}
	if err := disk.MkdirAll(c.Files, own, folderPerm); err != nil {
		return err
	}
	if err := disk.Replace(c.Files, creating, nil, filePerm); err != nil {
		return err
	}
	if err := c.Create.write(c, now); err != nil {
		return fmt.Errorf("a new world: %w", err)
	}
	return finished(c.Files)
}

// finished takes the mark away.
func finished(files disk.FS) error {
	err := files.Remove(creating)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return files.SyncDir(own)
}

func (f *Flat) write(c Config, now time.Time) error {
	side := f.Chunks
	if side == 0 {
		side = 8
	}
	if side < 1 || side > 32 {
		return fmt.Errorf("%d chunks along a side, and it has 1 to 32", side)
	}
	name := f.Name
	if name == "" {
		name = "pharos"
	}
	if err := disk.MkdirAll(c.Files, regions, folderPerm); err != nil {
		return err
	}
	made := map[string]map[region.Pos][]byte{}
	for z := -side / 2; z < side-side/2; z++ {
		for x := -side / 2; x < side-side/2; x++ {
			p := region.Pos{X: int32(x), Z: int32(z)}
			fresh, err := chunk.New(c.Pack, p.X, p.Z, flatLayers())
			if err != nil {
				return err
			}
			if made[p.FileName()] == nil {
				made[p.FileName()] = map[region.Pos][]byte{}
			}
			made[p.FileName()][p] = fresh.Encode()
		}
	}
	for _, name := range slices.Sorted(maps.Keys(made)) {
		if err := region.Rewrite(c.Files, path.Join(regions, name), made[name], now); err != nil {
			return err
		}
	}
	level, err := newLevel(c.Pack, strings.ToValidUTF8(name, ""), now)
	if err != nil {
		return err
	}
	return disk.Replace(c.Files, levelFile, level, filePerm)
}
