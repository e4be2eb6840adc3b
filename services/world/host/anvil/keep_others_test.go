package anvil_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/chunk"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/nbt"
	"github.com/pharos-mcp/pharos/services/world/region"
)

// stored is how a chunk stands in a file.
type stored struct {
	compression byte // 1 gzip, 2 zlib, 3 none
	outside     bool // in a file of its own
}

// store puts chunks of r.0.0.mca, unpacked, into a new file in these ways.
func store(t *testing.T, folder string, raw map[region.Pos][]byte, ways map[region.Pos]stored) {
	t.Helper()
	const sector = 4096
	file := make([]byte, 2*sector)
	for p, way := range ways {
		var packed bytes.Buffer
		var w io.WriteCloser
		switch way.compression {
		case 1:
			w = gzip.NewWriter(&packed)
		case 2:
			w = zlib.NewWriter(&packed)
		default:
			packed.Write(raw[p])
		}
		if w != nil {
			_, err := w.Write(raw[p])
			must(t, err)
			must(t, w.Close())
		}
		body := append([]byte{way.compression}, packed.Bytes()...)
		if way.outside {
			must(t, os.WriteFile(filepath.Join(folder, fmt.Sprintf("c.%d.%d.mcc", p.X, p.Z)), packed.Bytes(), 0o600))
			body = []byte{way.compression | 0x80}
		}
		first := len(file) / sector
		file = binary.BigEndian.AppendUint32(file, uint32(len(body)))
		file = append(file, body...)
		file = append(file, make([]byte, (sector-len(file)%sector)%sector)...)
		slot := 4 * (p.Z*32 + p.X)
		binary.BigEndian.PutUint32(file[slot:], uint32(first<<8|(len(file)/sector-first)))
		binary.BigEndian.PutUint32(file[sector+slot:], 1_700_000_000)
	}
	must(t, os.WriteFile(filepath.Join(folder, "r.0.0.mca"), file, 0o600))
}

// unpacked are the bytes of the chunks of a region.
func unpacked(t *testing.T, folder string) map[region.Pos][]byte {
	t.Helper()
	file, err := region.Open(in(t, folder), "region/r.0.0.mca")
	must(t, err)
	defer file.Close()
	all := map[region.Pos][]byte{}
	for _, p := range file.Positions() {
		raw, _, err := file.Chunk(p)
		must(t, err)
		all[p] = raw
	}
	return all
}

// TestTheirWorldIsKept opens a world that others made, with its chunks stored in
// every way there is, changes some blocks, and finds all else as it was.
//
// clause: W-35
func TestTheirWorldIsKept(t *testing.T) {
	t.Parallel()
	ways := map[region.Pos]stored{
		{X: 0, Z: 0}: {1, false}, {X: 1, Z: 0}: {2, false}, {X: 2, Z: 0}: {3, false},
		{X: 0, Z: 1}: {1, true}, {X: 1, Z: 1}: {2, true}, {X: 2, Z: 1}: {3, true},
		{X: 3, Z: 0}: {2, false}, {X: 3, Z: 1}: {3, true}, // nobody changes these two
	}
	untouched := map[region.Pos]bool{{X: 3, Z: 0}: true, {X: 3, Z: 1}: true}
	folder := t.TempDir()
	args := []string{"world", folder}
	for p := range ways {
		args = append(args, fmt.Sprintf("%d,%d", p.X, p.Z))
	}
	theirs(t, args...)
	before := unpacked(t, folder)
	store(t, filepath.Join(folder, "region"), before, ways)
	others := tree(t, in(t, folder), ".")

	c := config(t, in(t, folder))
	c.Folder, c.Create = folder, nil
	h := open(t, c)
	if why := h.Info().ReadOnly; why != "" {
		t.Fatal(why)
	}
	want := map[geom.Pos]string{}
	for p := range ways {
		if untouched[p] {
			continue
		}
		base := geom.Pos{X: p.X << 4, Z: p.Z << 4}
		for _, place := range []geom.Pos{{X: 3, Y: 70, Z: 4}, {X: 15, Y: -64, Z: 15}, {X: 0, Y: 319, Z: 0}, {X: 7, Y: 20, Z: 1}} {
			at := base.Add(place)
			set(t, h, at, stairs)
			want[at] = stairs
		}
		chest := base.Add(geom.Pos{X: 5, Y: 100, Z: 5})
		_, err := h.Edit(t.Context(), host.Cause{}, geom.Box{Min: chest, Max: chest}, func(w host.Writer) error { return w.Set(chest, stairs) })
		if err == nil {
			t.Errorf("the chest of chunk %v could be overwritten", p)
		}
		must(t, h.Flush(t.Context(), []host.ChunkPos{host.ChunkPos(p)}))
	}
	must(t, h.Close())

	after := unpacked(t, folder)
	for p, raw := range before {
		if untouched[p] {
			if !bytes.Equal(raw, after[p]) {
				t.Errorf("chunk %v has changed", p)
			}
			continue
		}
		if !bytes.Equal(foreign(t, raw), foreign(t, after[p])) {
			t.Errorf("chunk %v, stored as %v, has lost or won something", p, ways[p])
		}
	}
	for name, data := range tree(t, in(t, folder), ".") {
		if was, there := others[name]; there && filepath.Dir(name) != "region" && name != "session.lock" && was != data {
			t.Errorf("%s has changed", name)
		}
		delete(others, name)
	}
	for p, way := range ways { // what was changed and is small is in the region file again
		if way.outside && !untouched[p] {
			delete(others, fmt.Sprintf("region/c.%d.%d.mcc", p.X, p.Z))
		}
	}
	for name := range others {
		t.Errorf("%s is gone", name)
	}
	sameWays(t, filepath.Join(folder, "region", "r.0.0.mca"), ways)
	var seen []host.ChunkPos // chunks that they can read, too
	for p, way := range ways {
		expect(t, h.Blocks(), before[p], after[p], want)
		if way.compression != 3 && !untouched[p] {
			seen = append(seen, host.ChunkPos(p))
		}
	}
	for i, chunks := range theyRead(t, folder, seen...) {
		c, err := chunk.Parse(after[region.Pos(seen[i])], h.Blocks())
		must(t, err)
		for n, ids := range chunks {
			cell := 0
			for p := range section(seen[i], n).Positions() {
				if want, _ := h.Blocks().ID(c.At(p)); ids[cell] != want {
					t.Fatalf("at %s they read %d, not %s", p, ids[cell], c.At(p))
				}
				cell++
			}
		}
	}
}

