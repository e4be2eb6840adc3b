package blocks

import (
	"slices"

	"github.com/pharos-mcp/pharos/services/world/geom"
)

// Breaks reports whether a block would break, fall or turn into another one as
// soon as the position beside it held the state now. side leads from the block
// to that position and is one step along one axis.
//
// The answer is careful: where several sides may give what the block needs, a
// side that does not give it counts as breaking. It looks no further than one
// step, and at what the game does at once: leaves that lose their tree, coral
// that dries out and sugar cane whose water is a step below do not count, nor
// does a connection that opens or closes, nor a fluid that would flow. Unknown
// states break nothing and are not broken.
func (p *Pack) Breaks(neighbour string, side geom.Pos, now string) bool {
	return p.Unsupported(neighbour, side, now) || p.lacks(neighbour, side, now, func(k *kind) []need { return k.perhaps })
}

// Unsupported is Breaks without the care: it reports whether a block cannot be
// where the state now is beside it, whatever is at its other sides. A block that
// no side rules out may be placed.
func (p *Pack) Unsupported(state string, side geom.Pos, now string) bool {
	return p.lacks(state, side, now, func(k *kind) []need { return k.needs })
}

// lacks reports whether one of a block's needs is not met at a side.
func (p *Pack) lacks(state string, side geom.Pos, now string, needs func(*kind) []need) bool {
	own, ownID := p.kindOf(state)
	other, otherID := p.kindOf(now)
	if own == nil || other == nil {
		return false
	}
	self := standing{p, own, ownID}
	return slices.ContainsFunc(needs(own), func(n need) bool {
		return slices.Contains(n.places(self), side) && !n.holds(self, standing{p, other, otherID}, side)
	})
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

// of picks the needs of a block.
func of(table []need, name string) []need {
	var own []need
	for _, n := range table {
		if n.blocks.has(name) {
			own = append(own, n)
		}
	}
	return own
}
