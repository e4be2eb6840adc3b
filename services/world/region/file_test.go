package region_test

import (
	"bytes"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/region"
)

func TestNames(t *testing.T) {
	t.Parallel()
	for p, want := range map[region.Pos]string{
		{X: 0, Z: 0}: "r.0.0.mca", {X: 31, Z: 31}: "r.0.0.mca", {X: 32, Z: -1}: "r.1.-1.mca", {X: -33, Z: -32}: "r.-2.-1.mca",
		{X: 1<<31 - 1, Z: -1 << 31}: "r.67108863.-67108864.mca",
	} {
		if got := p.FileName(); got != want {
			t.Errorf("%v is in %s, want %s", p, got, want)
		}
		first, ok := region.First("any/folder/" + want)
		if !ok || first != (region.Pos{X: p.X &^ 31, Z: p.Z &^ 31}) {
			t.Errorf("First(%s) = %v, %v", want, first, ok)
		}
	}
	for _, name := range []string{
		"", "r.mca", "r.0.0", "r.0.0.mcr", "r.0.0.mca.bak", "c.0.0.mca", "r.00.0.mca", "r.+1.0.mca", "r.-0.0.mca", "r.0.x.mca",
		"r.67108864.0.mca", "r.0.-67108865.mca", "r..0.mca",
	} {
		if first, ok := region.First(name); ok {
			t.Errorf("First(%q) = %v", name, first)
		}
	}
}

// clause: W-35
func TestRead(t *testing.T) {
	t.Parallel()
	raw := []byte(strings.Repeat("blocks ", 3000))
	m := newImage()
	m.add(at(0, 0), 1, gzipped(raw), 11)
	m.add(at(31, 0), 2, zlibbed(raw), 12)
	m.add(at(0, 31), 3, raw, 13)
	m.add(at(1, 1), 0x81, nil, 14)
	m.add(at(2, 1), 0x82, nil, 15)
	m.add(at(3, 1), 0x83, nil, 16)
	m.add(at(31, 31), 2, zlibbed(raw)[:], 17)
	m = m[:len(m)-40] // the last sector need not be whole
	f := open(t, newDisk(t, map[string][]byte{
		name: m, "region/c.-31.65.mcc": gzipped(raw), "region/c.-30.65.mcc": zlibbed(raw), "region/c.-29.65.mcc": raw,
	}))
	want := []region.Pos{at(0, 0), at(31, 0), at(1, 1), at(2, 1), at(3, 1), at(0, 31), at(31, 31)}
	if diff := cmp.Diff(want, f.Positions()); diff != "" {
		t.Error(diff)
	}
	for _, p := range want {
		got, ok, err := f.Chunk(p)
		if err != nil || !ok || !bytes.Equal(got, raw) || !f.Has(p) {
			t.Errorf("%v: %d bytes, there %v, %v", p, len(got), ok, err)
		}
	}
	if got := f.Written(at(31, 0)); !got.Equal(time.Unix(12, 0)) {
		t.Errorf("written %v", got)
	}
	for _, p := range []region.Pos{at(5, 5), at(32, 0), at(-1, 0), at(0, 32)} {
		if got, ok, err := f.Chunk(p); got != nil || ok || err != nil || f.Has(p) {
			t.Errorf("%v: %v, %v, %v; it is not there", p, got, ok, err)
		}
	}
}