const stairs = "minecraft:oak_stairs[facing=west,half=top,shape=straight,waterlogged=false]"

// changedSections are those that the edits of TestTheirWorldIsKept are in, by Y.
var changedSections = []nbt.Byte{4, -4, 19, 1}

// foreign is a chunk without what a change of these sections may change.
func foreign(t *testing.T, raw []byte) []byte {
	t.Helper()
	name, root, err := nbt.Decode(raw, wide)
	must(t, err)
	for _, known := range []string{"mod:unknown", "block_ticks", "fluid_ticks", "structures", "block_entities"} {
		if _, there := root.Get(known); !there {
			t.Fatalf("the chunk has no %s", known)
		}
	}
	root.Delete("Heightmaps")
	root.Set("isLightOn", nbt.Byte(0))
	sections, _ := nbt.Get[nbt.List](root, "sections")
	for _, item := range sections.Items {
		s := item.(*nbt.Compound)
		s.Delete("BlockLight")
		s.Delete("SkyLight")
		if y, _ := nbt.Get[nbt.Byte](s, "Y"); slices.Contains(changedSections, y) {
			s.Set("block_states", nbt.Byte(0))
		}
	}
	return nbt.Encode(name, root)
}

// sameWays looks whether each chunk has the compression that it had.
func sameWays(t *testing.T, name string, ways map[region.Pos]stored) {
	t.Helper()
	file, err := os.ReadFile(name)
	must(t, err)
	for p, way := range ways {
		first := binary.BigEndian.Uint32(file[4*(p.Z*32+p.X):]) >> 8
		if got := file[4096*first+4] & 0x7f; got != way.compression {
			t.Errorf("chunk %v has compression %d, not %d", p, got, way.compression)
		}
	}
}

// expect compares all blocks of a chunk before and after these changes.
func expect(t *testing.T, pack *blocks.Pack, before, after []byte, changed map[geom.Pos]string) {
	t.Helper()
	was, err := chunk.Parse(before, pack)
	must(t, err)
	is, err := chunk.Parse(after, pack)
	must(t, err)
	x, z := was.Position()
	for n := range 24 {
		for p := range section(host.ChunkPos{X: x, Z: z}, n).Positions() {
			want := was.At(p)
			if state, ok := changed[p]; ok {
				want = state
			}
			if got := is.At(p); got != want {
				t.Fatalf("at %s is %s, not %s", p, got, want)
			}
		}
	}
}
