package lossy

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// Crash returns the disk after a loss of power at this moment, with nothing that
// was not synced. The disk itself goes on as if nothing had been.
func (d *Disk) Crash() *Disk { return d.crash(nil) }

// CrashSome is Crash that keeps, by the seed, some of what was not synced.
func (d *Disk) CrashSome(seed uint64) *Disk {
	return d.crash(rand.New(rand.NewPCG(seed, 0)))
}

// Sync has everything on the disk, so that Crash loses nothing.
func (d *Disk) Sync() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.root.syncAll()
}

func (n *node) syncAll() {
	n.sync()
	for _, below := range n.names {
		below.syncAll()
	}
}

func (d *Disk) crash(chance *rand.Rand) *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	after := &Disk{root: survivor{chance, map[*node]*node{}}.of(d.root)}
	after.Sync()
	return after
}

// survivor makes what is left of nodes, one of each, whatever names it has.
type survivor struct {
	chance *rand.Rand // nil: nothing that was not synced
	made   map[*node]*node
}

func (s survivor) of(n *node) *node {
	if left := s.made[n]; left != nil {
		return left
	}
	left := &node{mode: n.mode, at: n.at}
	s.made[n] = left
	if !n.mode.IsDir() {
		left.data = s.content(n)
		return left
	}
	names := maps.Clone(n.kept)
	for _, c := range n.pending {
		if s.flip() {
			apply(names, c)
		}
	}
	left.names = map[string]*node{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		left.names[name] = s.of(names[name])
	}
	return left
}

func (s survivor) flip() bool { return s.chance != nil && s.chance.IntN(2) == 0 }

// content is what was synced of a file, and of the rest all, none, a part, or
// zeros of the same length.
func (s survivor) content(n *node) []byte {
	data := slices.Clone(n.synced)
	if s.chance == nil {
		return data
	}
	rest := n.data[len(n.synced):]
	switch s.chance.IntN(4) {
	case 0:
		return append(data, rest...)
	case 1:
		return append(data, rest[:s.chance.IntN(len(rest)+1)]...)
	case 2:
		return append(data, make([]byte, len(rest))...)
	}
	return data
}
