package region_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/disk/lossy"
	"github.com/pharos-mcp/pharos/services/world/region"
)

// sectors are the stored bytes of a chunk and its time, straight from the file.
func sectors(t testing.TB, m image, p region.Pos) ([]byte, time.Duration) {
	t.Helper()
	entry := m[4*slot(p):][:4]
	first, count := int(entry[0])<<16|int(entry[1])<<8|int(entry[2]), int(entry[3])
	written := m[4096+4*slot(p):][:4]
	return m[first*4096:][:count*4096], time.Duration(written[0])<<24 | time.Duration(written[1])<<16 | time.Duration(written[2])<<8 | time.Duration(written[3])
}

func rewrite(t testing.TB, d *lossy.Disk, changed map[region.Pos][]byte) {
	t.Helper()
	must(t, region.Rewrite(d, name, changed, now))
}

// What was not given stays as it stood, byte for byte, and so does its time;
// what was given keeps its compression.
//
// clause: W-35
func TestRewriteKeeps(t *testing.T) {
	t.Parallel()
	raw := []byte(slices.Concat(noise(5000, 1), make([]byte, 5000)))
	m := newImage()
	kept := []region.Pos{at(9, 0), at(0, 9), at(3, 3), at(4, 3), at(5, 3)}
	m.add(kept[0], 1, gzipped(raw), 101)
	m.add(at(1, 0), 1, gzipped(raw), 102)
	m.add(kept[1], 2, zlibbed(raw), 103)
	m.add(at(2, 0), 3, raw, 104)
	m.add(kept[2], 3, raw, 105)
	m.add(kept[3], 4, []byte("another compression"), 106)
	m.add(kept[4], 0x82, nil, 107)
	d := newDisk(t, map[string][]byte{name: m, "region/c.-27.67.mcc": zlibbed(raw)})
	fresh := []byte("a new chunk")
	rewrite(t, d, map[region.Pos][]byte{at(1, 0): fresh, at(2, 0): fresh, at(31, 31): fresh})

	after := image(content(t, d, name))
	for _, p := range kept {
		was, wasWritten := sectors(t, m, p)
		is, isWritten := sectors(t, after, p)
		if !bytes.Equal(was, is) || wasWritten != isWritten {
			t.Errorf("%v was changed: %d and %d bytes, times %d and %d", p, len(was), len(is), wasWritten, isWritten)
		}
	}
	for p, by := range map[region.Pos]byte{at(1, 0): 1, at(2, 0): 3, at(31, 31): 2} {
		is, written := sectors(t, after, p)
		if is[4] != by || int64(written) != now.Unix() {
			t.Errorf("%v: compression %d at %d, want %d at %d", p, is[4], written, by, now.Unix())
		}
		if got := chunk(t, d, p); !bytes.Equal(got, fresh) {
			t.Errorf("%v reads as %q", p, got)
		}
	}
	if got := chunk(t, d, kept[4]); !bytes.Equal(got, raw) {
		t.Error("the chunk in its own file was changed")
	}
	if info, err := d.Stat(name); err != nil || info.Mode().Perm() != 0o640 || info.Size()%4096 != 0 {
		t.Errorf("the file: %v, %v", info, err)
	}
	// Nothing changed, nothing but the order of chunks is another.
	rewrite(t, d, nil)
	if !bytes.Equal(content(t, d, name), after) {
		t.Error("a second writing gives other bytes")
	}
}

// Damage stays damage, of the same chunks.
//
// clause: W-35
func TestRewriteKeepsDamage(t *testing.T) {
	t.Parallel()
	m := newImage()
	m.place(at(1, 0), 1, 3, 1)
	m.place(at(2, 0), 7, 0, 1)
	m.place(at(3, 0), 9, 2, 1)              // beyond the end until the file grows
	m.add(at(4, 0), 3, []byte("shared"), 1) // and 0xee, to the end of its sector
	m.place(at(5, 0), 2, 1, 1)
	m.add(at(6, 0), 3, make([]byte, 9000), 1)
	m = m[:len(m)-6000]
	m = m[:len(m)/4096*4096-4000]
	d := newDisk(t, map[string][]byte{name: m})
	rewrite(t, d, map[region.Pos][]byte{at(0, 0): noise(60_000, 1)})
	f := open(t, d)
	for _, p := range []region.Pos{at(1, 0), at(2, 0), at(3, 0), at(6, 0)} {
		if _, ok, err := f.Chunk(p); !ok || err == nil {
			t.Errorf("%v: there %v, %v", p, ok, err)
		}
	}
	for _, p := range []region.Pos{at(4, 0), at(5, 0)} {
		if got, _, err := f.Chunk(p); string(got) != "shared" {
			t.Errorf("%v: %q, %v", p, got, err)
		}
	}
	if cut, _ := sectors(t, image(content(t, d, name)), at(6, 0)); !bytes.Equal(cut[5:], make([]byte, len(cut)-5)) {
		t.Error("the sector that was cut is filled up with something")
	}
	was, _ := sectors(t, m, at(4, 0))
	if is, _ := sectors(t, image(content(t, d, name)), at(5, 0)); !bytes.Equal(was, is) {
		t.Error("the shared sector was changed")
	}
}

