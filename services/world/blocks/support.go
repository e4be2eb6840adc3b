package blocks

import (
	"slices"

	"github.com/pharos-mcp/pharos/services/world/geom"
)

// Breaks reports whether a block would break, fall or turn into another one as
// soon as the position beside it held the state now. side leads from the block
// to that position and is one step along one axis. False for each of the six
// sides, asked with what stands there, means that the block may be placed.
//
// The answer is careful: what holds in the game only under more conditions than
// the two states show counts as breaking. It looks no further than one step, and
// at what the game does at once: leaves that lose their tree, coral that dries
// out and sugar cane whose water is a step below do not count, nor does a
// connection that opens or closes, nor a fluid that would flow. Unknown states
// break nothing and are not broken.
func (p *Pack) Breaks(neighbour string, side geom.Pos, now string) bool {
	own, ownID := p.kindOf(neighbour)
	other, otherID := p.kindOf(now)
	if own == nil || other == nil {
		return false
	}
	self := standing{p, own, ownID}
	for _, n := range own.needs {
		if slices.Contains(n.places(self), side) && !n.holds(self, standing{p, other, otherID}, side) {
			return true
		}
	}
	return false
}

// standing is a state in a position.
type standing struct {
	pack *Pack
	kind *kind
	id   int32
}

func (s standing) state() string               { return s.pack.states[s.id] }
func (s standing) property(name string) string { return Get(s.state(), name) }
func (s standing) shape() []AABB               { return s.pack.shapes[s.kind.shape(s.id)] }

// need is what blocks have to have beside them.
type need struct {
	blocks nameSet
	places place
	holds  condition
}
