package region_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"io"
	"io/fs"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/disk/lossy"
	"github.com/pharos-mcp/pharos/services/world/region"
)

// The region of these tests lies west of the middle, so that places are negative.
const name = "region/r.-1.2.mca"

var now = time.Unix(1_700_000_000, 0).UTC()

// at is a chunk of the region.
func at(x, z int32) region.Pos { return region.Pos{X: -32 + x, Z: 64 + z} }

// image is a region file put together by hand.
type image []byte

func newImage() image { return make(image, 8192) }

func slot(p region.Pos) int { return int(p.Z&31)*32 + int(p.X&31) }

// place writes an entry of the header.
func (m image) place(p region.Pos, first, count int, written uint32) {
	binary.BigEndian.PutUint32(m[4*slot(p):], uint32(first<<8|count))
	binary.BigEndian.PutUint32(m[4096+4*slot(p):], written)
}

// add appends a chunk with its sectors and its entry.
func (m *image) add(p region.Pos, by byte, data []byte, written uint32) {
	first := len(*m) / 4096
	*m = binary.BigEndian.AppendUint32(*m, uint32(1+len(data)))
	*m = append(append(*m, by), data...)
	for len(*m)%4096 != 0 {
		*m = append(*m, 0xee) // what is left in the last sector is not always zero
	}
	m.place(p, first, len(*m)/4096-first, written)
}

func gzipped(raw []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(raw)
	_ = w.Close()
	return b.Bytes()
}

func zlibbed(raw []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write(raw)
	_ = w.Close()
	return b.Bytes()
}

// noise does not shrink.
func noise(n int, seed uint64) []byte {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	b := make([]byte, n)
	_, _ = rand.NewChaCha8(key).Read(b)
	return b
}

// newDisk has a region folder with these files, synced.
func newDisk(t testing.TB, files map[string][]byte) *lossy.Disk {
	t.Helper()
	d := lossy.New()
	must(t, d.Mkdir("region", 0o755))
	for name, data := range files {
		must(t, disk.Replace(d, name, data, 0o640))
	}
	d.Sync()
	return d
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, d disk.FS) *region.File {
	t.Helper()
	f, err := region.Open(d, name)
	must(t, err)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// chunk reads one chunk that must be there.
func chunk(t testing.TB, d disk.FS, p region.Pos) []byte {
	t.Helper()
	raw, ok, err := open(t, d).Chunk(p)
	if err != nil || !ok {
		t.Fatalf("chunk %v: there %v, %v", p, ok, err)
	}
	return raw
}

// content is a file's bytes.
func content(t testing.TB, d disk.FS, name string) []byte {
	t.Helper()
	file, err := d.Open(name)
	must(t, err)
	b, err := io.ReadAll(file)
	must(t, err)
	must(t, file.Close())
	return b
}

// names are the files of the region folder.
func names(t testing.TB, d disk.FS) []string {
	t.Helper()
	entries, err := d.ReadDir("region")
	must(t, err)
	var all []string
	for _, e := range entries {
		if e.Type()&fs.ModeDir == 0 {
			all = append(all, e.Name())
		}
	}
	return all
}
