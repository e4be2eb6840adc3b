package anvil_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/disk/lossy"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/anvil"
	"github.com/pharos-mcp/pharos/services/world/nbt"
	"github.com/pharos-mcp/pharos/services/world/region"
)

var wide = nbt.Limits{Bytes: 1 << 24, Depth: 100, Tags: 1 << 20, Alloc: 1 << 26}

// made is a disk with a new world on it.
func made(t *testing.T) *lossy.Disk {
	t.Helper()
	d := lossy.New()
	h, err := anvil.Open(config(t, d))
	must(t, err)
	must(t, h.Close())
	return d
}

// tree is every file with its content.
func tree(t *testing.T, d disk.FS, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := d.ReadDir(folder)
	must(t, err)
	for _, e := range entries {
		name := path.Join(folder, e.Name())
		if e.IsDir() {
			for n, data := range tree(t, d, name) {
				all[n] = data
			}
			continue
		}
		data, err := content(d, name)
		must(t, err)
		all[name] = string(data)
	}
	return all
}

func put(t *testing.T, d disk.FS, name string, data []byte) {
	t.Helper()
	must(t, disk.MkdirAll(d, path.Dir(name), 0o755))
	must(t, disk.Replace(d, name, data, 0o644))
}

// alter changes the tree of a chunk in its file.
func alter(t *testing.T, d disk.FS, at region.Pos, change func(root *nbt.Compound)) {
	t.Helper()
	name := "region/" + at.FileName()
	file, err := region.Open(d, name)
	must(t, err)
	raw, ok, err := file.Chunk(at)
	if err != nil || !ok {
		t.Fatalf("chunk %v: %v, %v", at, ok, err)
	}
	must(t, file.Close())
	rootName, root, err := nbt.Decode(raw, wide)
	must(t, err)
	change(root)
	must(t, region.Rewrite(d, name, map[region.Pos][]byte{at: nbt.Encode(rootName, root)}, now()))
}

// level puts a level.dat of another version.
func level(t *testing.T, d disk.FS, version int32) {
	t.Helper()
	data := &nbt.Compound{}
	data.Set("DataVersion", nbt.Int(version))
	root := &nbt.Compound{}
	root.Set("Data", data)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write(nbt.Encode("", root))
	must(t, err)
	must(t, w.Close())
	put(t, d, "level.dat", packed.Bytes())
}

// TestReadOnly opens worlds of all ages.
//
// clause: W-35
func TestReadOnly(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		version int32
		why     string
	}{
		"newer":          {3579, "newer version"},
		"the same":       {3578, ""},
		"older":          {2860, ""},
		"before 1.18":    {2859, "before 1.18"},
		"from long past": {0, "before 1.18"},
	} {
		d := made(t)
		level(t, d, test.version)
		before := tree(t, d, ".")
		h := open(t, config(t, d))
		why := h.Info().ReadOnly
		if (why == "") != (test.why == "") || !strings.Contains(why, test.why) {
			t.Errorf("%s: ReadOnly is %q, want %q in it", name, why, test.why)
		}
		if got := at(t, h, places[1]); got != states[0] {
			t.Errorf("%s: the block is %q", name, got)
		}
		_, err := h.Edit(t.Context(), host.Cause{}, geom.Box{}, func(w host.Writer) error { return w.Set(geom.Pos{}, states[1]) })
		if errors.Is(err, host.ErrReadOnly) != (test.why != "") {
			t.Errorf("%s: Edit: %v", name, err)
		}
		if test.why == "" {
			continue
		}
		must(t, h.Flush(t.Context(), []host.ChunkPos{{}}))
		must(t, h.Close())
		if diff := cmp.Diff(before, tree(t, d, ".")); diff != "" {
			t.Errorf("%s: a world that is read only has changed:\n%s", name, diff)
		}
	}
}

// TestNewerChunk edits an older world beside a chunk that a newer version saved.
//
// clause: W-35
func TestNewerChunk(t *testing.T) {
	t.Parallel()
	d := made(t)
	alter(t, d, region.Pos{}, func(root *nbt.Compound) { root.Set("DataVersion", nbt.Int(3579)) })
	h := open(t, config(t, d))
	_, err := h.Edit(t.Context(), host.Cause{}, geom.NewBox(places[0], places[1]), func(w host.Writer) error {
		return errors.Join(w.Set(places[0], states[1]), w.Set(places[1], states[1]))
	})
	if !errors.Is(err, host.ErrReadOnly) {
		t.Errorf("Edit of a newer chunk: %v", err)
	}
	if got := at(t, h, places[0]); got != states[0] {
		t.Errorf("the block of the other chunk is %q", got)
	}
	set(t, h, places[0], states[1])
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*nbt.Compound){
		"from before 1.18": func(root *nbt.Compound) { root.Set("DataVersion", nbt.Int(2000)) },
		"not finished":     func(root *nbt.Compound) { root.Set("Status", nbt.String("minecraft:noise")) },
		"of another place": func(root *nbt.Compound) { root.Set("xPos", nbt.Int(7)) },
	} {
		d := made(t)
		alter(t, d, region.Pos{X: 1}, change)
		h := open(t, config(t, d))
		var bad *host.Unreadable
		around := geom.NewBox(geom.Pos{}, geom.Pos{X: 16})
		err := h.View(t.Context(), around, func(host.Reader) error { return nil })
		if !errors.As(err, &bad) || bad.Chunk != (host.ChunkPos{X: 1}) {
			t.Errorf("%s: View: %v", name, err)
		}
		if got := at(t, h, places[1]); got != states[0] {
			t.Errorf("%s: a block beside is %q", name, got)
		}
	}
}

