package assignment

import (
	"context"

	"github.com/google/uuid"
)

// The categories of consequences.
const (
	Resource     = "resource"
	Relationship = "relationship"
	Discovery    = "discovery"
	Narrative    = "narrative"
)

// Turn is a turn to be committed.
type Turn struct {
	OperationID     uuid.UUID
	ExpectedVersion int64
	PlayerAction    string
	Narration       string
	Memory          string // replaces what was there
	CurrentScene    string
	Consequences    []Effect
}

// Effect is a consequence that a turn proposes.
type Effect struct {
	Category    string
	Description string
}

// Receipt is the answer to a turn: what its commit wrote.
type Receipt struct {
	SessionID    uuid.UUID
	Version      int64
	Consequences []Recorded
	Replayed     bool // it was written by an earlier call
}

// Recorded is a consequence as its turn wrote it.
type Recorded struct {
	ID          uuid.UUID
	Status      string
	Category    string
	Description string
}

// Commit writes a turn.
func (s *Service) Commit(ctx context.Context, seat Seat, t Turn) (Receipt, error) {
	return Receipt{}, errUnbuilt
}
