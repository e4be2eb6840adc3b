package journal

import (
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/geom"
)

// Status is where an operation stands.
type Status string

// The statuses of operations.
const (
	Queued           Status = "queued"            // nothing is written
	Applying         Status = "applying"          // the intent of a slice was made durable
	Applied          Status = "applied"           // all is written and on the disk
	Conflicted       Status = "conflict"          // some blocks were not as planned and are left alone
	Cancelled        Status = "cancelled"         // somebody ended it between two slices
	Failed           Status = "failed"            // it could not go on, or was abandoned
	RecoveryRequired Status = "recovery_required" // a person has to decide
)

// Active tells that a process works, or should work, at it.
func (s Status) Active() bool { return s == Queued || s == Applying }

// Ended tells that nothing about it changes any more.
func (s Status) Ended() bool { return !s.Active() && s != RecoveryRequired }

// MaxSample is how many conflicts are kept of an operation, and MaxReason how
// long a reason is, in bytes: what is more is left out.
const (
	MaxSample = 32
	MaxReason = 1000
)

// Conflict is a block that was not as planned.
type Conflict struct {
	geom.Pos
	Expected, Actual string
}

// Operation is one application of a plan.
type Operation struct {
	ID      uuid.UUID
	Plan    uuid.UUID
	World   uuid.UUID
	Project string
	Player  uuid.UUID
	Key     string
	Number  int64 // of its world: a later operation has a greater one

	Kind   Kind       // the plan's
	Undoes *uuid.UUID // the plan's
	Region geom.Box   // the plan's

	Status          Status
	Total           int // blocks of the plan
	Written         int // confirmed
	Conflicts       int // confirmed
	Sample          []Conflict
	Paused          bool // it, or all of its project
	CancelRequested bool
	UndoOff         bool   // it was abandoned: nothing of it may be undone
	Reason          string // why it failed, or what to do
	Digest          string // of the world when it was abandoned

	Created time.Time
	Ended   *time.Time
}

// Slice is a part of an operation that is written at once. Its numbers are
// places in Plan.Changes, ascending.
type Slice struct {
	Operation uuid.UUID
	Index     int   // from 0
	Intent    []int // what may be written
	Written   []int // of the intent, what was
	Conflicts []int // what is left alone for good: of the intent, or found before it
	Confirmed bool
}

// Writer is an operation with what it wrote, or may have written, of a box.
type Writer struct {
	Operation uuid.UUID
	Number    int64
	Positions []geom.Pos // in the order of geom.Pos.Compare
}

// Undoable is an operation that wrote something.
type Undoable struct {
	Operation
	UndoneBy *uuid.UUID // the newest operation that took something of it back
}

// Part is a named mask of blocks that an operation wrote.
type Part struct {
	ID        uuid.UUID
	World     uuid.UUID
	Project   string
	Player    uuid.UUID
	Name      string
	Operation uuid.UUID
	Count     int
	Positions []geom.Pos // in the order of geom.Pos.Compare; nil in a list
	Bounds    geom.Box
	Created   time.Time
}
