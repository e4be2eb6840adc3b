package schem

import (
	"fmt"
	"slices"

	"github.com/pharos-mcp/pharos/services/world/geom"
)

// MaxPositions is how many positions a schematic has at most.
const MaxPositions = 4096

// Schematic is a box full of block states.
type Schematic struct {
	Width, Height, Length int // along x, y, z
	DataVersion           int32
	Offset                geom.Pos // from the anchor to the smallest corner
	Name                  string   // for people; "" where the file has none

	palette []string // canonical states
	blocks  []uint16 // indexes into palette, in the order y, z, x
	voids   bool     // structure_void is no block but "leave as it is"
}

// New makes a schematic of the states of a box in the order y, z, x, which
// geom.Box.Positions has. The states are canonical.
func New(width, height, length int, states []string) (*Schematic, error) {
	if fit := volume(width, height, length); fit < 1 || fit > MaxPositions || int(fit) != len(states) {
		return nil, fmt.Errorf("%d × %d × %d positions and %d states", width, height, length, len(states))
	}
	s := &Schematic{Width: width, Height: height, Length: length}
	s.fill(states)
	return s, nil
}

// fill takes the states of all positions. The palette has them in the order in
// which they first stand.
func (s *Schematic) fill(states []string) {
	s.blocks = make([]uint16, len(states))
	index := map[string]uint16{}
	for i, state := range states {
		at, known := index[state]
		if !known {
			at = uint16(len(s.palette))
			index[state] = at
			s.palette = append(s.palette, state)
		}
		s.blocks[i] = at
	}
}

// volume is the number of positions of a box, 0 where a side is not one of a
// schematic: 1 to 65,535.
func volume(width, height, length int) int64 {
	for _, side := range []int{width, height, length} {
		if side < 1 || side > maxSide {
			return 0
		}
	}
	return int64(width) * int64(height) * int64(length)
}

// maxSide is the largest unsigned short.
const maxSide = 1<<16 - 1

// At is the state at a position counted from the smallest corner. Positions
// outside the box are a mistake of the caller and panic.
func (s *Schematic) At(x, y, z int) string {
	if x < 0 || x >= s.Width || z < 0 || z >= s.Length {
		panic(fmt.Sprintf("schem: %d %d %d is outside", x, y, z))
	}
	return s.palette[s.blocks[x+z*s.Width+y*s.Width*s.Length]]
}

// States are the states that stand somewhere, each once.
func (s *Schematic) States() []string { return slices.Clone(s.palette) }

// Solid is the number of positions that are neither air nor left as they are.
func (s *Schematic) Solid() int {
	n := 0
	for _, i := range s.blocks {
		switch state := s.palette[i]; state {
		case "minecraft:air", "minecraft:cave_air", "minecraft:void_air":
		default:
			if !s.leaves(state) {
				n++
			}
		}
	}
	return n
}

// leaves reports whether a position with this state is left as it is.
func (s *Schematic) leaves(state string) bool { return s.voids && state == structureVoid }

// structureVoid is the block that means "leave as it is", where the project has
// that extension.
const structureVoid = "minecraft:structure_void"
