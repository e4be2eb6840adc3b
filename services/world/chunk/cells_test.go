package chunk_test

import (
	"testing"

	"github.com/pharos-mcp/pharos/services/world/chunk"
)

// TestSection: a section is what At has of it, and a copy.
func TestSection(t *testing.T) {
	t.Parallel()
	c := parse(t, rich(t))
	p := at(3, 70, 5)
	must(t, c.Set(p, "minecraft:stone"))
	for y := int32(chunk.MinY); y <= chunk.MaxY; y++ {
		palette, cells := c.Section(y)
		for i := range 256 {
			place := at(int32(i&15), y, int32(i>>4))
			got := palette[0]
			if cells != nil {
				got = palette[cells[int(y&15)<<8|i]]
			}
			if want := c.At(place); got != want {
				t.Fatalf("%v is %s in the section, %s", place, got, want)
			}
		}
		clear(palette)
		clear(cells)
	}
	if got := c.At(p); got != "minecraft:stone" {
		t.Errorf("a change of what was given changes the chunk: %s", got)
	}
	for _, y := range []int32{chunk.MinY - 1, chunk.MaxY + 1} {
		if palette, cells := c.Section(y); palette != nil || cells != nil {
			t.Errorf("at %d there is %v", y, palette)
		}
	}
}
