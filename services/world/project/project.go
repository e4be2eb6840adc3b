// Package project keeps who may do what where: the projects of a world, their
// owners and permissions, the area, the limits and the blocks of each (W-04,
// W-05, W-13). They stand in a file that is read again when it has changed.
package project

import (
	"slices"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
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
func (p Project) Has(e Extension) bool { return slices.Contains(p.Extensions, e) }

// PermissionDenied is the code of what an owner may not do, and of what nobody
// but the owner may.
const PermissionDenied fault.Code = "permission_denied"

// The bounds of a file.
const (
	MaxFile       = 1 << 20 // bytes
	MaxProjects   = 64
	MaxPlayers    = 1024 // entries of players
	MaxNames      = 1024 // blocks in one list
	MaxPlanBlocks = 4096
)

// permissions and extensions are all that there are.
var (
	permissions = []Permission{Inspect, Build, Undo, Schematics, Recovery}
	extensions  = []Extension{Replace, Sphere, Render, Discard, Chain, UndoList, Heights, Connecting, Attached, StructureVoid}
	actions     = []Action{Place, Break, Ask}
)

// Action is what somebody in the world does: to a block by hand, or by talking to
// the builder.
type Action string

// The actions of players.
const (
	Place Action = "place"
	Break Action = "break"
	Ask   Action = "ask"
)
