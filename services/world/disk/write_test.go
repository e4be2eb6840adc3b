package disk_test

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/disk/lossy"
)

// outcome tells what a name stands for after a crash.
func outcome(d *lossy.Disk, name string) string {
	data, err := disk.ReadFile(d, name, 100)
	if err != nil {
		return "missing"
	}
	return string(data)
}

// crashes runs f on a disk and reports whether any crash, after any of its
// steps, leaves what bad finds fault with; done tells bad whether f was through.
func crashes(t *testing.T, skip int, f func(*lossy.Disk) error, bad func(d *lossy.Disk, done bool) bool) (found bool, syncs int) {
	t.Helper()
	d := lossy.New()
	must(t, disk.Replace(d, "file", []byte("old"), 0o600))
	d.Sync()
	d.Skip(skip)
	check := func(done bool) {
		found = found || bad(d.Crash(), done)
		for seed := range uint64(20) {
			found = found || bad(d.CrashSome(seed), done)
		}
	}
	d.Watch(func(string, string) { check(false) })
	must(t, f(d))
	check(true)
	return found, d.Syncs()
}

// TestSyncsAreNeeded leaves out each sync of a call.
//
// clause: W-24
func TestSyncsAreNeeded(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		do  func(*lossy.Disk) error
		bad func(d *lossy.Disk, done bool) bool
	}{
		"Replace": {
			func(d *lossy.Disk) error { return disk.Replace(d, "file", []byte("new"), 0o600) },
			func(d *lossy.Disk, done bool) bool {
				got := outcome(d, "file")
				return got != "new" && (done || got != "old")
			},
		},
		"Replace of nothing": {
			func(d *lossy.Disk) error { return disk.Replace(d, "fresh", []byte("new"), 0o600) },
			func(d *lossy.Disk, done bool) bool {
				got := outcome(d, "fresh")
				return got != "new" && (done || got != "missing")
			},
		},
		"MkdirAll": {
			func(d *lossy.Disk) error { return disk.MkdirAll(d, "a/b/c", 0o700) },
			func(d *lossy.Disk, done bool) bool {
				_, err := d.Stat("a/b/c")
				return done && err != nil
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, syncs := crashes(t, 0, test.do, test.bad)
			if found {
				t.Error("a crash does harm")
			}
			if syncs == 0 {
				t.Error("nothing is synced")
			}
			for n := range syncs {
				if found, _ := crashes(t, n+1, test.do, test.bad); !found {
					t.Errorf("without the sync %d no crash does harm", n+1)
				}
			}
		})
	}
}

func TestReplaceOnAFullDisk(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"create", "write", "sync", "rename"} {
		d := lossy.New()
		must(t, disk.Replace(d, "file", []byte("old"), 0o600))
		d.Refuse(func(step, _ string) error {
			if step == at {
				return syscall.ENOSPC
			}
			return nil
		})
		if err := disk.Replace(d, "file", []byte("new"), 0o600); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: %v, want %v", at, err, syscall.ENOSPC)
		}
		d.Refuse(nil)
		if got := outcome(d, "file"); got != "old" {
			t.Errorf("%s: the file is %q", at, got)
		}
		if _, err := d.Stat(disk.Temporary("file")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the temporary file is left", at)
		}
		must(t, disk.Replace(d, "file", []byte("new"), 0o600))
	}
}

func TestReplaceOverALeftTemporary(t *testing.T) {
	t.Parallel()
	f := folder(t)
	file, err := f.Create(disk.Temporary("file"), 0o600)
	must(t, err)
	must(t, file.Close())
	must(t, disk.Replace(f, "file", []byte("new"), 0o600))
	data, err := disk.ReadFile(f, "file", 3)
	if err != nil || string(data) != "new" {
		t.Errorf("the file is %q, %v", data, err)
	}
	if !disk.IsTemporary(disk.Temporary("file")) || disk.IsTemporary("file") {
		t.Error("IsTemporary does not know what Temporary gives")
	}
}

func TestReadFileIsBounded(t *testing.T) {
	t.Parallel()
	f := folder(t)
	must(t, disk.Replace(f, "file", []byte("12345"), 0o600))
	if data, err := disk.ReadFile(f, "file", 5); err != nil || string(data) != "12345" {
		t.Errorf("ReadFile of as much as is allowed: %q, %v", data, err)
	}
	if _, err := disk.ReadFile(f, "file", 4); !errors.Is(err, disk.ErrTooLarge) {
		t.Errorf("ReadFile of more: %v, want %v", err, disk.ErrTooLarge)
	}
}

func TestRenameNew(t *testing.T) {
	t.Parallel()
	for name, links := range map[string]bool{"with links": true, "without links": false} {
		d := lossy.New()
		if !links {
			d.Refuse(func(step, _ string) error {
				if step == "link" {
					return syscall.EPERM
				}
				return nil
			})
		}
		must(t, disk.Replace(d, "a", []byte("a"), 0o600))
		must(t, disk.Replace(d, "b", []byte("b"), 0o600))
		if err := disk.RenameNew(d, "a", "b"); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: RenameNew over a file: %v, want %v", name, err, fs.ErrExist)
		}
		if err := disk.RenameNew(d, "nothing", "c"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: RenameNew of nothing: %v, want %v", name, err, fs.ErrNotExist)
		}
		must(t, disk.RenameNew(d, "a", "c"))
		if got := [3]string{outcome(d, "a"), outcome(d, "b"), outcome(d, "c")}; got != [3]string{"missing", "b", "a"} {
			t.Errorf("%s: the files are %q", name, got)
		}
	}
}
