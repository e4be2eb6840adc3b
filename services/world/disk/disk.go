// Package disk is what the world needs of a file system: few calls, with the
// syncs that make them last. The layer over the operating system is one, tests
// have others that lose what was not synced.
package disk

import (
	"io"
	"io/fs"
)

// FS is a file system. Names are paths with slashes, as of package path. Errors
// for what does not exist match fs.ErrNotExist.
type FS interface {
	// Open opens a file for reading.
	Open(name string) (File, error)
	// Create makes an empty file for writing, in place of one that is there.
	Create(name string) (File, error)
	// Rename gives a file another name in the same folder, in place of a file
	// that has it. It lasts once the folder is synced.
	Rename(from, to string) error
	// Remove takes a file away. It lasts once the folder is synced.
	Remove(name string) error
	// ReadDir lists a folder by name.
	ReadDir(name string) ([]fs.DirEntry, error)
	// SyncDir makes the names in a folder last.
	SyncDir(name string) error
}

// File is an open file.
type File interface {
	io.Reader
	io.ReaderAt
	io.Writer
	io.Closer
	// Sync makes the content last.
	Sync() error
	// Stat tells the size.
	Stat() (fs.FileInfo, error)
}
