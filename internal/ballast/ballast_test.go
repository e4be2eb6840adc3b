package ballast

import (
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"testing"
)

// TestLoad: garbage may gather to the size, and what the environment says holds.
func TestLoad(t *testing.T) {
	t.Cleanup(func() { once, bytes = sync.Once{}, nil }) // for who runs it again
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Setenv("GOGC", "")
		t.Setenv("GOMEMLIMIT", "")
		t.Setenv(name, "100")
		if Load(); bytes != nil {
			t.Errorf("%s is set, and does not hold", name)
		}
	}
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	before := goal()
	Load()
	Load()
	if more := goal() - before; more < size || more > 3*size {
		t.Errorf("the next collection is put off by %d bytes, want about %d", more, 2*size)
	}
}

// goal is the size of the heap that the next collection begins at.
func goal() uint64 {
	debug.SetGCPercent(debug.SetGCPercent(100)) // the runtime computes it anew
	debug.FreeOSMemory()
	s := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