// TestKeeps changes one block of a world that has more than blocks.
//
// clause: W-35
func TestKeeps(t *testing.T) {
	t.Parallel()
	d := made(t)
	put(t, d, "playerdata/x.dat", []byte("player"))
	put(t, d, "entities/r.0.0.mca", nil)
	put(t, d, "region/notes.txt", []byte("mine"))
	put(t, d, "region/c.40.0.mcc", []byte("of another region"))
	before := tree(t, d, ".")
	h := open(t, config(t, d))
	set(t, h, places[1], states[1])
	for range 2 {
		must(t, h.Flush(t.Context(), []host.ChunkPos{{}}))
	}
	first, err := content(d, "region/r.0.0.mca")
	must(t, err)
	set(t, h, places[1], states[2])
	must(t, h.Close())
	after := tree(t, d, ".")
	if after["region/r.0.0.mca"] == before["region/r.0.0.mca"] || after["region/r.0.0.mca"] == string(first) {
		t.Error("the region file has not changed")
	}
	if after["pharos/originals/region/r.0.0.mca"] != before["region/r.0.0.mca"] {
		t.Error("the original is not what the region file was")
	}
	delete(after, "pharos/originals/region/r.0.0.mca")
	after["region/r.0.0.mca"] = before["region/r.0.0.mca"]
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("other files (-before +after):\n%s", diff)
	}
}

// TestLargeChunk keeps the file of a chunk that does not fit into its region.
//
// clause: W-35
func TestLargeChunk(t *testing.T) {
	t.Parallel()
	d := made(t)
	noise := make([]byte, 2<<20)
	for i, x := 0, uint32(1); i < len(noise); i++ {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		noise[i] = byte(x)
	}
	alter(t, d, region.Pos{}, func(root *nbt.Compound) { root.Set("mod", nbt.ByteArray(noise)) })
	before := tree(t, d, "region")
	if before["region/c.0.0.mcc"] == "" {
		t.Fatal("the chunk has no file of its own")
	}
	put(t, d, "pharos/originals/region/c.0.0.mcc", []byte("kept by a process that died at once")) // and a server came between
	h := open(t, config(t, d))
	set(t, h, places[1], states[1])
	must(t, h.Flush(t.Context(), []host.ChunkPos{{}}))
	for _, name := range []string{"c.0.0.mcc", "r.0.0.mca"} {
		got, err := content(d.Crash(), "pharos/originals/region/"+name)
		if err != nil || string(got) != before["region/"+name] {
			t.Errorf("the original of %s: %v, or not what it was", name, err)
		}
	}
	if got := at(t, open(t, config(t, d.Crash())), places[1]); got != states[1] {
		t.Errorf("the block is %q", got)
	}
}

// clause: W-11
func TestGeneratesNothing(t *testing.T) {
	t.Parallel()
	d := made(t)
	before := tree(t, d, ".")
	h := open(t, config(t, d))
	for _, p := range []geom.Pos{{X: 32}, {X: -33}, {X: 1000, Z: 1000}, {X: -512 * 7}} {
		here := geom.Box{Min: p, Max: p}
		var missing *host.NotGenerated
		if err := h.View(t.Context(), here, func(host.Reader) error { return nil }); !errors.As(err, &missing) {
			t.Errorf("View of %s: %v", p, err)
		}
		_, err := h.Edit(t.Context(), host.Cause{}, here, func(w host.Writer) error { return w.Set(p, states[1]) })
		if !errors.As(err, &missing) {
			t.Errorf("Edit of %s: %v", p, err)
		}
		must(t, h.Flush(t.Context(), []host.ChunkPos{{X: p.X >> 4, Z: p.Z >> 4}}))
	}
	must(t, h.Close())
	if diff := cmp.Diff(before, tree(t, d, ".")); diff != "" {
		t.Errorf("the world has changed:\n%s", diff)
	}
}

