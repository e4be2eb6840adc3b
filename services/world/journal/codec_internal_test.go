package journal

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/geom"
)

// scattered makes so many changes anywhere in a world.
func scattered(r *rand.Rand, n int) []Change {
	at := map[geom.Pos]bool{}
	var changes []Change
	for len(changes) < n {
		p := geom.Pos{X: r.Int32N(60_000_000) - 30_000_000, Y: r.Int32N(384) - 64, Z: r.Int32N(60_000_000) - 30_000_000}
		if !at[p] {
			at[p] = true
			state := func() string { return fmt.Sprintf("minecraft:block_%d[facing=east,half=top]", r.IntN(300)) }
			changes = append(changes, Change{p, state(), state() + "x"})
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return a.Compare(b.Pos) })
	return changes
}

// What is written is read, at the edges of positions and at both ends of what a
// plan may have.
//
// clause: W-12
func TestBlocks(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	edge := []Change{
		{geom.Pos{X: math.MinInt32, Y: math.MinInt32, Z: math.MinInt32}, "a", "b"},
		{geom.Pos{X: math.MaxInt32, Y: math.MaxInt32, Z: math.MaxInt32}, "b", strings.Repeat("c", MaxState)},
	}
	for name, changes := range map[string][]Change{
		"none": {}, "one": scattered(r, 1), "edges": edge, "all": scattered(r, MaxChanges),
	} {
		packed := encodeChanges(changes)
		got, err := decodeChanges(packed)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(changes, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		t.Logf("%s: %d bytes", name, len(packed))
	}
	dependencies := []Dependency{{geom.Pos{X: 1}, "minecraft:air"}, {geom.Pos{X: 2}, "minecraft:air"}}
	if got, err := decodeDependencies(encodeDependencies(dependencies)); err != nil || !slices.Equal(got, dependencies) {
		t.Errorf("dependencies: %v, %v", got, err)
	}
	positions := []geom.Pos{{X: 5, Y: -3, Z: 9}, {X: 6, Y: -3, Z: 9}}
	if got, err := decodePositions(encodePositions(positions)); err != nil || !slices.Equal(got, positions) {
		t.Errorf("positions: %v, %v", got, err)
	}
}

// A cuboid of one block, as most plans have, is kept in little.
func TestBlocksAreCompact(t *testing.T) {
	t.Parallel()
	var changes []Change
	for p := range geom.NewBox(geom.Pos{}, geom.Pos{X: 15, Y: 15, Z: 15}).Positions() {
		changes = append(changes, Change{p, "minecraft:air", "minecraft:stone"})
	}
	if n := len(encodeChanges(changes)); n > 300 {
		t.Errorf("%d changes take %d bytes", len(changes), n)
	}
}

func packed(raw []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(raw)
	_ = w.Close()
	return b.Bytes()
}

// uvarints writes numbers, and text between them as it is.
func uvarints(parts ...any) (raw []byte) {
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			raw = binary.AppendUvarint(raw, uint64(p))
		case string:
			raw = append(raw, p...)
		}
	}
	return raw
}

