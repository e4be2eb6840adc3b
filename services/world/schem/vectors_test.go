package schem_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/schem"
)

// codes are those of the refusals in testdata/vectors.tsv, by the beginning of
// the file's name; the longest that fits counts.
var codes = map[string]fault.Code{
	"biomes":         schem.HasBiomes,
	"block-entity":   schem.HasBlockEntities,
	"bomb":           schem.BadNBT,
	"bomb-gzip":      schem.UnpackedSize,
	"data":           schem.BadBlocks,
	"dataversion":    schem.BadDataVersion,
	"dims":           schem.BadDimensions,
	"empty":          schem.BadGzip,
	"entity":         schem.HasEntities,
	"file-over-1MiB": schem.TooLarge,
	"gzip":           schem.BadGzip,
	"nbt":            schem.BadNBT,
	"nested-root":    schem.BadRoot,
	"not-gzip":       schem.BadGzip,
	"offset":         schem.BadOffset,
	"palette":        schem.BadPalette,
	"required-mods":  schem.NeedsMods,
	"root-name":      schem.BadRoot,
	"state":          schem.BadBlock,
	"tile-entities":  schem.UnknownField,
	"truncated-gzip": schem.BadGzip,
	"unknown-field":  schem.UnknownField,
	"version":        schem.BadVersion,
	"width-0":        schem.BadDimensions,
	"zlib-not-gzip":  schem.BadGzip,
}

func codeOf(name string) (code fault.Code) {
	longest := -1
	for prefix, c := range codes {
		if strings.HasPrefix(name, prefix) && len(prefix) > longest {
			longest, code = len(prefix), c
		}
	}
	return code
}

// vectors are the negative files and what the refusal of each must say.
func vectors(t testing.TB) map[string]string {
	t.Helper()
	table, err := os.ReadFile("testdata/vectors.tsv")
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	for line := range strings.Lines(string(table)) {
		name, reason, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			t.Fatalf("line %q has no reason", line)
		}
		reasons[name] = reason
	}
	delete(reasons, "file") // the heading
	return reasons
}

func read(t testing.TB, folder, name string) []byte {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// clause: W-33
func TestNegative(t *testing.T) {
	t.Parallel()
	reasons := vectors(t)
	files, err := os.ReadDir("testdata/neg")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(reasons) || len(files) != 68 {
		t.Fatalf("%d files and %d reasons, want 68 of both", len(files), len(reasons))
	}
	for _, f := range files {
		t.Run(f.Name(), func(t *testing.T) {
			t.Parallel()
			_, err := schem.Decode(read(t, "neg", f.Name()), pack(t), schem.Options{Policy: building})
			if err == nil {
				t.Fatal("it was read")
			}
			if got, want := fault.CodeOf(err), codeOf(f.Name()); got != want {
				t.Errorf("code %q, want %q (%v)", got, want, err)
			}
			if want := reasons[f.Name()]; !strings.Contains(err.Error(), want) {
				t.Errorf("message %q lacks %q", err, want)
			}
		})
	}
}

// clause: W-33
func TestBombsCostBoundedMemory(t *testing.T) { // not parallel: it counts what the process takes
	files := map[string][]byte{}
	for name := range vectors(t) {
		files[name] = read(t, "neg", name)
	}
	for name, file := range bombs(t) {
		files[name] = file
	}
	p := pack(t)
	for name, file := range files {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := schem.Decode(file, p, schem.Options{Policy: building})
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s was read", name)
		}
		taken := after.TotalAlloc - before.TotalAlloc
		if taken > schem.MaxAlloc {
			t.Errorf("%s took %d bytes of memory, at most %d are allowed", name, taken, schem.MaxAlloc)
		}
		if taken > 8<<20 {
			t.Logf("%s: %.1f MiB (%v)", name, float64(taken)/(1<<20), err)
		}
	}
}

// clause: W-33
func TestPositive(t *testing.T) {
	t.Parallel()
	small := &shape{Width: 2, Height: 1, Length: 2, DataVersion: 3578, States: []string{
		"minecraft:air", "minecraft:stone", "minecraft:stone", "minecraft:air",
	}}
	for name, want := range map[string]*shape{
		"minimal.schem":      small,
		"no-optionals.schem": small,
		"prismarine-cubes.schem": prismarine("minecraft:stone", "minecraft:stone_bricks", "minecraft:oak_planks", "minecraft:glass",
			"minecraft:white_wool"),
		"prismarine-pillars.schem": prismarine(product("minecraft:%s[axis=%s]", []string{"oak_log", "quartz_pillar", "bone_block"}, []string{"x", "y", "z"})...),
		"prismarine-slabs.schem": prismarine(product("minecraft:%s[type=%s,waterlogged=false]", []string{"oak_slab", "smooth_stone_slab"},
			[]string{"top", "bottom", "double"})...),
		"prismarine-stairs.schem": prismarine(product("minecraft:%s[facing=%s,half=%s,shape=%s,waterlogged=false]",
			[]string{"oak_stairs", "stone_brick_stairs"}, []string{"north", "south", "west", "east"}, []string{"top", "bottom"},
			[]string{"straight", "inner_left", "inner_right", "outer_left", "outer_right"})...),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := schem.Decode(read(t, "pos", name), pack(t), schem.Options{Policy: building})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, shapeOf(s)); diff != "" {
				t.Errorf("other content (-want +got):\n%s", diff)
			}
		})
	}
}

// prismarine is what prismarine-schematic wrote: air and the states, taken in
// steps of seven.
func prismarine(states ...string) *shape {
	s := &shape{Width: 5, Height: 4, Length: 6, DataVersion: 3578, Offset: geom.Pos{X: -1, Z: -2}}
	palette := append([]string{"minecraft:air"}, states...)
	for i := range s.Width * s.Height * s.Length {
		s.States = append(s.States, palette[7*i%len(palette)])
	}
	return s
}
