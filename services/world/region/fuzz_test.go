package region_test

import (
	"bytes"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/region"
)

// Whatever the file is, reading ends, and rewriting keeps what could be read.
func FuzzRead(f *testing.F) {
	m := newImage()
	m.add(at(0, 0), 2, zlibbed([]byte("blocks")), 1)
	m.add(at(1, 0), 1, gzipped([]byte("blocks")), 2)
	m.add(at(2, 0), 3, []byte("blocks"), 3)
	m.add(at(3, 0), 0x83, nil, 4)
	m.place(at(4, 0), 3, 4, 5)
	f.Add([]byte(m[:64]), []byte(m[4096:4160]), []byte(m[8192:]))
	f.Add([]byte("\x00\x00\x02\x02\x00\x00\x03\x01\xff\xff\xff\xff"), []byte{}, []byte("\x00\x00\x20\x00\x03"))
	f.Fuzz(func(t *testing.T, places, times, rest []byte) {
		m := newImage()
		copy(m[:4096], places)
		copy(m[4096:], times)
		m = append(m, rest...)
		d := newDisk(t, map[string][]byte{name: m, "region/c.-29.64.mcc": []byte("outside")})
		before := open(t, d)
		rewrite(t, d, map[region.Pos][]byte{at(31, 31): []byte("new")})
		after := open(t, d)
		for _, p := range before.Positions() {
			was, _, err := before.Chunk(p)
			is, there, errAfter := after.Chunk(p)
			if !there || p != at(31, 31) && err == nil && (errAfter != nil || !bytes.Equal(was, is)) {
				t.Fatalf("%v: %q, then %q, there %v, %v", p, was, is, there, errAfter)
			}
		}
		if got, _, err := after.Chunk(at(31, 31)); string(got) != "new" {
			t.Fatalf("the new chunk is %q, %v", got, err)
		}
	})
}
