package anvil

import (
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/serial"
)

var (
	_ host.Columns    = (*Host)(nil)
	_ serial.Sections = (*area)(nil)
)

// Section implements serial.Sections: from a chunk's own palette, without a look
// at each position.
func (a *area) Section(low geom.Pos) host.Section {
	palette, cells := a.entry(low).chunk.Section(low.Y)
	return host.Section{Palette: palette, Cells: cells}
}
