package scenario

import "time"

// The bounds of nodes; the schema holds them too.
const (
	MaxNodes     = 500       // of a version
	MaxNodeTitle = 200       // characters
	MaxBody      = 8000      // characters, from 0
	MaxGMNotes   = 8000      // characters, from 0
	MaxPosition  = 1_000_000 // from 0
)

// The kinds of nodes.
const (
	Scene = "scene"
	NPC   = "npc"
	Place = "place"
	Clue  = "clue"
)

// Kinds are all kinds of nodes.
func Kinds() []string { return []string{Scene, NPC, Place, Clue} }

// Node is a part of a version.
type Node struct {
	ID        string // a slug, the author's name for it within the version
	Kind      string // Scene, NPC, Place or Clue
	Title     string
	Body      string // what a player may read where the node is published to them
	GMNotes   string // for the game master alone
	Position  int32  // its place among the others
	Revision  int64  // from 1; one more with every change
	UpdatedAt time.Time
}

// NewNode is what a node is made of. Without a position it comes after all
// others.
type NewNode struct {
	ID       string
	Kind     string
	Title    string
	Body     string
	GMNotes  string
	Position *int32
}

// NodeContent is what a node becomes, all of it. Without a position it stays
// where it is.
type NodeContent struct {
	Kind     string
	Title    string
	Body     string
	GMNotes  string
	Position *int32
}