// A chunk that cannot be read says why, and the others can be read.
func TestDamagedChunks(t *testing.T) {
	t.Parallel()
	raw := []byte("blocks")
	m := newImage()
	m.add(at(0, 0), 2, zlibbed(raw), 1)
	m.place(at(1, 0), 1, 1, 1)
	m.place(at(2, 0), 0, 1, 1)
	m.place(at(3, 0), 2, 0, 1)
	m.place(at(4, 0), 1<<24-1, 255, 1)
	m.add(at(5, 0), 4, raw, 1)
	m.add(at(6, 0), 0x84, raw, 1)
	m.add(at(7, 0), 2, []byte("no zlib"), 1)
	m.add(at(8, 0), 1, []byte("no gzip"), 1)
	m.add(at(9, 0), 2, zlibbed(raw)[:10], 1)
	m.add(at(10, 0), 0x82, nil, 1) // without its file
	m.add(at(11, 0), 3, nil, 1)
	copy(m[len(m)-4096:], "\x00\x00\x00\x00")
	m.add(at(12, 0), 3, make([]byte, 4091), 1) // fills its sector
	m.add(at(13, 0), 3, make([]byte, 4091), 1)
	copy(m[len(m)-4096:], "\x00\x00\x0f\xfd") // one byte more
	m.add(at(14, 0), 3, raw, 1)
	m.place(at(15, 0), len(m)/4096-1, 1, 1) // the same sector
	m.add(at(16, 0), 2, zlibbed(make([]byte, region.MaxChunk)), 1)
	m.add(at(17, 0), 2, zlibbed(make([]byte, region.MaxChunk+1)), 1)
	m.add(at(18, 0), 1, gzipped(make([]byte, region.MaxChunk+1)), 1)
	m.add(at(19, 0), 0x82, nil, 1) // its file is no zlib
	m.add(at(20, 0), 0x83, nil, 1) // its file is too large
	m.add(at(21, 0), 3, make([]byte, 5000), 1)
	m = m[:len(m)-4096]
	last := len(m) / 4096
	m.place(at(22, 0), last, 1, 1)
	m = append(m, "\x00\x00\x00\x01"...) // not even a whole beginning
	f := open(t, newDisk(t, map[string][]byte{
		name: m, "region/c.-13.64.mcc": []byte("no zlib"), "region/c.-12.64.mcc": make([]byte, region.MaxChunk+1),
	}))
	for p, want := range map[region.Pos]string{
		at(1, 0): "in the header", at(2, 0): "in the header", at(3, 0): "no sectors", at(4, 0): "beyond the end",
		at(5, 0): "compression 4", at(6, 0): "compression 4", at(7, 0): "zlib", at(8, 0): "EOF", at(9, 0): "EOF",
		at(10, 0): "c.-22.64.mcc is missing", at(11, 0): "no bytes", at(13, 0): "truncated", at(14, 0): "also those of slot 15",
		at(15, 0): "also those of slot 14", at(17, 0): "64 MiB", at(18, 0): "64 MiB", at(19, 0): "zlib", at(20, 0): "too large",
		at(21, 0): "also those of slot 22", at(22, 0): "also those of slot 21",
	} {
		_, ok, err := f.Chunk(p)
		var damaged *region.Error
		if !ok || !errors.As(err, &damaged) || damaged.Chunk != p || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: there %v, %v; want %q", p, ok, err, want)
		}
	}
	for p, want := range map[region.Pos]int{at(0, 0): len(raw), at(12, 0): 4091, at(16, 0): region.MaxChunk} {
		if got, ok, err := f.Chunk(p); !ok || err != nil || len(got) != want {
			t.Errorf("%v: %d bytes, there %v, %v; want %d", p, len(got), ok, err, want)
		}
	}
}

func TestTruncatedFile(t *testing.T) {
	t.Parallel()
	m := newImage()
	m.add(at(0, 0), 3, make([]byte, 6000), 1)
	for _, size := range []int{1, 4096, 8191} {
		if _, err := region.Open(newDisk(t, map[string][]byte{name: m[:size]}), name); err == nil || !strings.Contains(err.Error(), "less than a header") {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	if f := open(t, newDisk(t, map[string][]byte{name: nil})); len(f.Positions()) != 0 {
		t.Errorf("an empty file has %v", f.Positions())
	}
	for size, want := range map[int]string{8192: "beyond the end", 8193: "truncated", 8196: "truncated", 12288: "truncated", 14196: "truncated", 14197: ""} {
		_, ok, err := open(t, newDisk(t, map[string][]byte{name: m[:size]})).Chunk(at(0, 0))
		if !ok || (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d bytes: there %v, %v; want %q", size, ok, err, want)
		}
	}
	if _, err := region.Open(newDisk(t, nil), name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := region.Open(newDisk(t, nil), "region/other.mca"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a wrong name: %v", err)
	}
}
