package region

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/pharos-mcp/pharos/services/world/disk"
)

// Pos is the place of a chunk, in units of 16 blocks.
type Pos struct{ X, Z int32 }

// String writes "(x, z)".
func (p Pos) String() string { return fmt.Sprintf("(%d, %d)", p.X, p.Z) }

// FileName is the name of the region file that has the chunk.
func (p Pos) FileName() string { return fmt.Sprintf("r.%d.%d.mca", p.X>>5, p.Z>>5) }

// external is the name of the chunk's own file.
func (p Pos) external() string { return fmt.Sprintf("c.%d.%d.mcc", p.X, p.Z) }

// slot is the chunk's number in its region.
func (p Pos) slot() int { return int(p.Z&31)<<5 | int(p.X&31) }

// First returns the first chunk of the region file of that name.
func First(name string) (Pos, bool) {
	base := path.Base(name)
	words := strings.Split(base, ".")
	if len(words) != 4 {
		return Pos{}, false
	}
	x, errX := strconv.ParseInt(words[1], 10, 27)
	z, errZ := strconv.ParseInt(words[2], 10, 27)
	p := Pos{int32(x) << 5, int32(z) << 5}
	return p, errX == nil && errZ == nil && p.FileName() == base
}

// Clean takes away what a crash left half written in a folder. Nobody may be
// writing there.
func Clean(layer disk.FS, folder string) error {
	entries, err := layer.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if disk.IsTemporary(e.Name()) && e.Type().IsRegular() {
			if err := layer.Remove(path.Join(folder, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}
