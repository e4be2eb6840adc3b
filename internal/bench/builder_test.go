package main

import (
	"testing"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/operation"
)

// TestBuilderSlices: the edits beside an operation are its slices, and make the
// same blocks.
func TestBuilderSlices(t *testing.T) {
	t.Parallel()
	seen := map[geom.Pos]bool{}
	for _, s := range builderSlices() {
		if s.Volume() != operation.SliceBlocks {
			t.Errorf("a slice of %d blocks", s.Volume())
		}
		for p := range s.Positions() {
			if seen[p] || !builderBox.Contains(p) {
				t.Errorf("%s is twice in a slice, or not in the box", p)
			}
			seen[p] = true
		}
	}
	if len(seen) != 4096 {
		t.Errorf("%d blocks", len(seen))
	}
}

// TestTown: the town that is drawn has every kind of block, and a ray that meets
// something.
func TestTown(t *testing.T) {
	t.Parallel()
	s := town()
	kinds := map[uint16]bool{}
	for _, cell := range s.Cells {
		kinds[cell] = true
	}
	if len(kinds) != len(s.Materials) {
		t.Errorf("%d kinds of %d", len(kinds), len(s.Materials))
	}
}
