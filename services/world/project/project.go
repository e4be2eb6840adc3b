// Package project keeps who may do what where: the projects of a world, their
// owners and permissions, the area, the limits and the blocks of each (W-04,
// W-05, W-13). They stand in a file that is read again when it has changed.
package project

import (
	"errors"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// Permission is what an owner may do in a project.
type Permission string

// The permissions of owners.
const (
	Inspect    Permission = "inspect"
	Build      Permission = "build"
	Undo       Permission = "undo"
	Schematics Permission = "schematics"
	Recovery   Permission = "recovery"
)

// Extension is something beyond the usual that a project has switched on.
type Extension string

// The extensions.
const (
	Replace       Extension = "replace"        // recipe operation
	Sphere        Extension = "sphere"         // recipe operation
	Render        Extension = "render"         // build_render
	Discard       Extension = "discard"        // plan_discard
	Chain         Extension = "chain"          // plans of more than one part
	UndoList      Extension = "undo_list"      // undo_list
	Heights       Extension = "heights"        // height_map
	Connecting    Extension = "connecting"     // walls, fences, panes, bars
	Attached      Extension = "attached"       // doors, ladders, carpets
	StructureVoid Extension = "structure_void" // of schematics: leave what stands there
)

// Project is one project as the file has it now. It is not to be changed.
type Project struct {
	ID            string
	Owner         uuid.UUID // the nil UUID is the console
	Permissions   []Permission
	Area          geom.Box
	MaxPlanBlocks int
	Policy        blocks.Policy
	Extensions    []Extension
}

// Has tells whether an extension is on.
func (p Project) Has(e Extension) bool { return false }

// Config says where a book is and what holds for all of it.
type Config struct {
	Path            string // of the file, made where there is none
	Bounds          geom.Box
	LocalAutomation bool      // admits the nil UUID
	Owner           uuid.UUID // of the project of a new file
	Area            geom.Box  // of the project of a new file
}

// Book is the projects of a world. It is safe for concurrent use.
type Book struct{}

// Open reads the file, and makes one where there is none. A file that is wrong
// is an error; one that becomes wrong later refuses every call until it is mended.
func Open(c Config) (*Book, error) { return nil, errors.ErrUnsupported }

// Check returns a project where the player has the permission in it now. Its
// faults: not_found, permission_denied, and unavailable for a file that is wrong.
func (b *Book) Check(id string, player uuid.UUID, needs Permission) (Project, error) {
	return Project{}, errors.ErrUnsupported
}

// Action is what somebody in the world does to a block.
type Action string

// The actions of players.
const (
	Place Action = "place"
	Break Action = "break"
)

// May tells whether somebody in the world may change a block there by hand.
func (b *Book) May(player uuid.UUID, name string, what Action, at geom.Pos) (bool, error) {
	return false, errors.ErrUnsupported
}
