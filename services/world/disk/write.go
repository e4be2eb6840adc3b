package disk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// temporary ends the name of a file that is not complete.
const temporary = ".pharos-new"

// Temporary is the name under which a file is written before it gets its own.
func Temporary(name string) string { return name + temporary }

// IsTemporary reports whether a name is one that Temporary gives. A process that
// finds such a file when it starts may remove it: whoever wrote it is dead.
func IsTemporary(name string) bool { return strings.HasSuffix(name, temporary) }

// CreateTemporary creates Temporary(name), in the place of one that was left.
func CreateTemporary(in FS, name string, perm fs.FileMode) (File, error) {
	file, err := in.Create(Temporary(name), perm)
	if !errors.Is(err, fs.ErrExist) {
		return file, err
	}
	if err := in.Remove(Temporary(name)); err != nil {
		return nil, err
	}
	return in.Create(Temporary(name), perm)
}

// Replace has data under the name, on the disk when it returns nil: written and
// synced under another name, renamed, and the folder synced. Before that the name
// stands for what it stood for, whole.
func Replace(in FS, name string, data []byte, perm fs.FileMode) error {
	file, err := CreateTemporary(in, name, perm)
	if err != nil {
		return err
	}
	if err := Fill(file, bytes.NewReader(data)); err != nil {
		return errors.Join(err, in.Remove(Temporary(name)))
	}
	if err := in.Rename(Temporary(name), name); err != nil {
		return errors.Join(err, in.Remove(Temporary(name)))
	}
	return in.SyncDir(path.Dir(name))
}

// Fill writes all of data to a new file, syncs and closes it.
func Fill(file File, data io.Reader) error {
	_, err := io.Copy(file, data)
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// RenameNew gives a file another name, which must be free: fs.ErrExist where it
// is not. Where the file system has no links, nobody else may be writing to the
// folder. The folders are not synced; after a loss of power the file may have
// both names.
func RenameNew(in FS, from, to string) error {
	err := in.Link(from, to)
	switch {
	case err == nil:
		return in.Remove(from)
	case errors.Is(err, fs.ErrExist), errors.Is(err, fs.ErrNotExist):
		return err
	}
	if _, err := in.Stat(to); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist}
		}
		return err
	}
	return in.Rename(from, to)
}

// MkdirAll makes a folder and those above it that are missing, each on the disk
// when it returns nil, those too that were there already.
func MkdirAll(in FS, name string, perm fs.FileMode) error {
	if name == "." {
		return nil
	}
	if err := MkdirAll(in, path.Dir(name), perm); err != nil {
		return err
	}
	if err := in.Mkdir(name, perm); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return in.SyncDir(path.Dir(name)) // also where it was there: its maker may have died before
}

// ReadFile reads a regular file of at most limit bytes, else ErrTooLarge. It
// takes no more memory than that whatever the size is said to be.
func ReadFile(in FS, name string, limit int64) ([]byte, error) {
	file, err := in.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	about, err := file.Stat()
	if err != nil {
		return nil, err
	}
	var data bytes.Buffer
	if size := about.Size(); size <= limit {
		data.Grow(int(size) + bytes.MinRead)
		_, err = data.ReadFrom(io.LimitReader(file, limit+1))
		if err != nil {
			return nil, err
		}
	}
	if about.Size() > limit || int64(data.Len()) > limit {
		return nil, fmt.Errorf("%s: %w: at most %d bytes are read", name, ErrTooLarge, limit)
	}
	return data.Bytes(), nil
}
