package schem_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/nbt"
	"github.com/pharos-mcp/pharos/services/world/schem"
)

// clause: W-31
func TestEncode(t *testing.T) {
	t.Parallel()
	s := made(t, 2, 1, 2, geom.Pos{X: -7, Y: 0, Z: 9}, "minecraft:stone", "minecraft:air", "minecraft:air", "minecraft:oak_planks")
	s.Name = "Tür 🚪"
	written, err := schem.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(written))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	want := nbt.Encode("Schematic", compound(
		"Version", nbt.Int(2), "DataVersion", nbt.Int(3578),
		"Metadata", compound("Name", nbt.String("Tür 🚪"), "WEOffsetX", nbt.Int(-7), "WEOffsetY", nbt.Int(0), "WEOffsetZ", nbt.Int(9)),
		"Width", nbt.Short(2), "Height", nbt.Short(1), "Length", nbt.Short(2), "Offset", nbt.IntArray{-7, 0, 9},
		"PaletteMax", nbt.Int(3),
		"Palette", compound("minecraft:stone", nbt.Int(0), "minecraft:air", nbt.Int(1), "minecraft:oak_planks", nbt.Int(2)),
		"BlockData", nbt.ByteArray{0, 1, 1, 2},
	))
	if !bytes.Equal(data, want) {
		t.Errorf("it has\n%q\nwant\n%q", data, want)
	}
}

// clause: W-31
func TestEncodeIsDeterministic(t *testing.T) {
	t.Parallel()
	states := allowed(t, 2700)
	first, err := schem.Encode(made(t, 27, 10, 10, geom.Pos{}, states...))
	if err != nil {
		t.Fatal(err)
	}
	second, err := schem.Encode(made(t, 27, 10, 10, geom.Pos{}, states...))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second) {
		t.Error("the same schematic is written in two ways")
	}
	s, err := schem.Decode(first, pack(t), schem.Options{Policy: building})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(states, shapeOf(s).States); diff != "" {
		t.Errorf("other states (-want +got):\n%s", diff)
	}
}

// clause: W-31, W-33
func TestWhatOthersWroteIsWrittenAgain(t *testing.T) {
	t.Parallel()
	files, err := os.ReadDir("testdata/pos")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 6 {
		t.Fatalf("%d files, want 6", len(files))
	}
	for _, f := range files {
		s, err := schem.Decode(read(t, "pos", f.Name()), pack(t), schem.Options{Policy: building})
		if err != nil {
			t.Fatal(err)
		}
		again, err := schem.Encode(s)
		if err != nil {
			t.Fatal(err)
		}
		same, err := schem.Decode(again, pack(t), schem.Options{Policy: building})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(shapeOf(s), shapeOf(same)); diff != "" {
			t.Errorf("%s changed (-want +got):\n%s", f.Name(), diff)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ width, height, length, states int }{
		{0, 1, 1, 0}, {1, 1, 1, 0}, {1, 1, 1, 2}, {-1, -1, 1, 1}, {1, 1, 4097, 4097}, {1 << 32, 1 << 32, 1, 0}, {65536, 65536, 65536, 0},
	} {
		if _, err := schem.New(c.width, c.height, c.length, make([]string, c.states)); err == nil {
			t.Errorf("New takes %+v", c)
		}
	}
}
