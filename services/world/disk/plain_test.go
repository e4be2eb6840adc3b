package disk_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/disk"
)

// TestPlain: the cause and the file's own name stay, and no folder does.
func TestPlain(t *testing.T) {
	t.Parallel()
	write := &fs.PathError{Op: "write", Path: "/srv/save/region/r.0.0.mca", Err: syscall.ENOSPC}
	link := &os.LinkError{Op: "rename", Old: "/srv/save/a", New: "/srv/save/b", Err: syscall.EROFS}
	for want, err := range map[string]error{
		"write r.0.0.mca: no space left on device":                                          write,
		"it does not reach the disk: write r.0.0.mca: no space left on device":              fmt.Errorf("it does not reach the disk: %w", write),
		"rename a b: read-only file system":                                                 link,
		"write r.0.0.mca: no space left on device\nrename a b: read-only file system":       errors.Join(write, link),
		"both: write r.0.0.mca: no space left on device, rename a b: read-only file system": fmt.Errorf("both: %w, %w", write, link),
		"write r.0.0.mca: no space left on device ":                                         fmt.Errorf("%w ", &fs.PathError{Op: "write", Path: "r.0.0.mca", Err: syscall.ENOSPC}),
		"no file at all": errors.New("no file at all"),
	} {
		if got := disk.Plain(err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
