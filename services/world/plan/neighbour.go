package plan

import (
	"slices"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// sides are the ways to the six positions beside one.
var sides = [6]geom.Pos{{Y: -1}, {Y: 1}, {Z: -1}, {Z: 1}, {X: -1}, {X: 1}}

// nothing is what is taken to stand where there is no world.
const nothing = "minecraft:air"

// neighbours refuses changes after which something would break or fall: what
// stands beside a change, and what a change itself puts there. It
// is judged as all will be when the last of the changes is done, which s holds.
func neighbours(pack *blocks.Pack, s sight, changes []Change) error {
	j := judge{pack, map[verdict]bool{}}
	for _, c := range changes {
		for i, side := range sides {
			q := c.Pos.Add(side)
			beside, ok := s[q]
			// what could not hold before, by a rule that is careful, is not harmed by this
			if ok && j.breaks(beside.state, opposite(i), c.After) && !j.breaks(beside.state, opposite(i), c.Before) {
				return fault.Newf(NeighbourBreaks, "%s at %s would break or fall once %s stands at %s; take it away first, or leave what holds it",
					beside.state, q, c.After, c.Pos)
			}
			if !ok {
				beside.state = nothing
			}
			if pack.Unsupported(c.After, side, beside.state) {
				return fault.Newf(NeighbourBreaks, "%s would not hold at %s, where %s is beside it at %s; plan what holds it as well",
					c.After, c.Pos, beside.state, q)
			}
		}
	}
	return nil
}

func opposite(side int) geom.Pos { return sides[side^1] }

// judge remembers what the pack says of pairs of states.
type judge struct {
	pack  *blocks.Pack
	known map[verdict]bool
}

type verdict struct {
	block string
	side  geom.Pos
	now   string
}

func (j judge) breaks(block string, side geom.Pos, now string) bool {
	v := verdict{block, side, now}
	breaks, ok := j.known[v]
	if !ok {
		breaks = j.pack.Breaks(block, side, now)
		j.known[v] = breaks
	}
	return breaks
}

// distinct sorts positions and leaves out those that occur again.
func distinct(positions []geom.Pos) []geom.Pos {
	sorted := slices.SortedFunc(slices.Values(positions), geom.Pos.Compare)
	return slices.Compact(sorted)
}
