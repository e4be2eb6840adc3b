package region

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"time"

	"github.com/pharos-mcp/pharos/services/world/disk"
)

// Error is a chunk that is there and cannot be read.
type Error struct {
	Chunk  Pos
	Reason error
}

// Error names the chunk.
func (e *Error) Error() string {
	return fmt.Sprintf("chunk %v in its region file: %v", e.Chunk, e.Reason)
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Reason }

// File is an open region file. It shows the file as it was when it was opened,
// also after Rewrite, but for chunks in files of their own. Chunk may be called
// by several goroutines.
type File struct {
	layer  disk.FS
	folder string
	first  Pos
	file   disk.Reader
	perm   fs.FileMode
	size   int64
	header *header
}

// Open reads the header of a region file, whose name says where it is. An empty
// file has no chunks. The error matches fs.ErrNotExist where there is no file.
func Open(layer disk.FS, name string) (*File, error) {
	first, ok := First(name)
	if !ok {
		return nil, fmt.Errorf("%s is no name of a region file", path.Base(name))
	}
	file, err := layer.Open(name)
	if err != nil {
		return nil, err
	}
	f := &File{layer: layer, folder: path.Dir(name), first: first, file: file, header: &header{}}
	if err := f.readHeader(); err != nil {
		return nil, errors.Join(fmt.Errorf("region file %s: %w", path.Base(name), err), file.Close())
	}
	return f, nil
}

func (f *File) readHeader() error {
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	f.perm = info.Mode().Perm()
	if f.size = info.Size(); f.size == 0 {
		return nil
	}
	if f.size < headerSize {
		return fmt.Errorf("%d bytes, less than a header", f.size)
	}
	b := make([]byte, headerSize)
	if err := f.read(b, 0); err != nil {
		return err
	}
	f.header = parseHeader(b)
	return nil
}

// Close lets the file go.
func (f *File) Close() error { return f.file.Close() }

// Has reports whether the region has the chunk, readable or not.
func (f *File) Has(p Pos) bool { return f.owns(p) && f.header.places[p.slot()] != 0 }

func (f *File) owns(p Pos) bool { return p.X>>5 == f.first.X>>5 && p.Z>>5 == f.first.Z>>5 }

// Positions are the chunks that the region has, by z and x.
func (f *File) Positions() []Pos {
	var all []Pos
	for slot, at := range f.header.places {
		if at != 0 {
			all = append(all, Pos{f.first.X + int32(slot&31), f.first.Z + int32(slot>>5)})
		}
	}
	return all
}

// Written is when the chunk was last written, as the file says.
func (f *File) Written(p Pos) time.Time { return time.Unix(int64(f.header.times[p.slot()]), 0).UTC() }

// Chunk returns the unpacked bytes of a chunk; ok is false where the region does
// not have it. A chunk that cannot be read is an *Error.
func (f *File) Chunk(p Pos) (raw []byte, ok bool, err error) {
	if !f.Has(p) {
		return nil, false, nil
	}
	raw, err = f.chunk(p)
	if err != nil {
		return nil, true, &Error{p, err}
	}
	return raw, true, nil
}

func (f *File) chunk(p Pos) ([]byte, error) {
	slot := p.slot()
	if odd := f.header.odd(slot, f.size); odd != "" {
		return nil, errors.New(odd)
	}
	offset, length := f.header.places[slot].stored(f.size)
	stored := make([]byte, length)
	if err := f.read(stored, offset); err != nil {
		return nil, err
	}
	if length < prefix {
		return nil, errors.New("truncated")
	}
	n, by := int64(binary.BigEndian.Uint32(stored)), scheme(stored[4])
	switch {
	case n == 0:
		return nil, errors.New("it has no bytes")
	case n > length-4:
		return nil, fmt.Errorf("truncated: %d bytes of %d", length-4, n)
	case !(by &^ outside).known():
		return nil, fmt.Errorf("compression %d is none of gzip, zlib and none", by&^outside)
	case by&outside == 0:
		return by.unpack(stored[prefix : 4+n])
	}
	packed, err := f.outside(p)
	if err != nil {
		return nil, err
	}
	return (by &^ outside).unpack(packed)
}

// prefix is what stands before a chunk: the number of bytes that follow, and
// the compression, which is the first of them.
const prefix = 5

// outside reads a chunk's own file.
func (f *File) outside(p Pos) (packed []byte, err error) {
	packed, err = disk.ReadFile(f.layer, path.Join(f.folder, p.external()), MaxChunk)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("its file %s is missing", p.external())
	}
	return packed, err
}

// read fills b from an offset.
func (f *File) read(b []byte, offset int64) error {
	_, err := io.ReadFull(io.NewSectionReader(f.file, offset, int64(len(b))), b)
	return err
}
