package hosttest

import (
	"errors"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/host"
)

// testNotGenerated asks for a chunk that is not there, alone and among others.
// It must not come to be.
func testNotGenerated(t *testing.T, w World) {
	m := w.Missing
	there := one(pos(m.X*16+3, above, m.Z*16+3))
	for range 2 {
		for name, err := range calls(t.Context(), t, w.Host, there) {
			var missing *host.NotGenerated
			if name == "Flush" || name == "Say" {
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			if !errors.As(err, &missing) {
				t.Errorf("%s of a chunk that does not exist: %v", name, err)
				continue
			}
			equal(t, name+": the chunks that do not exist", missing.Chunks, []host.ChunkPos{m})
		}
	}
	both := there.Union(one(pos(0, above, 0)))
	var missing *host.NotGenerated
	err := w.Host.View(t.Context(), both, func(host.Reader) error { return errStop })
	if !errors.As(err, &missing) || len(missing.Chunks) == 0 {
		t.Errorf("View of a box with chunks that do not exist: %v", err)
	}
}

// maxChunks is how many chunks a box may be over.
const maxChunks = 1024

func testTooManyChunks(t *testing.T, w World) {
	for n, fits := range map[int32]bool{maxChunks: true, maxChunks + 1: false} {
		var missing *host.NotGenerated
		err := w.Host.View(t.Context(), box(pos(0, above, 0), pos(16*n-1, above, 0)), func(host.Reader) error { return nil })
		if (err == nil || errors.As(err, &missing)) != fits {
			t.Errorf("a view over %d chunks: %v", n, err)
		}
	}
	all := box(pos(-1<<31, 0, -1<<31), pos(1<<31-1, 0, 1<<31-1))
	if err := w.Host.View(t.Context(), all, func(host.Reader) error { return nil }); err == nil {
		t.Error("a view over the whole world is given")
	}
	if _, err := w.Host.Heights(t.Context(), all); err == nil {
		t.Error("the heights of the whole world are given")
	}
	if _, err := w.Host.Foreign(t.Context(), all); err == nil {
		t.Error("a list of the whole world is given")
	}
}

func testHeights(t *testing.T, w World) {
	info := w.Host.Info()
	set(w.Host, t, stone, pos(-1, above+5, 0))
	set(w.Host, t, stone, pos(0, info.MaxY, -1))
	for y := host.Surface - 4; y <= host.Surface; y++ {
		set(w.Host, t, air, pos(0, y, 0))
	}
	// What the box says of heights does not matter.
	for _, y := range []int32{info.MinY, above, info.MaxY} {
		got, err := w.Host.Heights(t.Context(), box(pos(-1, y, -1), pos(1, y, 0)))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "the heights", got, []int32{host.Surface, info.MaxY, host.Surface, above + 5, info.MinY - 1, host.Surface})
	}
}

func testFlush(t *testing.T, w World) {
	a, b := pos(-1, above, -1), pos(0, above, 0)
	set(w.Host, t, log, a)
	set(w.Host, t, stone, b)
	chunks := []host.ChunkPos{{X: -1, Z: -1}, {}, w.Missing, {}}
	for range 2 {
		if err := w.Host.Flush(t.Context(), chunks); err != nil {
			t.Fatal(err)
		}
	}
	equal(t, "the block after Flush", read(w.Host, t, a), log)
	if w.Reopen == nil {
		return
	}
	info := w.Host.Info()
	h := w.Reopen(t)
	equal(t, "what the world is", h.Info(), info)
	equal(t, "the first block", read(h, t, a), log)
	equal(t, "the second block", read(h, t, b), stone)
	equal(t, "a block beside", read(h, t, pos(1, above, 0)), air)
}

func testClose(t *testing.T, w World) {
	for range 2 {
		if err := w.Host.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	for name, err := range calls(t.Context(), t, w.Host, one(pos(0, above, 0))) {
		if !errors.Is(err, host.ErrClosed) {
			t.Errorf("%s after Close: %v, want %v", name, err, host.ErrClosed)
		}
	}
}
