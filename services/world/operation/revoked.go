package operation

import (
	"sync"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// The bounds of what is remembered of other people's changes: about 5 MB of
// sections of 16×16×16 blocks of which each block is known, and about 3 MB of
// sections of which it is only known that something in them changed.
const (
	mostDetailed = 8192
	mostSections = 65536
)

// revocations are the blocks that somebody else changed after an operation
// wrote them, or where none ever did: nothing may be taken back there. An
// operation that writes a block has it from then on, so the last word on each
// block is the last of its changes, whatever its state is (W-18).
//
// Past a bound what is remembered gets coarser, on the safe side: first the
// whole section is revoked, at last the whole world, and later writes do not
// win that back. Nothing is remembered beyond the process.
type revocations struct {
	detailed, sections int

	mu     sync.RWMutex
	blocks map[section]*bits
	whole  map[section]struct{}
	all    bool
}

type (
	section struct{ x, y, z int32 } // in units of 16 blocks
	bits    [64]uint64
)

var _ host.Observer = (*revocations)(nil)

func newRevocations(detailed, sections int) *revocations {
	return &revocations{
		detailed: detailed, sections: sections,
		blocks: map[section]*bits{}, whole: map[section]struct{}{},
	}
}

// has tells that a block may not be taken back.
func (r *revocations) has(p geom.Pos) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	s, word, bit := place(p)
	if _, whole := r.whole[s]; whole || r.all {
		return true
	}
	b, ok := r.blocks[s]
	return ok && b[word]&bit != 0
}

// OnBlocks hears of changes in their order, those of operations among them.
func (r *revocations) OnBlocks(changes []host.Change) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range changes {
		if c.Cause.Kind == host.ByOperation {
			r.grant(c.Pos)
		} else {
			r.revoke(c.Pos)
		}
	}
}

func (r *revocations) grant(p geom.Pos) {
	s, word, bit := place(p)
	b, ok := r.blocks[s]
	if !ok {
		return
	}
	if b[word] &^= bit; *b == (bits{}) {
		delete(r.blocks, s)
	}
}

func (r *revocations) revoke(p geom.Pos) {
	s, word, bit := place(p)
	if _, whole := r.whole[s]; whole || r.all {
		return
	}
	b, ok := r.blocks[s]
	switch {
	case ok:
	case len(r.blocks) < r.detailed:
		b = new(bits)
		r.blocks[s] = b
	case len(r.whole) < r.sections:
		r.whole[s] = struct{}{}
		return
	default:
		r.all, r.blocks, r.whole = true, nil, nil
		return
	}
	b[word] |= bit
}

// place is where a block is in its section.
func place(p geom.Pos) (s section, word int, bit uint64) {
	i := (p.Y&15)<<8 | (p.Z&15)<<4 | p.X&15
	return section{p.X >> 4, p.Y >> 4, p.Z >> 4}, int(i >> 6), 1 << (i & 63)
}

// OnChat, OnJoin and OnQuit change no block.
func (r *revocations) OnChat(host.Player, string) {}

// OnJoin does nothing.
func (r *revocations) OnJoin(host.Player) {}

// OnQuit does nothing.
func (r *revocations) OnQuit(host.Player) {}
