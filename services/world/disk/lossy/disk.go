package lossy

import (
	"io/fs"
	"maps"
	"slices"
	"sync"

	"github.com/pharos-mcp/pharos/services/world/disk"
)

// Disk is a disk in memory.
type Disk struct {
	mu     sync.Mutex
	root   *node
	syncs  int
	skip   int
	watch  func(step, name string)
	refuse func(step, name string) error
}

var _ disk.FS = (*Disk)(nil)

// New returns an empty disk.
func New() *Disk { return &Disk{root: newFolder(0o755)} }

// Skip leaves the n-th sync out from now on, counted from 1, of files and
// folders together; it says that it was done. 0 leaves none out. It also begins
// to count anew.
func (d *Disk) Skip(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.syncs, d.skip = 0, n
}

// Syncs is the number of syncs since Skip.
func (d *Disk) Syncs() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.syncs
}

// Watch runs f after each step that changed something: "create", "write",
// "sync", "rename", "link", "remove", "mkdir" or "syncdir". f may use the disk.
func (d *Disk) Watch(f func(step, name string)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.watch = f
}

// Refuse asks f before each step whether it fails; also before "open". f does
// not use the disk.
func (d *Disk) Refuse(f func(step, name string) error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.refuse = f
}

// step does one thing that changes the disk.
func (d *Disk) step(step, name string, f func() error) error {
	d.mu.Lock()
	err := d.allow(step, name)
	if err == nil {
		err = f()
	}
	watch := d.watch
	d.mu.Unlock()
	if err == nil && watch != nil {
		watch(step, name)
	}
	return err
}

func (d *Disk) allow(step, name string) error {
	if d.refuse == nil {
		return nil
	}
	if err := d.refuse(step, name); err != nil {
		return refuse(step, name, err)
	}
	return nil
}

// sync syncs a node unless it is the one to be skipped.
func (d *Disk) sync(n *node) {
	d.syncs++
	if d.syncs != d.skip {
		n.sync()
	}
}

// Open implements disk.FS.
func (d *Disk) Open(name string) (disk.Reader, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.allow("open", name); err != nil {
		return nil, err
	}
	n, err := d.root.find("open", name)
	if err != nil {
		return nil, err
	}
	if !n.mode.IsRegular() {
		return nil, refuse("open", name, disk.ErrNotRegular)
	}
	return newReader(n.info(name), n.data), nil
}

// Create implements disk.FS.
func (d *Disk) Create(name string, perm fs.FileMode) (disk.File, error) {
	n := &node{mode: perm.Perm()}
	err := d.step("create", name, func() error { return d.add("create", name, n) })
	if err != nil {
		return nil, err
	}
	return &file{disk: d, node: n, name: name}, nil
}

// add gives a node a name that must be free.
func (d *Disk) add(op, name string, n *node) error {
	folder, base, err := d.root.parent(op, name)
	if err != nil {
		return err
	}
	if folder.names[base] != nil {
		return refuse(op, name, fs.ErrExist)
	}
	folder.change(change{base: n})
	return nil
}

// Mkdir implements disk.FS.
func (d *Disk) Mkdir(name string, perm fs.FileMode) error {
	return d.step("mkdir", name, func() error { return d.add("mkdir", name, newFolder(perm.Perm())) })
}

// Link implements disk.FS.
func (d *Disk) Link(from, to string) error {
	return d.step("link", to, func() error {
		n, err := d.root.find("link", from)
		if err != nil {
			return err
		}
		if n.mode.IsDir() {
			return refuse("link", from, fs.ErrInvalid)
		}
		return d.add("link", to, n)
	})
}

// Rename implements disk.FS. It renames files only.
func (d *Disk) Rename(from, to string) error {
	return d.step("rename", to, func() error {
		n, err := d.root.find("rename", from)
		if err != nil {
			return err
		}
		source, old, err := d.root.parent("rename", from)
		if err != nil {
			return err
		}
		target, base, err := d.root.parent("rename", to)
		if err != nil {
			return err
		}
		if there := target.names[base]; n.mode.IsDir() || there != nil && there.mode.IsDir() {
			return refuse("rename", to, fs.ErrInvalid)
		}
		switch {
		case target.names[base] == n: // two names of one file: nothing happens
		case source == target:
			target.change(change{old: nil, base: n})
		default:
			target.change(change{base: n})
			source.change(change{old: nil})
		}
		return nil
	})
}

// Remove implements disk.FS.
func (d *Disk) Remove(name string) error {
	return d.step("remove", name, func() error {
		n, err := d.root.find("remove", name)
		if err != nil {
			return err
		}
		folder, base, err := d.root.parent("remove", name)
		if err != nil {
			return err
		}
		if len(n.names) > 0 {
			return refuse("remove", name, fs.ErrInvalid)
		}
		folder.change(change{base: nil})
		return nil
	})
}

// SyncFile implements disk.FS. It is the step "sync".
func (d *Disk) SyncFile(name string) error {
	return d.step("sync", name, func() error {
		n, err := d.root.find("sync", name)
		if err != nil {
			return err
		}
		if !n.mode.IsRegular() {
			return refuse("sync", name, disk.ErrNotRegular)
		}
		d.sync(n)
		return nil
	})
}

// SyncDir implements disk.FS.
func (d *Disk) SyncDir(name string) error {
	return d.step("syncdir", name, func() error {
		n, err := d.root.find("sync", name)
		if err != nil {
			return err
		}
		if !n.mode.IsDir() {
			return refuse("sync", name, fs.ErrInvalid)
		}
		d.sync(n)
		return nil
	})
}

// ReadDir implements disk.FS.
func (d *Disk) ReadDir(name string) ([]fs.DirEntry, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.root.find("open", name)
	if err != nil {
		return nil, err
	}
	if !n.mode.IsDir() {
		return nil, refuse("open", name, fs.ErrInvalid)
	}
	entries := []fs.DirEntry{}
	for _, base := range slices.Sorted(maps.Keys(n.names)) {
		entries = append(entries, fs.FileInfoToDirEntry(n.names[base].info(base)))
	}
	return entries, nil
}

// Stat implements disk.FS.
func (d *Disk) Stat(name string) (fs.FileInfo, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.root.find("stat", name)
	if err != nil {
		return nil, err
	}
	return n.info(name), nil
}