// A chunk goes out at 256 sectors and comes back at 255, by its stored size.
//
// clause: W-35
func TestOutAndBack(t *testing.T) {
	t.Parallel()
	const most = 255*4096 - 5
	for _, by := range []byte{1, 2, 3} {
		t.Run(fmt.Sprint(by), func(t *testing.T) {
			t.Parallel()
			p := at(8, 4)
			m := newImage()
			small := []byte("small")
			switch by {
			case 1:
				m.add(p, by, gzipped(small), 1)
			case 2:
				m.add(p, by, zlibbed(small), 1)
			case 3:
				m.add(p, by, small, 1)
			}
			d := newDisk(t, map[string][]byte{name: m})
			outside := "c.-24.68.mcc"
			for _, size := range []int{2 << 20, 100, most + 1, 3 << 20, most - 1000} {
				want := noise(size, uint64(size))
				rewrite(t, d, map[region.Pos][]byte{p: want})
				if !bytes.Equal(chunk(t, d, p), want) {
					t.Fatalf("%d bytes: read as others", size)
				}
				if got := slices.Contains(names(t, d), outside); got != (size > most) {
					t.Errorf("%d bytes: a file of its own: %v", size, got)
				}
				stored, _ := sectors(t, image(content(t, d, name)), p)
				wantBy := by
				if size > most {
					wantBy |= 0x80
				}
				if stored[4] != wantBy || size > most && len(stored) != 4096 {
					t.Errorf("%d bytes: compression %#x in %d bytes", size, stored[4], len(stored))
				}
			}
		})
	}
	// Uncompressed, the bound is exact.
	m := newImage()
	m.add(at(0, 0), 3, []byte("x"), 1)
	d := newDisk(t, map[string][]byte{name: m})
	for _, size := range []int{most, most + 1, most} {
		rewrite(t, d, map[region.Pos][]byte{at(0, 0): noise(size, 1)})
		if got := len(names(t, d)) == 2; got != (size > most) {
			t.Errorf("%d bytes: %v", size, names(t, d))
		}
	}
}

func TestRewriteRefuses(t *testing.T) {
	t.Parallel()
	m := newImage()
	m.add(at(0, 0), 4, []byte("another compression"), 1)
	d := newDisk(t, map[string][]byte{name: m})
	for what, changed := range map[string]map[region.Pos][]byte{
		"another region's chunk": {at(32, 0): []byte("x")}, "an empty chunk": {at(1, 0): nil},
		"a large chunk": {at(1, 0): make([]byte, region.MaxChunk+1)}, "one that grows": {at(1, 0): noise(region.MaxChunk, 1)}, "an unknown compression": {at(0, 0): []byte("x")},
	} {
		if err := region.Rewrite(d, name, changed, now); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	if err := region.Rewrite(d, "region/x.mca", nil, now); err == nil {
		t.Error("a wrong name: no error")
	}
	if !bytes.Equal(content(t, d, name), m) || len(names(t, d)) != 1 {
		t.Errorf("something was written: %v", names(t, d))
	}
	rewrite(t, d, map[region.Pos][]byte{at(1, 0): make([]byte, region.MaxChunk)})
	if got := len(chunk(t, d, at(1, 0))); got != region.MaxChunk {
		t.Errorf("%d bytes", got)
	}
}

// Many rewritings against a map: the model.
func TestRewriteModel(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 4))
		d := newDisk(t, nil)
		model := map[region.Pos][]byte{}
		written := map[region.Pos]time.Time{}
		for step := range 25 {
			changed := map[region.Pos][]byte{}
			for range r.IntN(6) {
				size := 1 + r.IntN(20_000)
				if r.IntN(12) == 0 {
					size = 1_040_000 + r.IntN(20_000)
				}
				changed[at(r.Int32N(6)*6, r.Int32N(6)*6)] = noise(size, r.Uint64())
			}
			clock := now.Add(time.Duration(step) * time.Minute)
			must(t, region.Rewrite(d, name, changed, clock))
			for p := range changed {
				written[p] = clock
			}
			maps.Copy(model, changed)
			f := open(t, d)
			if len(f.Positions()) != len(model) {
				t.Fatalf("seed %d, step %d: %d chunks, want %d", seed, step, len(f.Positions()), len(model))
			}
			for p, want := range model {
				got, ok, err := f.Chunk(p)
				if err != nil || !ok || !bytes.Equal(got, want) || !f.Written(p).Equal(written[p]) {
					t.Fatalf("seed %d, step %d, %v: there %v, %v, written %v", seed, step, p, ok, err, f.Written(p))
				}
			}
		}
		out := 0
		for _, n := range names(t, d) {
			if n != "r.-1.2.mca" {
				out++
			}
		}
		want := 0
		for _, raw := range model {
			if len(raw) > 1_044_475 {
				want++
			}
		}
		if out < want || out > want+2 { // zlib adds a little to noise
			t.Errorf("seed %d: %d chunks are out, want %d", seed, out, want)
		}
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	d := newDisk(t, map[string][]byte{
		name: nil, name + ".pharos-new": nil, "region/c.0.0.mcc": nil, "region/c.0.0.mcc.pharos-new": nil, "region/other": nil,
	})
	must(t, d.Mkdir("region/folder.pharos-new", 0o755))
	must(t, region.Clean(d, "region"))
	if diff := cmp.Diff([]string{"c.0.0.mcc", "other", "r.-1.2.mca"}, names(t, d)); diff != "" {
		t.Error(diff)
	}
	if err := region.Clean(d, "nothing"); err == nil {
		t.Error("a missing folder: no error")
	}
}
