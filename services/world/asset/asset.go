package asset

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/schem"
)

// Asset tells of one schematic.
type Asset struct {
	ID                    string
	Name                  string // as the file says, else the id
	Width, Height, Length int
	BlockCount            int // positions that are not air
	DataVersion           int32
	Offset                geom.Pos
	SHA256                string // of the file, in small hexadecimal digits
	Bytes                 int64  // of the file
}

// describe tells of the schematic that is in a file.
func describe(id string, file []byte, s *schem.Schematic) Asset {
	sum := sha256.Sum256(file)
	a := Asset{
		ID: id, Name: s.Name, Width: s.Width, Height: s.Height, Length: s.Length, BlockCount: s.Solid(),
		DataVersion: s.DataVersion, Offset: s.Offset, SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(file)),
	}
	if a.Name == "" {
		a.Name = id
	}
	return a
}
