package simtest

import (
	"context"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestKill kills the process at random moments of an episode. After the next
// start, before a controller is let in, every log is whole and has one final
// record: that of its episode where that was over, and of a restart otherwise.
//
// clause: S-05
func TestKill(t *testing.T) {
	t.Parallel()
	moments := 5
	if *long {
		moments = 50
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	file := configure(t, nil)
	last := map[string]observed{} // by run: the last answer
	p := serve(t, file)
	for range moments {
		var mu sync.Mutex
		playing := make(chan struct{})
		go func() {
			defer close(playing)
			_ = script(context.WithoutCancel(t.Context()), p.url, "stage1-basic@londone", func(o observed) {
				mu.Lock()
				defer mu.Unlock()
				last[o.RunID] = o
			}) // which ends with the process
		}()
		time.Sleep(time.Duration(random.IntN(600)) * time.Millisecond) // the moment
		p.end(syscall.SIGKILL)
		<-playing
		p = serve(t, file)
		ends(t, p.runs)
	}
	p.stop(t)
	count := map[string]int{}
	reasons, all := ends(t, p.runs), logs(t, p.runs)
	for id, reason := range reasons {
		count[reason]++
		answered, known := last[id]
		switch {
		case reason != "aborted:process_restart" && reason != "resolved" && reason != "tick_limit":
			t.Errorf("%s: %q", id, reason)
		case known && answered.Lifecycle == "terminal" && reason == "aborted:process_restart":
			t.Errorf("%s was over, and its log says %s", id, reason)
		case known && all[id].Episode.Tick() < answered.Tick:
			t.Errorf("%s: tick %d was answered, and the log ends at %d", id, answered.Tick, all[id].Episode.Tick())
		}
	}
	for id := range last {
		if reasons[id] == "" {
			t.Errorf("%s was answered and has no log with an end", id)
		}
	}
	if count["aborted:process_restart"] == 0 {
		t.Errorf("nothing was cut short: %v", count)
	}
	t.Logf("%d moments: %v", moments, count)
}
