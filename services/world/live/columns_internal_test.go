package live

import (
	"context"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/live/mesh"
)

// counted is a world of air that counts how often it is read.
type counted map[host.ChunkPos]int

func (c counted) Column(_ context.Context, at host.ChunkPos) (*host.Column, error) {
	c[at]++
	return &host.Column{Pos: at, Sections: make([]host.Section, 1)}, nil
}

// TestKept: as many columns as are kept are read once; with one more, the one that
// was asked for longest ago is read again.
func TestKept(t *testing.T) {
	t.Parallel()
	pack, err := blocks.Load(blocks.Default)
	if err != nil {
		t.Fatal(err)
	}
	world := counted{}
	c := newColumns(t.Context(), world, mesh.NewTable(pack))
	get := func(x int32) {
		if _, err := c.get(t.Context(), host.ChunkPos{X: x}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		for x := range int32(maxColumns) {
			get(x)
		}
	}
	get(0) // is now younger than 1
	get(maxColumns)
	for _, x := range []int32{0, 1, 2} {
		get(x)
	}
	for x, want := range map[int32]int{0: 1, 1: 2, 2: 2, 3: 1, maxColumns: 1} {
		if got := world[host.ChunkPos{X: x}]; got != want {
			t.Errorf("column %d was read %d times, not %d", x, got, want)
		}
	}
	if len(c.known) != maxColumns || c.order.Len() != maxColumns {
		t.Errorf("%d and %d are kept", len(c.known), c.order.Len())
	}
}
