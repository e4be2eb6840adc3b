package anvil

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sync"
	"time"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/chunk"
	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/serial"
	"github.com/pharos-mcp/pharos/services/world/region"
)

// Config says which world is opened, and how.
type Config struct {
	// Files is the world's folder.
	Files disk.FS
	// Folder is where Files is for the operating system, which session.lock is
	// taken in. Without it nothing is locked: it is for files that are no folder.
	Folder string
	Pack   *blocks.Pack
	// Create makes a world where there is none; nil refuses that.
	Create *Flat
	// Chunks bounds how many chunks are kept beside those that changed; 256 where
	// it is 0. One takes some 100 KB.
	Chunks int
	// Now is the time for what is written; time.Now where it is nil.
	Now func() time.Time
}

// Host is a world's owner.
type Host struct {
	*serial.World
	info   host.Info
	files  disk.FS
	now    func() time.Time
	chunks *cache
	unlock func()

	flushing sync.Mutex // one flush at a time
}

var _ host.Host = (*Host)(nil)

// The folders and files of a world that the host uses.
const (
	regions     = "region"
	entities    = "entities"
	levelFile   = "level.dat"
	own         = "pharos"
	identity    = own + "/world.json"
	originals   = own + "/originals"
	kept        = originals + "/" + regions
	creating    = own + "/creating"
	folderPerm  = 0o755
	filePerm    = 0o644
	keptAtFirst = 256
)

// Open takes a world, or makes it.
func Open(c Config) (_ *Host, err error) {
	h := &Host{files: c.Files, now: c.Now, unlock: func() {}}
	if h.now == nil {
		h.now = time.Now
	}
	if c.Folder != "" {
		if h.unlock, err = lock(c.Folder); err != nil {
			return nil, err
		}
	}
	defer func() {
		if err != nil {
			h.unlock()
		}
	}()
	if err := clean(c.Files); err != nil {
		return nil, err
	}
	if err := create(c, h.now()); err != nil {
		return nil, err
	}
	version, err := readLevel(c.Files)
	if err != nil {
		return nil, err
	}
	id, err := readIdentity(c.Files)
	if err != nil {
		return nil, err
	}
	h.info = host.Info{
		World: id, Version: c.Pack.Version(), DataVersion: c.Pack.DataVersion(), MinY: chunk.MinY, MaxY: chunk.MaxY,
		Flushes: true, ReadOnly: readOnly(version, c.Pack),
	}
	if h.info.ReadOnly == "" {
		if err := disk.MkdirAll(c.Files, kept, folderPerm); err != nil {
			return nil, err
		}
	}
	room := c.Chunks
	if room == 0 {
		room = keptAtFirst
	}
	h.chunks = newCache(room)
	h.World = serial.New(&store{h}, c.Pack, chunk.MinY, chunk.MaxY, func() string { return h.info.ReadOnly })
	return h, nil
}

// readOnly says why a world of that version is not written, or "".
func readOnly(version int32, pack *blocks.Pack) string {
	switch {
	case version > pack.DataVersion():
		return fmt.Sprintf("a newer version of the game saved it (DataVersion %d); this one knows the blocks of %s (DataVersion %d)",
			version, pack.Version(), pack.DataVersion())
	case version < chunk.OldestVersion:
		return fmt.Sprintf("a version from before 1.18 saved it (DataVersion %d); the game converts it when it opens it", version)
	default:
		return ""
	}
}

// clean takes away what a process that died left half written.
func clean(files disk.FS) error {
	for _, folder := range []string{".", own, originals, kept, regions} {
		if err := region.Clean(files, folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("what an earlier process left in %s: %w", path.Clean(folder), err)
		}
	}
	return nil
}

// Info implements host.Host.
func (h *Host) Info() host.Info { return h.info }

// Close implements host.Host. The world is let go also where flushing fails.
func (h *Host) Close() error {
	if !h.World.Close() {
		return nil
	}
	h.flushing.Lock()
	defer h.flushing.Unlock()
	defer h.unlock()
	return h.flush(context.Background(), h.chunks.changed())
}
