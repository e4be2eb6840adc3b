package region

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"sync"
)

// MaxChunk is the most bytes of a chunk, both packed and unpacked.
const MaxChunk = 64 << 20

// scheme is how a chunk is compressed.
type scheme byte

const (
	byGzip scheme = 1
	byZlib scheme = 2
	plain  scheme = 3

	outside scheme = 0x80 // added where the chunk has a file of its own
)

func (s scheme) known() bool { return s >= byGzip && s <= plain }

// Writers of this size are made once; so are readers.
var (
	zlibWriters = sync.Pool{New: func() any { return zlib.NewWriter(io.Discard) }}
	gzipWriters = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}
	zlibReaders sync.Pool
)

// pack compresses a chunk.
func (s scheme) pack(raw []byte) ([]byte, error) {
	var out bytes.Buffer
	var err error
	switch s {
	case byGzip:
		w := gzipWriters.Get().(*gzip.Writer)
		defer gzipWriters.Put(w)
		w.Reset(&out)
		err = writeAll(w, raw)
	case byZlib:
		w := zlibWriters.Get().(*zlib.Writer)
		defer zlibWriters.Put(w)
		w.Reset(&out)
		err = writeAll(w, raw)
	default:
		return raw, nil
	}
	return out.Bytes(), err
}

func writeAll(w io.WriteCloser, b []byte) error {
	if _, err := w.Write(b); err != nil {
		return err
	}
	return w.Close()
}

// unpack undoes pack. It stops at MaxChunk.
func (s scheme) unpack(packed []byte) ([]byte, error) {
	switch s {
	case byGzip:
		r, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil, err
		}
		return readAll(r, len(packed))
	case byZlib:
		r, ok := zlibReaders.Get().(io.ReadCloser)
		if !ok {
			fresh, err := zlib.NewReader(bytes.NewReader(packed))
			if err != nil {
				return nil, err
			}
			r = fresh
		} else if err := r.(zlib.Resetter).Reset(bytes.NewReader(packed), nil); err != nil {
			zlibReaders.Put(r)
			return nil, err
		}
		defer zlibReaders.Put(r)
		return readAll(r, len(packed))
	}
	return packed, nil
}

func readAll(r io.Reader, packed int) ([]byte, error) {
	var out bytes.Buffer
	out.Grow(min(8*packed+bytes.MinRead, MaxChunk/16))
	if _, err := out.ReadFrom(io.LimitReader(r, MaxChunk+1)); err != nil {
		return nil, err
	}
	if out.Len() > MaxChunk {
		return nil, fmt.Errorf("more than %d MiB unpacked", MaxChunk>>20)
	}
	return out.Bytes(), nil
}
