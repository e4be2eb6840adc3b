package asset_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/asset"
	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host/memory"
	"github.com/pharos-mcp/pharos/services/world/schem"
)

// options are those of a project that says nothing of its own.
var options = schem.Options{Policy: blocks.DefaultPolicy()}

var load = sync.OnceValues(func() (*blocks.Pack, error) { return blocks.Load(blocks.Default) })

func pack(t testing.TB) *blocks.Pack {
	t.Helper()
	p, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// world is a flat world with a schematics folder.
type world struct {
	*memory.Host
	*asset.Folder
	files disk.FS
	path  string // of the schematics
}

func newWorld(t *testing.T) *world { return worldOver(t, func(in disk.FS) disk.FS { return in }) }

// worldOver has a layer above the disk.
func worldOver(t *testing.T, layer func(disk.FS) disk.FS) *world {
	t.Helper()
	folder := t.TempDir()
	in, err := disk.In(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	h := memory.New(memory.Config{Pack: pack(t)})
	t.Cleanup(func() { _ = h.Close() })
	files := layer(in)
	assets, err := asset.Open(files, "pharos/schematics", pack(t))
	if err != nil {
		t.Fatal(err)
	}
	return &world{h, assets, files, filepath.Join(folder, "pharos", "schematics")}
}

// area is the one of the tests' project.
var area = geom.NewBox(geom.Pos{X: -100, Y: -64, Z: -100}, geom.Pos{X: 100, Y: 319, Z: 100})

// box is 3 × 2 × 4 positions: grass, and air above it.
var box = geom.NewBox(geom.Pos{X: 1, Y: 64, Z: 5}, geom.Pos{X: 3, Y: 65, Z: 8})

func (w *world) export(name string, change ...func(*asset.Export)) (asset.Asset, error) {
	e := asset.Export{Name: name, Box: box, Area: area, MaxBlocks: 4096, Options: options}
	for _, c := range change {
		c(&e)
	}
	return w.Export(context.Background(), w.Host, e)
}

// put puts a file into the folder, as the owner does.
func (w *world) put(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(w.path, name), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// names are the files in the folder.
func (w *world) names(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(w.path)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// stone is a file of one block.
func stone(t *testing.T, name string) []byte {
	t.Helper()
	s, err := schem.New(1, 1, 1, []string{"minecraft:stone"})
	if err != nil {
		t.Fatal(err)
	}
	s.Name, s.DataVersion = name, pack(t).DataVersion()
	file, err := schem.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// refused checks a refusal's code and what it says, and that it has no path.
func (w *world) refused(t *testing.T, err error, code fault.Code, says ...string) {
	t.Helper()
	var f *fault.Fault
	if !errors.As(err, &f) || f.Code != code {
		t.Fatalf("%v, want %q", err, code)
	}
	for _, text := range says {
		if !strings.Contains(f.Message, text) {
			t.Errorf("message %q lacks %q", f.Message, text)
		}
	}
	for _, part := range []string{w.path, "pharos/", "schematics/"} {
		if strings.Contains(f.Message, part) {
			t.Errorf("message %q has a path", f.Message)
		}
	}
}

// absent reports whether there is no such file.
func (w *world) absent(name string) bool {
	_, err := os.Lstat(filepath.Join(w.path, name))
	return errors.Is(err, fs.ErrNotExist)
}
