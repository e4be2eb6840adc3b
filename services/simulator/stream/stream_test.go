package stream_test

import (
	"encoding/hex"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/simulator/stream"
)

// The vectors of the mechanics.
func TestVectors(t *testing.T) {
	t.Parallel()
	key := stream.Key(51001, "occupants", 41, 0)
	if got, want := hex.EncodeToString(key[:]), "6d7da11a8e83fd48627c9efe1fcf46d3b8f1a0d594eae1acc37815582b41d948"; got != want {
		t.Errorf("key %s, want %s", got, want)
	}
	s := stream.New(51001, "occupants", 41, 0)
	raw := []uint64{s.Uint64(), s.Uint64(), s.Uint64()}
	if diff := cmp.Diff([]uint64{1746692251626876500, 10455184060965570413, 4017204606375433993}, raw); diff != "" {
		t.Error(diff)
	}
	s = stream.New(51001, "occupants", 41, 0)
	var thousandths []int64
	for range 6 {
		thousandths = append(thousandths, s.N(1000))
	}
	if diff := cmp.Diff([]int64{94, 566, 217, 418, 344, 922}, thousandths); diff != "" {
		t.Error(diff)
	}
}

func TestDraws(t *testing.T) {
	t.Parallel()
	s := stream.New(1, "test", 2, 3)
	seen := map[int64]int{}
	for range 3000 {
		n := s.Range(-1, 1)
		if n < -1 || n > 1 {
			t.Fatalf("Range(-1, 1) = %d", n)
		}
		seen[n]++
	}
	for n := int64(-1); n <= 1; n++ {
		if seen[n] < 900 || seen[n] > 1100 {
			t.Errorf("%d was drawn %d times of 3000", n, seen[n])
		}
	}
	for range 1000 {
		if s.Permille(0) || !s.Permille(1000) {
			t.Fatal("never and always are neither")
		}
		if i := s.Pick(0, 3, 0, 2, 0); i != 1 && i != 3 {
			t.Fatalf("a weight of nothing was picked: %d", i)
		}
	}
	order := []int{0, 1, 2, 3, 4}
	s.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	found := 0
	for _, n := range order {
		found |= 1 << n
	}
	if found != 31 {
		t.Errorf("shuffled into %v", order)
	}
}

// A draw allocates nothing, and takes one number whatever is asked for.
func TestOneNumberADraw(t *testing.T) {
	s, same := stream.New(7, "test", 0, 0), stream.New(7, "test", 0, 0)
	s.Pick(1, 2, 3)
	s.N(1)
	s.Range(5, 5)
	s.Permille(1)
	for range 4 {
		same.Uint64()
	}
	if s.Uint64() != same.Uint64() {
		t.Error("the streams are apart")
	}
	if n := testing.AllocsPerRun(100, func() { s.N(1000); s.Permille(500) }); n != 0 {
		t.Errorf("%v allocations a draw", n)
	}
}
