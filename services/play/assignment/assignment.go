package assignment

import (
	"time"

	"github.com/google/uuid"
)

// Role is what somebody is in an assignment.
type Role string

// The roles. Who is both has the game master's.
const (
	GM     Role = "gm"
	Player Role = "player"
)

// The modes: what a session is for.
const (
	Absence  = "absence"  // the character is away while the others play
	Downtime = "downtime" // between two sessions of the campaign
	Solo     = "solo"     // a piece of the story for one
)

// The statuses of an assignment.
const (
	Active    = "active"
	Completed = "completed"
)

// Person is somebody as others in an assignment see them.
type Person struct {
	ID          uuid.UUID
	Username    string
	DisplayName string
}

// Assignment is a part of a scenario that a game master gave to a player.
type Assignment struct {
	ID               uuid.UUID
	ScenarioID       uuid.UUID
	ScenarioTitle    string
	SourceVersion    int64
	GM               Person
	Player           Person
	Mode             string
	Language         string
	Status           string
	Character        string
	Brief            string
	Instructions     string
	Boundaries       string
	ReturnCondition  string
	GMNotes          string   // "" for anybody but the game master
	PublishedNodeIDs []string // sorted
	AutoApprove      []string // categories, sorted
	Version          int64
	Memory           string
	CurrentScene     string
	Summary          *string // nil before it is completed
	Pending          int64   // consequences that nobody has decided
	CreatedAt        time.Time
	UpdatedAt        time.Time
	Token            *TokenInfo // nil where none lives
}

// TokenInfo is what is known of a play token that lives.
type TokenInfo struct {
	CreatedAt time.Time
	ExpiresAt time.Time
}

// NewAssignment is what an assignment is made of. The order of its lists says
// nothing.
type NewAssignment struct {
	ID               uuid.UUID // chosen by the client
	ScenarioID       uuid.UUID
	SourceVersion    int64
	PlayerUsername   string
	Mode             string
	Language         string
	Character        string
	Brief            string
	Instructions     string
	Boundaries       string
	ReturnCondition  string
	GMNotes          string
	PublishedNodeIDs []string
	AutoApprove      []string
}