// TestOpenReadsLittle opens a world of many regions.
func TestOpenReadsLittle(t *testing.T) {
	t.Parallel()
	d := made(t)
	for _, name := range []string{"r.5.5.mca", "r.5.6.mca", "r.5.7.mca"} {
		put(t, d, "region/"+name, bytes.Repeat([]byte{1}, 100)) // not even region files
	}
	var read []string
	d.Refuse(func(step, name string) error {
		if step == "open" {
			read = append(read, name)
		}
		return nil
	})
	h := open(t, config(t, d))
	if diff := cmp.Diff([]string{"level.dat", "pharos/world.json"}, read); diff != "" {
		t.Errorf("what is read to open a world (-want +got):\n%s", diff)
	}
	read = nil
	at(t, h, places[1])
	at(t, h, places[1])
	if diff := cmp.Diff([]string{"region/r.0.0.mca"}, read); diff != "" {
		t.Errorf("what is read for a block, twice (-want +got):\n%s", diff)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	remove := func(names ...string) func(*testing.T, *lossy.Disk, *anvil.Config) {
		return func(t *testing.T, d *lossy.Disk, _ *anvil.Config) {
			for _, name := range names {
				must(t, d.Remove(name))
			}
		}
	}
	for name, test := range map[string]struct {
		change func(*testing.T, *lossy.Disk, *anvil.Config)
		want   string
	}{
		"a world without level.dat": {remove("level.dat"), "no level.dat"},
		"a level.dat that is no gzip": {func(t *testing.T, d *lossy.Disk, _ *anvil.Config) {
			put(t, d, "level.dat", []byte("x"))
		}, "level.dat cannot be read"},
		"an identity that is none": {func(t *testing.T, d *lossy.Disk, _ *anvil.Config) {
			put(t, d, "pharos/world.json", []byte(`{"world": "00000000-0000-0000-0000-000000000000"}`))
		}, "which world this is"},
		"no world, none to be made": {func(_ *testing.T, _ *lossy.Disk, c *anvil.Config) {
			c.Files, c.Create = lossy.New(), nil
		}, "there is no world"},
		"a new world of no size": {func(_ *testing.T, _ *lossy.Disk, c *anvil.Config) {
			c.Files, c.Create = lossy.New(), &anvil.Flat{Chunks: -1}
		}, "1 to 32"},
		"a new world too large": {func(_ *testing.T, _ *lossy.Disk, c *anvil.Config) {
			c.Files, c.Create = lossy.New(), &anvil.Flat{Chunks: 33}
		}, "1 to 32"},
	} {
		d := made(t)
		c := config(t, d)
		test.change(t, d, &c)
		if _, err := anvil.Open(c); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q in it", name, err, test.want)
		}
	}
}

func TestOpenCleans(t *testing.T) {
	t.Parallel()
	d := made(t)
	mine := []string{"region/r.0.0.mca", "pharos/world.json", "level.dat", "pharos/originals/region/r.0.0.mca"}
	for _, name := range mine {
		put(t, d, disk.Temporary(name), []byte("half"))
	}
	open(t, config(t, d))
	for _, name := range mine {
		if _, err := d.Stat(disk.Temporary(name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left: %v", disk.Temporary(name), err)
		}
	}
}

// TestEditDuringFlush has an edit come while a region file is written.
func TestEditDuringFlush(t *testing.T) {
	t.Parallel()
	d := made(t)
	h := open(t, config(t, d))
	set(t, h, places[1], states[1])
	d.Watch(func(step, _ string) {
		if step == "create" {
			set(t, h, places[1], states[2])
		}
	})
	must(t, h.Flush(t.Context(), []host.ChunkPos{{}}))
	d.Watch(nil)
	if got := at(t, open(t, config(t, d.Crash())), places[1]); got != states[1] {
		t.Errorf("the block is %q on the disk, want what was there when Flush began", got)
	}
	if got := at(t, h, places[1]); got != states[2] {
		t.Errorf("the block is %q in memory", got)
	}
	must(t, h.Flush(t.Context(), []host.ChunkPos{{}}))
	if got := at(t, open(t, config(t, d.Crash())), places[1]); got != states[2] {
		t.Errorf("the block is %q on the disk after the next Flush", got)
	}
}

// TestNewLevel holds what the game wants of a level.dat.
func TestNewLevel(t *testing.T) {
	t.Parallel()
	packed, err := content(made(t), "level.dat")
	must(t, err)
	r, err := gzip.NewReader(bytes.NewReader(packed))
	must(t, err)
	raw, err := io.ReadAll(r)
	must(t, err)
	_, root, err := nbt.Decode(raw, wide)
	must(t, err)
	data, _ := nbt.Get[*nbt.Compound](root, "Data")
	version, _ := nbt.Get[nbt.Int](data, "DataVersion")
	format, _ := nbt.Get[nbt.Int](data, "version")
	settings, _ := nbt.Get[*nbt.Compound](data, "WorldGenSettings")
	dimensions, _ := nbt.Get[*nbt.Compound](settings, "dimensions")
	if version != 3578 || format != 19133 || dimensions.Len() != 3 {
		t.Errorf("DataVersion %d, version %d, %d dimensions", version, format, dimensions.Len())
	}
}
