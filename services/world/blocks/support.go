package blocks

import "github.com/pharos-mcp/pharos/services/world/geom"

// Breaks reports whether a block would break, fall or turn into another one as
// soon as the position beside it held the state now. side leads from the block
// to that position and is one step along one axis.
func (p *Pack) Breaks(neighbour string, side geom.Pos, now string) bool {
	return false
}
