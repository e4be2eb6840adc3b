package disk

import (
	"errors"
	"io"
	"io/fs"
)

// FS is one folder of files. It is safe for concurrent use. Errors are those of
// io/fs: a name that is not there is fs.ErrNotExist, one that is there already
// fs.ErrExist.
type FS interface {
	// Open opens a regular file for reading. Anything else under that name, a
	// symbolic link too, is ErrNotRegular.
	Open(name string) (Reader, error)
	// Create makes a new file and opens it for writing. A name that is taken is
	// fs.ErrExist, even by a link that leads nowhere.
	Create(name string, perm fs.FileMode) (File, error)
	// Rename gives a file another name and takes the place of what has it.
	Rename(from, to string) error
	// Link gives a file a second name, which must be free. Some file systems
	// cannot, which is some other error than fs.ErrExist.
	Link(from, to string) error
	// Remove removes a file or an empty folder.
	Remove(name string) error
	// Mkdir makes one folder; those above it must be there.
	Mkdir(name string, perm fs.FileMode) error
	// SyncFile has the content of a file on the disk, whoever wrote it.
	SyncFile(name string) error
	// SyncDir has the names in a folder on the disk: those that are new there,
	// and that others are gone.
	SyncDir(name string) error
	// ReadDir lists a folder, sorted by name.
	ReadDir(name string) ([]fs.DirEntry, error)
	// Stat tells about what has the name, of a link about the link.
	Stat(name string) (fs.FileInfo, error)
}

// Reader is a file that is read.
type Reader interface {
	io.Reader
	io.ReaderAt
	io.Closer
	// Stat tells about the file that was opened, whatever has its name now.
	Stat() (fs.FileInfo, error)
}

// File is a new file that is written, from its beginning to its end.
type File interface {
	io.WriteCloser
	// Sync has all that was written on the disk. After an error nothing is known
	// of the content: the file is to be made anew.
	Sync() error
}

// ErrNotRegular is a name that stands for something else than a regular file.
var ErrNotRegular = errors.New("not a regular file")

// ErrTooLarge is a file beyond the size that its reader allows.
var ErrTooLarge = errors.New("the file is too large")
