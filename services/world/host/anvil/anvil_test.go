package anvil_test

import (
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/anvil"
	"github.com/pharos-mcp/pharos/services/world/host/hosttest"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func pack(t *testing.T) *blocks.Pack {
	t.Helper()
	p, err := blocks.Load(blocks.Default)
	must(t, err)
	return p
}

func now() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

// config is that of a world on these files, made small where there is none.
func config(t *testing.T, files disk.FS) anvil.Config {
	return anvil.Config{Files: files, Pack: pack(t), Create: &anvil.Flat{Chunks: 4}, Now: now}
}

// in is a folder as files.
func in(t *testing.T, folder string) *disk.Folder {
	t.Helper()
	files, err := disk.In(folder)
	must(t, err)
	t.Cleanup(func() { files.Close() })
	return files
}

func open(t *testing.T, c anvil.Config) *anvil.Host {
	t.Helper()
	h, err := anvil.Open(c)
	must(t, err)
	t.Cleanup(func() { h.Close() })
	return h
}

// set is an edit of one block.
func set(t *testing.T, h host.Host, p geom.Pos, state string) {
	t.Helper()
	_, err := h.Edit(t.Context(), host.Cause{Kind: host.ByOther}, geom.Box{Min: p, Max: p}, func(w host.Writer) error {
		return w.Set(p, state)
	})
	must(t, err)
}

// at is one block, or the error of reading it.
func at(t *testing.T, h host.Host, p geom.Pos) (state string) {
	t.Helper()
	err := h.View(t.Context(), geom.Box{Min: p, Max: p}, func(r host.Reader) error {
		state = r.At(p)
		return nil
	})
	if err != nil {
		return err.Error()
	}
	return state
}

// clause: W-11
func TestHost(t *testing.T) {
	t.Parallel()
	hosttest.Run(t, func(t *testing.T) hosttest.World {
		folder := t.TempDir()
		c := config(t, in(t, folder))
		c.Folder = folder
		h := open(t, c)
		return hosttest.World{
			Host: h, Outside: h, Missing: host.ChunkPos{X: 2, Z: 0},
			Reopen: func(t *testing.T) host.Host {
				must(t, h.Close())
				return open(t, c)
			},
		}
	})
}

// TestHostWithoutRoom has a host keep no more than one chunk that did not change.
func TestHostWithoutRoom(t *testing.T) {
	t.Parallel()
	hosttest.Run(t, func(t *testing.T) hosttest.World {
		c := config(t, in(t, t.TempDir()))
		c.Chunks = 1
		h := open(t, c)
		return hosttest.World{Host: h, Outside: h, Missing: host.ChunkPos{X: 2, Z: 0}}
	})
}