// Whatever is no text of blocks is refused, and bounded before it is read.
func TestBlocksRefused(t *testing.T) {
	t.Parallel()
	good := uvarints(2, 1, "a", 1, "b", 1, 0, 0, 2, 0, 1)
	if _, err := decodeChanges(packed(good)); err != nil {
		t.Fatal(err)
	}
	cut := packed(good)
	bomb := packed(make([]byte, 64<<20))
	sum := bytes.Clone(cut)
	sum[len(sum)-5] ^= 1
	for name, data := range map[string][]byte{
		"nothing":             nil,
		"no gzip":             []byte("stone"),
		"cut":                 cut[:len(cut)-9],
		"a wrong checksum":    sum,
		"two members":         append(bytes.Clone(cut), cut...),
		"something behind":    append(bytes.Clone(cut), 0),
		"something more":      packed(append(bytes.Clone(good), 0)),
		"an empty member":     packed(nil),
		"too many states":     packed(uvarints(2*MaxChanges + 1)),
		"a long state":        packed(append(uvarints(1, MaxState+1), make([]byte, 600)...)),
		"a state twice":       packed(uvarints(2, 1, "a", 1, "a", 0)),
		"too many blocks":     packed(uvarints(0, MaxChanges+1)),
		"a state that is not": packed(uvarints(2, 1, "a", 1, "b", 1, 0, 0, 2, 0, 2)),
		"no states at all":    packed(uvarints(0, 1, 0, 0, 2, 0, 0)),
		"a position twice":    packed(uvarints(2, 1, "a", 1, "b", 2, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1)),
		"a position before":   packed(uvarints(2, 1, "a", 1, "b", 2, 0, 0, 2, 0, 1, 0, 0, 1, 0, 1)),
		"too far":             packed(binary.AppendVarint(uvarints(0, 1), math.MaxInt32+1)),
		"a long number":       packed(append(uvarints(0, 1), bytes.Repeat([]byte{0xff}, 11)...)),
		"zeros for ever":      bomb,
		"states for ever":     packed(slices.Concat(uvarints(2*MaxChanges), make([]byte, 64<<20))),
	} {
		if got, err := decodeChanges(data); !errors.Is(err, errBlocks) {
			t.Errorf("%s: %d changes, error %v", name, len(got), err)
		}
	}
}

func FuzzBlocks(f *testing.F) {
	f.Add(encodeChanges(scattered(rand.New(rand.NewPCG(3, 4)), 3)))
	f.Add(packed(uvarints(2, 1, "a", 1, "b", 1, 0, 0, 2, 0, 1)))
	f.Fuzz(func(t *testing.T, data []byte) {
		changes, err := decodeChanges(data)
		if err != nil {
			return
		}
		again, err := decodeChanges(encodeChanges(changes))
		if diff := cmp.Diff(changes, again); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
	})
}

// A mask is read as it was written, and nothing else is one.
func TestMask(t *testing.T) {
	t.Parallel()
	var all, odd mask
	for n := range MaxChanges {
		all = append(all, n)
		if n%2 == 1 {
			odd = append(odd, n)
		}
	}
	for name, m := range map[string]mask{"none": {}, "first": {0}, "last": {MaxChanges - 1}, "all": all, "odd": odd, "some": {0, 1, 5, 6, 7, 900}} {
		data := m.encode()
		got, err := decodeMask(data, MaxChanges)
		if err != nil || !slices.Equal(got, m) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
		if len(data) > 16384 {
			t.Errorf("%s: %d bytes", name, len(data))
		}
		if both := m.with(m.rest(MaxChanges)); !slices.Equal(both, all) {
			t.Errorf("%s: it and the rest are not all", name)
		}
	}
	for name, data := range map[string][]byte{
		"half a pair": {1}, "an empty run": {0, 0}, "runs that touch": {0, 1, 0, 1}, "too long": {0, 5}, "too far": {4, 1},
		"a huge gap":      binary.AppendUvarint(nil, math.MaxUint64),
		"a huge run":      append([]byte{1}, binary.AppendUvarint(nil, math.MaxUint64)...),
		"an unended byte": {0x80},
	} {
		if got, err := decodeMask(data, 4); !errors.Is(err, errMask) {
			t.Errorf("%s: %v, error %v", name, got, err)
		}
	}
	if got, err := decodeMask([]byte{0, 4}, 4); err != nil || len(got) != 4 {
		t.Errorf("all of four: %v, %v", got, err)
	}
	for _, m := range []mask{{-1}, {4}, {1, 1}, {2, 1}} {
		if m.check(4) == nil {
			t.Errorf("%v is taken", m)
		}
	}
	if err := (mask{0, 3}).check(4); err != nil {
		t.Error(err)
	}
}

// A text is cut between characters, and made one that the database takes.
func TestClip(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "four": "four", "fives": "five", "abcé": "abc", "é€": "é", "a\x00": "a\uFFFD", "\xff\xff": "\uFFFD",
	} {
		if got := clip(text, 4); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
