package lossy

import (
	"bytes"
	"io/fs"
	"slices"
)

// reader is an open file. A file does not change once it has been written, so it
// has what there was when it was opened.
type reader struct {
	*bytes.Reader
	info info
}

func newReader(i info, data []byte) *reader { return &reader{bytes.NewReader(slices.Clip(data)), i} }

// Stat implements disk.Reader.
func (r *reader) Stat() (fs.FileInfo, error) { return r.info, nil }

// Close implements disk.Reader.
func (r *reader) Close() error { return nil }

// file is a file that is written.
type file struct {
	disk   *Disk
	node   *node
	name   string
	closed bool
}

// Write implements disk.File.
func (f *file) Write(b []byte) (int, error) {
	err := f.disk.step("write", f.name, func() error {
		if f.closed {
			return fs.ErrClosed
		}
		f.node.data = append(f.node.data, b...)
		return nil
	})
	if err != nil {
		return 0, err
	}
	return len(b), nil
}

// Sync implements disk.File.
func (f *file) Sync() error {
	return f.disk.step("sync", f.name, func() error {
		if f.closed {
			return fs.ErrClosed
		}
		f.disk.sync(f.node)
		return nil
	})
}

// Close implements disk.File. It syncs nothing.
func (f *file) Close() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if f.closed {
		return fs.ErrClosed
	}
	f.closed = true
	return nil
}
