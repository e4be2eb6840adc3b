package anvil_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/anvil"
)

var long = flag.Bool("long", false, "share worlds with prismarine-provider-anvil, which .ci/world has installed")

// theirs runs .ci/world/anvil.mjs and returns what it prints.
func theirs(t *testing.T, args ...string) []byte {
	t.Helper()
	if !*long {
		t.Skip("needs -long")
	}
	found, err := exec.Command("../../../../.ci/e2e/install", "-node").Output()
	must(t, err)
	node := exec.CommandContext(t.Context(), strings.TrimSpace(string(found)), append([]string{"anvil.mjs"}, args...)...)
	node.Dir = "../../../../.ci/world"
	var stderr bytes.Buffer
	node.Stderr = &stderr
	out, err := node.Output()
	if err != nil {
		t.Fatalf("anvil.mjs %v: %v\n%s", args, err, stderr.String())
	}
	return out
}

// theyRead returns the numbers of all states of chunks, in each by section and y,
// z, x.
func theyRead(t *testing.T, folder string, chunks ...host.ChunkPos) [][][]int32 {
	t.Helper()
	args := []string{"read", filepath.Join(folder, "region")}
	for _, c := range chunks {
		args = append(args, fmt.Sprintf("%d,%d", c.X, c.Z))
	}
	var all [][][]int32
	for line := range bytes.Lines(theirs(t, args...)) {
		var one [][]int32
		must(t, json.Unmarshal(line, &one))
		all = append(all, one)
	}
	if len(all) != len(chunks) {
		t.Fatalf("%d chunks of %d", len(all), len(chunks))
	}
	return all
}

// section is the box of 16 layers of a chunk, counted from the bottom.
func section(c host.ChunkPos, n int) geom.Box {
	low := geom.Pos{X: c.X << 4, Y: -64 + 16*int32(n), Z: c.Z << 4}
	return geom.Box{Min: low, Max: low.Add(geom.Pos{X: 15, Y: 15, Z: 15})}
}

// weRead is what theyRead returns, of one section, read through the host.
func weRead(t *testing.T, h host.Host, box geom.Box) (ids []int32) {
	t.Helper()
	must(t, h.View(t.Context(), box, func(r host.Reader) error {
		for p := range box.Positions() {
			id, ok := h.Blocks().ID(r.At(p))
			if !ok {
				return fmt.Errorf("%s has no number", r.At(p))
			}
			ids = append(ids, id)
		}
		return nil
	}))
	return ids
}

// fill sets a section to the states of these numbers, one after the other and
// again from the first.
func fill(t *testing.T, h host.Host, box geom.Box, ids []int32) {
	t.Helper()
	_, err := h.Edit(t.Context(), host.Cause{Kind: host.ByOther}, box, func(w host.Writer) error {
		i := 0
		for p := range box.Positions() {
			state, _ := h.Blocks().State(ids[i%len(ids)])
			if err := w.Set(p, state); err != nil {
				return err
			}
			i++
		}
		return nil
	})
	must(t, err)
}

// numbers are n numbers of states from one on, and after the last from the first.
func numbers(from, n, count int) []int32 {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = int32((from + i) % count)
	}
	return ids
}

// TestTheyReadEveryState writes every state twice, in sections of as many as they
// hold and in sections of few, and palettes of every width, and has others read
// all chunks: what is on the disk after Flush is what they see.
//
// clause: W-24, W-35
func TestTheyReadEveryState(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	c := config(t, in(t, folder))
	c.Create = &anvil.Flat{Chunks: 12}
	h := open(t, c)
	count := h.Blocks().Count()
	var palettes [][]int32
	for from := 0; from < count; from += 4096 {
		palettes = append(palettes, numbers(from, 4096, count))
	}
	for from := 0; from < count; from += 200 {
		palettes = append(palettes, numbers(from, 200, count))
	}
	for _, n := range []int{
		1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 258, 300, 511, 512, 513,
		777, 1023, 1024, 1025, 1500, 2047, 2048, 2049, 3000, 4095, 4096,
	} {
		palettes = append(palettes, numbers(7*n, n, count))
	}
	const sections = 24
	var chunks []host.ChunkPos
	for i, ids := range palettes {
		if i%sections == 0 {
			n := int32(len(chunks))
			chunks = append(chunks, host.ChunkPos{X: n - 4, Z: n%3 - 2})
		}
		fill(t, h, section(chunks[len(chunks)-1], i%sections), ids)
	}
	must(t, h.Flush(t.Context(), chunks)) // and the host stays open
	seen := map[int32]bool{}
	read := theyRead(t, folder, chunks...)
	for i, ids := range palettes {
		for cell, got := range read[i/sections][i%sections] {
			if want := ids[cell%len(ids)]; got != want {
				state, _ := h.Blocks().State(want)
				t.Fatalf("a palette of %d: at cell %d they read %d, not %d (%s)", len(ids), cell, got, want, state)
			}
			seen[got] = true
		}
	}
	if len(seen) != count {
		t.Errorf("%d states of %d", len(seen), count)
	}
	t.Logf("%d states in %d sections of %d chunks", len(seen), len(palettes), len(chunks))
}

// TestWeReadEveryState reads every state from files that others wrote. Their
// writer fails with more than 200 or so in a section.
//
// clause: W-35
func TestWeReadEveryState(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	h := open(t, config(t, in(t, folder)))
	count := h.Blocks().Count()
	must(t, h.Close())
	must(t, os.RemoveAll(filepath.Join(folder, "region")))
	must(t, os.Mkdir(filepath.Join(folder, "region"), 0o700))
	const each, sections = 200, 24
	wrote := strings.TrimSpace(string(theirs(t, "states", filepath.Join(folder, "region"), fmt.Sprint(each))))
	if wrote != fmt.Sprint(count) {
		t.Fatalf("they wrote %s states of %d", wrote, count)
	}
	h = open(t, config(t, in(t, folder)))
	for first := 0; first < count; first += each {
		want := make([]int32, 4096)
		copy(want, numbers(first, min(each, count-first), count))
		n := first / each
		got := weRead(t, h, section(host.ChunkPos{X: int32(n / sections)}, n%sections))
		if !slices.Equal(got, want) {
			t.Fatalf("section %d: we read %v, not %v", n, got[:each], want[:each])
		}
	}
}
