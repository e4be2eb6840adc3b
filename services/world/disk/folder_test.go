package disk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/disk"
)

func folder(t *testing.T) *disk.Folder {
	t.Helper()
	f, err := disk.In(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	f := folder(t)
	outside := filepath.Join(t.TempDir(), "secret")
	must(t, os.WriteFile(outside, []byte("s"), 0o600))
	must(t, os.WriteFile(filepath.Join(f.Path(), "file"), []byte("f"), 0o600))
	must(t, os.Mkdir(filepath.Join(f.Path(), "folder"), 0o700))
	must(t, os.Symlink("file", filepath.Join(f.Path(), "link")))
	must(t, os.Symlink(outside, filepath.Join(f.Path(), "out")))
	must(t, os.Symlink(filepath.Dir(outside), filepath.Join(f.Path(), "outfolder")))
	must(t, syscall.Mkfifo(filepath.Join(f.Path(), "pipe"), 0o600))
	for _, name := range []string{"folder", "link", "out", "pipe"} {
		if _, err := f.Open(name); !errors.Is(err, disk.ErrNotRegular) {
			t.Errorf("Open(%q): %v, want %v", name, err, disk.ErrNotRegular)
		}
	}
	if _, err := f.Open("nothing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open of nothing: %v, want %v", err, fs.ErrNotExist)
	}
	for _, name := range []string{"../" + filepath.Base(f.Path()) + "/file", outside, "outfolder/secret", "folder/../../x"} {
		if r, err := f.Open(name); err == nil {
			r.Close()
			t.Errorf("Open(%q) leads out of the folder", name)
		}
	}
	if _, err := f.Create("out", 0o600); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Create over a link: %v, want %v", err, fs.ErrExist)
	}
	if _, err := f.Create("outfolder/new", 0o600); err == nil {
		t.Error("Create through a link that leads out works")
	}
}
