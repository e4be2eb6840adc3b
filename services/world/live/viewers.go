package live

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/pharos-mcp/pharos/services/world/host"
)

// Bounds of viewers: how many look at once, and how many chunks that changed are
// kept for one until it takes them.
const (
	maxViewers = 16
	maxDirty   = 256
)

// viewers are those who look.
type viewers struct {
	mu     sync.Mutex
	list   []*viewer
	status []byte // the last that was told
}

// viewer is a page in a browser, and what it has not been told yet.
type viewer struct {
	mu     sync.Mutex
	dirty  map[host.ChunkPos]struct{}
	lost   bool   // more changed than is kept
	status []byte // nil where it has the newest
	wake   chan struct{}
}

// news is what a viewer is told at once.
type news struct {
	resync bool
	dirty  []host.ChunkPos // in the order z, x
	status []byte
}

// add lets one more look; nil where there are enough.
func (s *viewers) add() *viewer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) >= maxViewers {
		return nil
	}
	v := &viewer{dirty: map[host.ChunkPos]struct{}{}, wake: make(chan struct{}, 1)}
	if s.status != nil {
		v.status = s.status
		v.wake <- struct{}{}
	}
	s.list = append(s.list, v)
	return v
}

func (s *viewers) remove(v *viewer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = slices.DeleteFunc(s.list, func(o *viewer) bool { return o == v })
}

// some reports whether anybody looks.
func (s *viewers) some() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.list) > 0
}

// changed tells all of chunks that look different now.
func (s *viewers) changed(chunks map[host.ChunkPos]struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.list {
		v.tell(func() {
			maps.Copy(v.dirty, chunks)
			if v.lost = v.lost || len(v.dirty) > maxDirty; v.lost {
				clear(v.dirty)
			}
		})
	}
}

// show tells all how players and operations are, if that is new.
func (s *viewers) show(status []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Equal(s.status, status) {
		return
	}
	s.status = status
	for _, v := range s.list {
		v.tell(func() { v.status = status })
	}
}

func (v *viewer) tell(f func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	f()
	select {
	case v.wake <- struct{}{}:
	default:
	}
}

// take returns what is new, which is nothing at times, and counts it as told.
func (v *viewer) take() news {
	v.mu.Lock()
	defer v.mu.Unlock()
	n := news{resync: v.lost, status: v.status}
	n.dirty = slices.SortedFunc(maps.Keys(v.dirty), func(a, b host.ChunkPos) int {
		return cmp.Or(cmp.Compare(a.Z, b.Z), cmp.Compare(a.X, b.X))
	})
	clear(v.dirty)
	v.lost, v.status = false, nil
	return n
}
