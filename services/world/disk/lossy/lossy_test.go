package lossy_test

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/disk/lossy"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// put makes a file, and syncs its content where it is told to.
func put(t *testing.T, d *lossy.Disk, name, data string, sync bool) {
	t.Helper()
	f, err := d.Create(name, 0o600)
	must(t, err)
	_, err = f.Write([]byte(data))
	must(t, err)
	if sync {
		must(t, f.Sync())
	}
	must(t, f.Close())
}

// files are all files of a disk with their content, and folders as "name/".
func files(t *testing.T, d *lossy.Disk) map[string]string {
	t.Helper()
	all := map[string]string{}
	var walk func(string)
	walk = func(folder string) {
		entries, err := d.ReadDir(folder)
		must(t, err)
		for _, e := range entries {
			name := e.Name()
			if folder != "." {
				name = folder + "/" + name
			}
			if e.IsDir() {
				all[name+"/"] = ""
				walk(name)
				continue
			}
			data, err := disk.ReadFile(d, name, 1<<20)
			must(t, err)
			all[name] = string(data)
		}
	}
	walk(".")
	return all
}

func TestCrash(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		do   func(*testing.T, *lossy.Disk)
		want map[string]string
	}{
		{"nothing is synced", func(t *testing.T, d *lossy.Disk) { put(t, d, "new", "n", false) },
			map[string]string{"old": "o", "folder/": "", "folder/in": "i"}},
		{"the content alone is synced", func(t *testing.T, d *lossy.Disk) { put(t, d, "new", "n", true) },
			map[string]string{"old": "o", "folder/": "", "folder/in": "i"}},
		{"the name alone is synced", func(t *testing.T, d *lossy.Disk) {
			put(t, d, "new", "n", false)
			must(t, d.SyncDir("."))
		}, map[string]string{"old": "o", "folder/": "", "folder/in": "i", "new": ""}},
		{"both are synced, the content by name", func(t *testing.T, d *lossy.Disk) {
			put(t, d, "new", "n", false)
			must(t, d.SyncFile("new"))
			must(t, d.SyncDir("."))
		}, map[string]string{"old": "o", "folder/": "", "folder/in": "i", "new": "n"}},
		{"both are synced", func(t *testing.T, d *lossy.Disk) {
			put(t, d, "new", "n", true)
			must(t, d.SyncDir("."))
		}, map[string]string{"old": "o", "folder/": "", "folder/in": "i", "new": "n"}},
		{"what is written after the sync", func(t *testing.T, d *lossy.Disk) {
			f, err := d.Create("new", 0o600)
			must(t, err)
			for _, s := range []string{"a", "b"} {
				_, err = f.Write([]byte(s))
				must(t, err)
				if s == "a" {
					must(t, f.Sync())
				}
			}
			must(t, d.SyncDir("."))
		}, map[string]string{"old": "o", "folder/": "", "folder/in": "i", "new": "a"}},
		{"a rename", func(t *testing.T, d *lossy.Disk) {
			must(t, d.Rename("old", "renamed"))
			must(t, d.SyncDir("folder"))
		}, map[string]string{"old": "o", "folder/": "", "folder/in": "i"}},
		{"a rename that is synced", func(t *testing.T, d *lossy.Disk) {
			must(t, d.Rename("old", "renamed"))
			must(t, d.SyncDir("."))
		}, map[string]string{"renamed": "o", "folder/": "", "folder/in": "i"}},
		{"a rename to another folder of which the target is synced", func(t *testing.T, d *lossy.Disk) {
			must(t, d.Rename("old", "folder/old"))
			must(t, d.SyncDir("folder"))
		}, map[string]string{"old": "o", "folder/": "", "folder/in": "i", "folder/old": "o"}},
		{"a link", func(t *testing.T, d *lossy.Disk) {
			must(t, d.Link("old", "folder/second"))
			must(t, d.SyncDir("folder"))
			must(t, d.Remove("old"))
			must(t, d.SyncDir("."))
		}, map[string]string{"folder/": "", "folder/in": "i", "folder/second": "o"}},
		{"a file that is removed", func(t *testing.T, d *lossy.Disk) { must(t, d.Remove("folder/in")) },
			map[string]string{"old": "o", "folder/": "", "folder/in": "i"}},
		{"a new folder whose name is not synced", func(t *testing.T, d *lossy.Disk) {
			must(t, d.Mkdir("fresh", 0o700))
			put(t, d, "fresh/file", "f", true)
			must(t, d.SyncDir("fresh"))
		}, map[string]string{"old": "o", "folder/": "", "folder/in": "i"}},
		{"a new folder", func(t *testing.T, d *lossy.Disk) {
			must(t, d.Mkdir("fresh", 0o700))
			put(t, d, "fresh/file", "f", true)
			must(t, d.SyncDir("fresh"))
			must(t, d.SyncDir("."))
		}, map[string]string{"old": "o", "folder/": "", "folder/in": "i", "fresh/": "", "fresh/file": "f"}},
		{"the second sync is left out", func(t *testing.T, d *lossy.Disk) {
			d.Skip(2)
			put(t, d, "a", "a", true)
			put(t, d, "b", "b", true)
			must(t, d.SyncDir("."))
			if d.Syncs() != 3 {
				t.Errorf("%d syncs, want 3", d.Syncs())
			}
		}, map[string]string{"old": "o", "folder/": "", "folder/in": "i", "a": "a", "b": ""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := lossy.New()
			put(t, d, "old", "o", false)
			must(t, d.Mkdir("folder", 0o700))
			put(t, d, "folder/in", "i", false)
			d.Sync()
			test.do(t, d)
			before := files(t, d)
			after := d.Crash()
			if diff := cmp.Diff(test.want, files(t, after)); diff != "" {
				t.Errorf("after the crash (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(files(t, after), files(t, after.Crash())); diff != "" {
				t.Errorf("after a second crash (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, files(t, d)); diff != "" {
				t.Errorf("the disk that crashed has changed (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCrashSome sees everything that may be left, and the same by the same seed.
func TestCrashSome(t *testing.T) {
	t.Parallel()
	d := lossy.New()
	put(t, d, "old", "old", true)
	must(t, d.SyncDir("."))
	put(t, d, "new", "new", false)
	must(t, d.Rename("new", "old"))
	seen := map[string]bool{}
	for seed := range uint64(200) {
		left := files(t, d.CrashSome(seed))
		if diff := cmp.Diff(left, files(t, d.CrashSome(seed))); diff != "" {
			t.Fatalf("the seed %d leaves two things:\n%s", seed, diff)
		}
		if _, there := left["old"]; !there {
			t.Fatalf("the seed %d lost the old name: %q", seed, left)
		}
		if s, there := left["new"]; there && left["old"] != "old" {
			t.Fatalf("the seed %d did half of a rename: new %q, old %q", seed, s, left["old"])
		}
		seen[left["old"]] = true
	}
	for _, want := range []string{"old", "new", "", "n", "ne", "\x00\x00\x00"} {
		if !seen[want] {
			t.Errorf("no seed left %q", want)
		}
	}
}

func TestRefuse(t *testing.T) {
	t.Parallel()
	d := lossy.New()
	put(t, d, "old", "o", false)
	d.Refuse(func(step, name string) error {
		if step == "write" && name == "new" {
			return syscall.ENOSPC
		}
		return nil
	})
	f, err := d.Create("new", 0o600)
	must(t, err)
	if _, err := f.Write([]byte("n")); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("Write on a full disk: %v", err)
	}
	var steps []string
	d.Watch(func(step, name string) { steps = append(steps, step+" "+name) })
	must(t, f.Sync())
	must(t, d.Rename("new", "old"))
	if diff := cmp.Diff([]string{"sync new", "rename old"}, steps); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

// TestErrors holds the layer to what disk.FS says.
func TestErrors(t *testing.T) {
	t.Parallel()
	d := lossy.New()
	must(t, d.Mkdir("folder", 0o700))
	put(t, d, "folder/file", "f", false)
	for name, test := range map[string]struct{ err, want error }{
		"open nothing":            {second(d.Open("nothing")), fs.ErrNotExist},
		"open a folder":           {second(d.Open("folder")), disk.ErrNotRegular},
		"create what is there":    {second(d.Create("folder/file", 0o600)), fs.ErrExist},
		"create in no folder":     {second(d.Create("no/file", 0o600)), fs.ErrNotExist},
		"create outside":          {second(d.Create("../file", 0o600)), fs.ErrInvalid},
		"make what is there":      {d.Mkdir("folder", 0o700), fs.ErrExist},
		"link to what is there":   {d.Link("folder/file", "folder"), fs.ErrExist},
		"link nothing":            {d.Link("nothing", "x"), fs.ErrNotExist},
		"rename nothing":          {d.Rename("nothing", "x"), fs.ErrNotExist},
		"remove nothing":          {d.Remove("nothing"), fs.ErrNotExist},
		"remove a folder in use":  {d.Remove("folder"), fs.ErrInvalid},
		"list nothing":            {second(d.ReadDir("nothing")), fs.ErrNotExist},
		"sync nothing":            {d.SyncDir("nothing"), fs.ErrNotExist},
		"sync no file":            {d.SyncFile("nothing"), fs.ErrNotExist},
		"sync a folder as a file": {d.SyncFile("folder"), disk.ErrNotRegular},
		"tell about nothing":      {second(d.Stat("nothing")), fs.ErrNotExist},
		"sync a file as a folder": {d.SyncDir("folder/file"), fs.ErrInvalid},
	} {
		if !errors.Is(test.err, test.want) {
			t.Errorf("%s: %v, want %v", name, test.err, test.want)
		}
	}
}

func second[T any](_ T, err error) error { return err }
