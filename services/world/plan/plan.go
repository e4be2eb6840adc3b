package plan

import (
	"encoding/json"
	"slices"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// The bounds of a plan whatever a project says.
const (
	MaxBlocks       = 4096 // changes of one plan
	MaxDependencies = 512
	MaxChain        = 16 // plans of one chain
)

// The extensions that are decided here, by the names that projects give them.
const (
	Replace = "replace"
	Sphere  = "sphere"
	Chain   = "chain"
)

// Project is what a plan has to know of the project that it is for.
type Project struct {
	ID         string
	Player     uuid.UUID // who asks
	Area       geom.Box
	MaxBlocks  int // at most MaxBlocks
	Policy     blocks.Policy
	Extensions []string
}

func (p Project) has(extension string) bool { return slices.Contains(p.Extensions, extension) }

// Kind tells what a plan was made of.
type Kind string

// The kinds of plans.
const (
	OfRecipe    Kind = "build"
	OfSchematic Kind = "schematic"
	OfUndo      Kind = "undo"
)

// Change is one block: what stands there, and what would.
type Change struct {
	geom.Pos
	Before, After string // canonical states, never equal
}

// Dependency is a block that a plan relies on and does not change.
type Dependency struct {
	geom.Pos
	State string
}

// Mask is a part: the positions that a plan has to keep to.
type Mask struct {
	Part      uuid.UUID
	Positions []geom.Pos // in the order of geom.Pos.Compare
}

func (m *Mask) has(p geom.Pos) bool {
	_, ok := slices.BinarySearchFunc(m.Positions, p, geom.Pos.Compare)
	return ok
}

// Plan is what the journal keeps of a plan, but for its times.
type Plan struct {
	World   uuid.UUID
	Project string
	Player  uuid.UUID
	Kind    Kind

	Changes      []Change     // in the order of geom.Pos.Compare, one a position
	Dependencies []Dependency // the same
	Region       geom.Box     // of the changes, or of what was asked for where there are none
	Recipe       json.RawMessage

	Part   *uuid.UUID
	Undoes *uuid.UUID
	Index  int // the place in its chain, from 0
	Of     int // how many plans the chain has; 1 where there is none

	Hash string // see Plan.Digest
}
