package project

import (
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/platform/command"
)

// State is the state of a project.
type State string

// The states. A deleted project has no members, so that nobody sees it.
const (
	active   State = "active"
	archived State = "archived"
	deleted  State = "deleted"
)

// The rejections of commands on projects, beside those that all share.
const (
	slugTaken    command.Rejection = "slug_taken"       // by another project of the same creator
	projectLimit command.Rejection = "project_limit"    // the creator has as many as allowed
	Archived     command.Rejection = "project_archived" // only restoring and deleting are left
	notArchived  command.Rejection = "project_active"   // it must be archived first
	runsActive   command.Rejection = "runs_active"      // runs are queued or running
	memberLimit  command.Rejection = "member_limit"     // the project has as many as allowed
	lastOwner    command.Rejection = "last_owner"       // the project would have none
	unknownParty command.Rejection = "unknown_party"    // nobody has the identifier of the new member
)

// How much there may be.
const (
	maxProjects = 200 // of one creator, deleted ones not counted
	maxMembers  = 500 // of one project
)

// Project is a project as one of its members sees it.
type Project struct {
	ID          uuid.UUID
	Slug        string
	Name        string
	Description string
	State       State
	Role        Role // of the member who looks
	Members     int32
	Revision    int64
	CreatedBy   uuid.UUID
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Content is what a project is created from.
type Content struct {
	Slug, Name, Description string
}

// Change is what of a project is to be changed; nil leaves a text as it is.
type Change struct {
	Name, Description *string
}

// Membership is a party's part in a project.
type Membership struct {
	Party    uuid.UUID
	Username string
	Name     string
	Role     Role
	AddedAt  time.Time
}

// Usage is what the runs of a project have used since it was created.
type Usage struct {
	Project uuid.UUID
	Members int32
	At      time.Time
	Use
}

// Unfinished is how many runs are queued or running.
func (u Use) Unfinished() int64 { return u.Started - u.Succeeded - u.Failed - u.Cancelled }
