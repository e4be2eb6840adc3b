package assignment

import (
	"context"

	"github.com/google/uuid"
)

// Decisions is a review of pending consequences.
type Decisions struct {
	OperationID     uuid.UUID
	ExpectedVersion int64
	List            []Decision
}

// Decision is about one consequence.
type Decision struct {
	ID       uuid.UUID
	Decision string // Approved or Rejected
	Note     string // the player reads it
}

// Reviewed is the answer to a review.
type Reviewed struct {
	Version      int64
	Consequences []Consequence // those that were decided, in the order of the decisions
	Pending      int64         // of the whole session, at that version
	Replayed     bool
}

// Review decides about consequences of an assignment of the game master.
func (s *Service) Review(ctx context.Context, gm, id uuid.UUID, d Decisions) (Reviewed, error) {
	return Reviewed{}, errUnbuilt
}
