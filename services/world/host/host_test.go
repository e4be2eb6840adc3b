package host_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

func TestChunksOf(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b geom.Pos
		want []host.ChunkPos
	}{
		{geom.Pos{X: -1, Z: -1}, geom.Pos{}, []host.ChunkPos{{X: -1, Z: -1}, {X: 0, Z: -1}, {X: -1, Z: 0}, {X: 0, Z: 0}}},
		{geom.Pos{X: 16}, geom.Pos{X: 31, Y: 300, Z: 15}, []host.ChunkPos{{X: 1}}},
		{geom.Pos{X: 15}, geom.Pos{X: 16}, []host.ChunkPos{{}, {X: 1}}},
		{geom.Pos{X: -17}, geom.Pos{X: -16}, []host.ChunkPos{{X: -2}, {X: -1}}},
	} {
		if d := cmp.Diff(test.want, host.ChunksOf(geom.NewBox(test.a, test.b))); d != "" {
			t.Errorf("chunks from %s to %s (-want +got):\n%s", test.a, test.b, d)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for n, more := range map[int]string{1: "(0, 0)", 10: "(9, 0)", 11: "(9, 0), and 1 more"} {
		missing := &host.NotGenerated{}
		for x := range n {
			missing.Chunks = append(missing.Chunks, host.ChunkPos{X: int32(x)})
		}
		if got := missing.Error(); !strings.HasSuffix(got, more) {
			t.Errorf("%d chunks: %q, want %q at its end", n, got, more)
		}
	}
	reason := errors.New("torn")
	bad := &host.Unreadable{Chunk: host.ChunkPos{X: 1, Z: -2}, Reason: reason}
	if got := bad.Error(); got != "chunk (1, -2) cannot be used: torn" || !errors.Is(bad, reason) {
		t.Errorf("Unreadable: %q", got)
	}
}

func TestFlat(t *testing.T) {
	t.Parallel()
	for y, want := range map[int32]string{
		-64: "minecraft:air", 59: "minecraft:air", 60: "minecraft:bedrock", 61: "minecraft:dirt", 63: "minecraft:dirt",
		64: "minecraft:grass_block[snowy=false]", 65: "minecraft:air",
	} {
		if got := host.Flat(y); got != want || host.IsAir(got) != (want == "minecraft:air") {
			t.Errorf("at %d: %q, want %q", y, got, want)
		}
	}
}
