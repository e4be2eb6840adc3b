package anvil

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/pharos-mcp/pharos/services/world/crashpoint"
	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/region"
)

// keepOriginal keeps a region file, and the files of its large chunks, as they
// are before the first change. The region file comes last: once it is among the
// originals, all of them are.
func (h *Host) keepOriginal(name string) error {
	if _, err := h.files.Stat(path.Join(kept, name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	large, err := h.largeChunks(name)
	if err != nil {
		return err
	}
	for _, file := range large {
		if err := h.keep(file); err != nil {
			return err
		}
	}
	if len(large) > 0 {
		if err := h.files.SyncDir(kept); err != nil {
			return err
		}
	}
	if err := h.keep(name); err != nil {
		return err
	}
	if err := h.files.SyncDir(kept); err != nil {
		return err
	}
	crashpoint.At(crashpoint.OriginalKept)
	return nil
}

// largeChunks are the names of the .mcc files of a region.
func (h *Host) largeChunks(name string) ([]string, error) {
	entries, err := h.files.ReadDir(regions)
	if err != nil {
		return nil, err
	}
	var large []string
	for _, e := range entries {
		words := strings.Split(e.Name(), ".")
		if len(words) != 4 || words[0] != "c" || words[3] != "mcc" {
			continue
		}
		x, errX := strconv.ParseInt(words[1], 10, 32)
		z, errZ := strconv.ParseInt(words[2], 10, 32)
		if errX == nil && errZ == nil && (region.Pos{X: int32(x), Z: int32(z)}).FileName() == name {
			large = append(large, e.Name())
		}
	}
	return large, nil
}

// keep gives a file of the regions a second name among the originals, or copies
// it there. The content is synced, the name is not.
func (h *Host) keep(name string) error {
	from, to := path.Join(regions, name), path.Join(kept, name)
	if err := h.files.SyncFile(from); err != nil { // its last writer may not have been careful
		return err
	}
	err := h.files.Link(from, to)
	if errors.Is(err, fs.ErrExist) { // from a process that died before it kept all of the region
		if err = h.files.Remove(to); err == nil {
			err = h.files.Link(from, to)
		}
	}
	if err != nil {
		err = h.copy(from, to)
	}
	if err != nil {
		return fmt.Errorf("the original of %s: %w", from, err)
	}
	return nil
}

func (h *Host) copy(from, to string) error {
	source, err := h.files.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := disk.CreateTemporary(h.files, to, filePerm)
	if err != nil {
		return err
	}
	if err := disk.Fill(target, source); err != nil {
		return errors.Join(err, h.files.Remove(disk.Temporary(to)))
	}
	return h.files.Rename(disk.Temporary(to), to)
}
