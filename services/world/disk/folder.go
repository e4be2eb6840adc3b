package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Folder is a folder of the operating system.
type Folder struct{ root *os.Root }

// In opens a folder that is there.
func In(folder string) (*Folder, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	return &Folder{root}, nil
}

// Path is where the folder was when it was opened.
func (f *Folder) Path() string { return f.root.Name() }

// Close lets the folder go. Files that are open stay so.
func (f *Folder) Close() error { return f.root.Close() }

// Open implements FS.
func (f *Folder) Open(name string) (Reader, error) {
	file, err := f.open(name)
	if err != nil {
		return nil, err // not a Reader that holds a nil *os.File
	}
	return file, nil
}

func (f *Folder) open(name string) (*os.File, error) {
	named, err := f.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !named.Mode().IsRegular() {
		return nil, notRegular("open", name)
	}
	// Should a pipe have taken the name by now, opening must not wait for its
	// other end; should a link have, it was followed and it shows below.
	file, err := f.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	opened, err := file.Stat()
	if err == nil && !os.SameFile(named, opened) {
		err = notRegular("open", name)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

func notRegular(op, name string) error {
	return &fs.PathError{Op: op, Path: name, Err: ErrNotRegular}
}

// Create implements FS.
func (f *Folder) Create(name string, perm fs.FileMode) (File, error) {
	file, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return nil, err // as in Open
	}
	return file, nil
}

// Rename implements FS.
func (f *Folder) Rename(from, to string) error { return f.root.Rename(from, to) }

// Link implements FS.
func (f *Folder) Link(from, to string) error { return f.root.Link(from, to) }

// Remove implements FS.
func (f *Folder) Remove(name string) error { return f.root.Remove(name) }

// Mkdir implements FS.
func (f *Folder) Mkdir(name string, perm fs.FileMode) error { return f.root.Mkdir(name, perm) }

// SyncFile implements FS.
func (f *Folder) SyncFile(name string) error {
	file, err := f.open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	return file.Sync()
}

// SyncDir implements FS.
func (f *Folder) SyncDir(name string) error {
	dir, err := f.root.Open(name)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

// ReadDir implements FS.
func (f *Folder) ReadDir(name string) ([]fs.DirEntry, error) {
	return fs.ReadDir(f.root.FS(), filepath.ToSlash(name))
}

// Stat implements FS.
func (f *Folder) Stat(name string) (fs.FileInfo, error) { return f.root.Lstat(name) }
