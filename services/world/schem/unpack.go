package schem

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// The bounds of a file.
const (
	MaxPacked   = 1 << 20
	MaxUnpacked = 4 << 20
	MaxDepth    = 16
	MaxTags     = 1 << 15
	MaxAlloc    = 64 << 20
)

// unpack returns what is in the one gzip member of the file. It reads at most
// one byte more than MaxUnpacked.
func unpack(file []byte) ([]byte, error) {
	switch {
	case len(file) == 0:
		return nil, fault.New(BadGzip, "empty file")
	case len(file) > MaxPacked:
		return nil, fault.Newf(TooLarge, "file over 1 MiB: %d bytes", len(file))
	}
	packed := bytes.NewReader(file) // a ByteReader, so that gzip takes no byte behind its member
	member, err := gzip.NewReader(packed)
	if err != nil {
		return nil, badGzip(err)
	}
	member.Multistream(false)
	var data bytes.Buffer
	if _, err := data.ReadFrom(io.LimitReader(member, MaxUnpacked+1)); err != nil {
		return nil, badGzip(err)
	}
	switch {
	case data.Len() > MaxUnpacked:
		return nil, fault.New(UnpackedSize, "nbt over 4 MiB unpacked")
	case packed.Len() > 0:
		return nil, fault.Newf(BadGzip, "data after the gzip member: %d bytes", packed.Len())
	}
	return data.Bytes(), nil
}

// badGzip tells what is wrong with the packing.
func badGzip(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fault.New(BadGzip, "the gzip member is cut off: unexpected EOF")
	}
	return fault.New(BadGzip, err.Error()) // "gzip: invalid header", "flate: corrupt input before offset 9"
}
