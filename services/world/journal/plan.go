package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/geom"
)

// The bounds of plans.
const (
	MaxChanges      = 4096
	MaxDependencies = 512
	MaxChain        = 16
	MaxState        = 512     // bytes of one block state
	MaxRecipe       = 1 << 20 // bytes of what a plan was made of
)

// Lifetime is how long a plan can be begun.
const Lifetime = 600 * time.Second

// Kind tells what a plan was made of.
type Kind string

// The kinds of plans.
const (
	Build     Kind = "build"     // a recipe
	Undo      Kind = "undo"      // the reverse of an operation
	Schematic Kind = "schematic" // a file
)

// Change is one block of a plan.
type Change struct {
	geom.Pos
	Before, After string // canonical states, never equal
}

// Dependency is a block that a plan relies on and does not change.
type Dependency struct {
	geom.Pos
	State string
}

// Plan is what may be built.
type Plan struct {
	ID      uuid.UUID
	World   uuid.UUID // set by the store
	Project string
	Player  uuid.UUID // who prepared it
	Kind    Kind
	Hash    string // SHA-256 in lower-case hexadecimal digits

	Changes      []Change     // in the order of geom.Pos.Compare, one a position
	Dependencies []Dependency // the same
	Region       geom.Box     // of the changes, or of what was asked for where there are none
	Recipe       json.RawMessage

	Part       *uuid.UUID // whose mask it keeps to
	Undoes     *uuid.UUID // the operation that it takes back
	Skipped    int        // of an undo, what is no longer that operation's
	Chain      *uuid.UUID // the plans that are one build
	ChainIndex int        // from 0

	Created, Expires time.Time // set by the store
	Discarded        *time.Time
}

// check refuses what is no plan. That is a mistake of who made it.
func (p Plan) check() error {
	switch {
	case p.ID == uuid.Nil:
		return errors.New("a plan has no identifier")
	case len(p.Changes) > MaxChanges:
		return fmt.Errorf("a plan has %d changes, more than %d", len(p.Changes), MaxChanges)
	case len(p.Dependencies) > MaxDependencies:
		return fmt.Errorf("a plan has %d dependencies, more than %d", len(p.Dependencies), MaxDependencies)
	case len(p.Recipe) > MaxRecipe:
		return fmt.Errorf("a recipe has %d bytes, more than %d", len(p.Recipe), MaxRecipe)
	}
	for i, c := range p.Changes {
		switch {
		case i > 0 && p.Changes[i-1].Compare(c.Pos) >= 0:
			return fmt.Errorf("the change at %s is not in order", c.Pos)
		case !p.Region.Contains(c.Pos):
			return fmt.Errorf("the change at %s is not in the region", c.Pos)
		case c.Before == c.After:
			return fmt.Errorf("the change at %s is none", c.Pos)
		case !isState(c.Before), !isState(c.After):
			return fmt.Errorf("the change at %s has a state that cannot be kept", c.Pos)
		}
	}
	for i, d := range p.Dependencies {
		if i > 0 && p.Dependencies[i-1].Compare(d.Pos) >= 0 || !isState(d.State) {
			return fmt.Errorf("the dependency at %s cannot be kept", d.Pos)
		}
	}
	return nil
}

func isState(s string) bool { return s != "" && len(s) <= MaxState }
