package asset

import (
	"path"
	"sync"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/disk"
)

// MaxFiles is how many schematics a world has at most.
const MaxFiles = 64

// Folder is the schematics of one world. It is safe for concurrent use.
type Folder struct {
	files disk.FS
	name  string
	pack  *blocks.Pack
	mu    sync.Mutex // held while a file is added
}

// Open makes the folder where it is missing and takes away what exports that
// died have left. Only the process that owns the world may call it.
func Open(files disk.FS, name string, pack *blocks.Pack) (*Folder, error) {
	if err := disk.MkdirAll(files, name, 0o700); err != nil {
		return nil, err
	}
	entries, err := files.ReadDir(name)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !disk.IsTemporary(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		if err := files.Remove(path.Join(name, e.Name())); err != nil {
			return nil, err
		}
	}
	return &Folder{files: files, name: name, pack: pack}, files.SyncDir(name)
}

// file is the name of the file of an asset.
func (f *Folder) file(id string) string { return path.Join(f.name, id+suffix) }
