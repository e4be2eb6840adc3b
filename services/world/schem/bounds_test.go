package schem_test

import (
	"bytes"
	"compress/gzip"
	"slices"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/nbt"
	"github.com/pharos-mcp/pharos/services/world/schem"
)

// clause: W-33
func TestBounds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file   func(t *testing.T, more int) []byte // at the bound, and past it by that much
		code   fault.Code
		reason string
	}{
		"packed":    {packed, schem.TooLarge, "file over 1 MiB"},
		"unpacked":  {unpacked, schem.UnpackedSize, "nbt over 4 MiB"},
		"depth":     {deep, schem.BadNBT, "nbt: too deep"},
		"tags":      {tags, schem.BadNBT, "nbt: too many tags"},
		"palette":   {palette, schem.BadPalette, "Palette has 4097 entries, at most 4096"},
		"positions": {positions, schem.BadDimensions, "4097 positions"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := schem.Decode(c.file(t, 0), pack(t), schem.Options{Policy: building}); err != nil {
				t.Errorf("at the bound: %v", err)
			}
			_, err := schem.Decode(c.file(t, 1), pack(t), schem.Options{Policy: building})
			if got := fault.CodeOf(err); got != c.code || !strings.Contains(err.Error(), c.reason) {
				t.Errorf("past the bound: %q: %v, want %q: %s", got, err, c.code, c.reason)
			}
		})
	}
}

// filled has n bytes that mean nothing.
func filled(n int) []byte {
	r := root()
	r.Set("Metadata", compound("Filling", nbt.ByteArray(make([]byte, n))))
	return nbt.Encode("Schematic", r)
}

func packed(t *testing.T, more int) []byte {
	t.Helper()
	for n := schem.MaxPacked - 1000; ; {
		var b bytes.Buffer
		w, err := gzip.NewWriterLevel(&b, gzip.NoCompression)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(filled(n)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if b.Len() == schem.MaxPacked+more {
			return b.Bytes()
		}
		n += schem.MaxPacked + more - b.Len()
	}
}

func unpacked(t *testing.T, more int) []byte {
	t.Helper()
	return zip(t, filled(schem.MaxUnpacked+more-len(filled(0))))
}

func deep(t *testing.T, more int) []byte {
	t.Helper()
	inner := compound()
	for range schem.MaxDepth - 2 + more { // within the root, below Metadata
		inner = compound("A", inner)
	}
	r := root()
	r.Set("Metadata", inner)
	return file(t, r)
}

func tags(t *testing.T, more int) []byte {
	t.Helper()
	list := nbt.List{Of: nbt.KindByte}
	r := root()
	r.Set("Metadata", compound("A", list))
	_, _, cost, err := nbt.Measure(nbt.Encode("Schematic", r),
		nbt.Limits{Bytes: schem.MaxUnpacked, Depth: schem.MaxDepth, Tags: schem.MaxTags, Alloc: schem.MaxAlloc})
	if err != nil {
		t.Fatal(err)
	}
	for range schem.MaxTags - cost.Tags + more {
		list.Items = append(list.Items, nbt.Byte(1))
	}
	r.Set("Metadata", compound("A", list))
	return file(t, r)
}

func positions(t *testing.T, more int) []byte {
	t.Helper()
	n := schem.MaxPositions + more
	return file(t, dense(1, 1, n, []string{"minecraft:stone"}, make([]int, n)))
}

// palette has more entries than there are states: many are written twice, with
// their properties in another order.
func palette(t *testing.T, more int) []byte {
	t.Helper()
	states := allowed(t, 2700)
	for _, state := range states {
		name, list, _ := strings.Cut(strings.TrimSuffix(state, "]"), "[")
		if properties := strings.Split(list, ","); len(properties) > 1 {
			slices.Reverse(properties)
			states = append(states, name+"["+strings.Join(properties, ",")+"]")
		}
	}
	states = states[:schem.MaxPositions+more]
	return file(t, dense(1, 1, 1, states, []int{schem.MaxPositions - 1}))
}
