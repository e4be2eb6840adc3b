package worldtest

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

// TestLostCommits cuts connections while they commit, before the server hears of
// it and after: nobody knows then whether it is done, and the process finds out.
//
// clause: W-15, W-20, W-24
func TestLostCommits(t *testing.T) {
	t.Parallel()
	rounds, fates := 4, []fate{whole, whole, before, after}
	if *long {
		rounds, fates = 100, append(fates, silent)
	}
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(*seed, 4))
	silences := 0
	r := newRelay(t, database(t), func() fate {
		mu.Lock()
		defer mu.Unlock()
		f := fates[random.IntN(len(fates))]
		if f == silent {
			if silences++; silences > 5 { // each takes 5 s
				return whole
			}
		}
		return f
	})
	w := inWorld(t, t.TempDir(), r.url)
	s := w.living(t)
	for n := range rounds {
		w.goesOn(t, s, fmt.Sprint("round-", n), []string{"minecraft:bricks", "minecraft:stone"}[n%2])
	}
	w.pool = poolAt(t, database(t))
	w.agrees(t, rounds)
	t.Logf("of %d builds' commits %d were cut before, %d after, %d were not answered, and %d got through",
		rounds, r.cut[before].Load(), r.cut[after].Load(), r.cut[silent].Load(), r.cut[whole].Load())
	if r.cut[before].Load() < 5 || r.cut[after].Load() < 5 {
		t.Error("too few were cut")
	}
}
