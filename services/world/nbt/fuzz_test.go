package nbt_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/nbt"
)

// What is read keeps its limits and is written as the same bytes.
func FuzzDecode(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(nbt.Encode("x", tree(rand.New(rand.NewPCG(seed, 9)), 3)))
	}
	for _, bomb := range bombs() {
		f.Add(bomb[:min(len(bomb), 4<<10)])
	}
	f.Add(stringDoc("\xed\xa0\x80\xed\xb0\x80\xc0\x80"))
	l := nbt.Limits{Bytes: 1 << 16, Depth: 8, Tags: 1 << 10, Alloc: 1 << 20}
	f.Fuzz(func(t *testing.T, data []byte) {
		name, root, cost, err := nbt.Measure(data, l)
		if cost.Depth > l.Depth || cost.Tags > l.Tags || cost.Alloc > l.Alloc {
			t.Fatalf("%+v is above the limits", cost)
		}
		if (err == nil) != (root != nil) {
			t.Fatalf("root %v, error %v", root, err)
		}
		if err != nil {
			return
		}
		if again := nbt.Encode(name, root); !slices.Equal(again, data) {
			t.Fatalf("%q is written as %q", data, again)
		}
	})
}
