package anvil

import (
	"testing"

	"github.com/pharos-mcp/pharos/services/world/host"
)

func TestCacheRoom(t *testing.T) {
	t.Parallel()
	c := newCache(2)
	has := func(want ...int32) {
		t.Helper()
		for _, x := range []int32{1, 2, 3, 4} {
			found := c.get(host.ChunkPos{X: x}) != nil
			wanted := false
			for _, w := range want {
				wanted = wanted || w == x
			}
			if found != wanted {
				t.Errorf("chunk %d is in memory: %v, want %v", x, found, wanted)
			}
		}
	}
	entries := map[int32]*entry{}
	for x := int32(1); x <= 2; x++ {
		entries[x] = c.add(&entry{at: host.ChunkPos{X: x}})
	}
	has(1, 2)
	if got := c.add(&entry{at: host.ChunkPos{X: 1}}); got != entries[1] {
		t.Error("a second reader's chunk takes the place of the first's")
	}
	c.get(host.ChunkPos{X: 2}) // the latest used
	c.get(host.ChunkPos{X: 1})
	c.add(&entry{at: host.ChunkPos{X: 3}})
	has(1, 3)

	c.change(entries[1])
	c.change(entries[2]) // pushed out, but an edit has it
	c.add(&entry{at: host.ChunkPos{X: 4}})
	has(1, 2, 3, 4)
	c.written(entries[1], 0) // it has changed since
	if got := len(c.changed()); got != 2 {
		t.Errorf("%d chunks have changed, want 2", got)
	}
	c.written(entries[1], 1)
	c.written(entries[2], 1)
	has(1, 2)
}
