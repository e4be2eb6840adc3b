package scenario

import (
	"time"

	"github.com/google/uuid"
)

// The bounds of scenarios; the schema holds them too.
const (
	MaxScenarios = 500  // of an owner
	MaxVersions  = 200  // of a scenario
	MaxTitle     = 200  // characters of a scenario's title
	MaxSummary   = 2000 // characters, from 0
)

// MaxPage is how many scenarios or nodes a part of a list has at most.
const MaxPage = 500

// The languages of a scenario.
const (
	English = "en"
	Polish  = "pl"
)

// The statuses of a version.
const (
	Draft     = "draft"
	Published = "published"
)

// Scenario is what an author writes.
type Scenario struct {
	ID        uuid.UUID
	OwnerID   uuid.UUID
	Title     string
	Summary   string
	Language  string // English or Polish
	Latest    int64  // the newest version
	CreatedAt time.Time
	UpdatedAt time.Time // of the latest change, of a node too
	// Versions are all versions, from the first; in a list, the latest alone.
	Versions []Version
}

// Version is a state of a scenario. A published one never changes.
type Version struct {
	Number      int64
	Status      string // Draft or Published
	Revision    int64  // from 1; one more with every change of a node
	CreatedAt   time.Time
	PublishedAt *time.Time // nil of a draft
}

// NewScenario is what a scenario is made of. The ID is chosen by whoever
// creates it, so that a repetition is none.
type NewScenario struct {
	ID       uuid.UUID
	Title    string
	Summary  string
	Language string
}
