package assignment

import (
	"context"

	"github.com/google/uuid"
)

// Ending ends a session.
type Ending struct {
	OperationID     uuid.UUID
	ExpectedVersion int64
	Summary         string
}

// Finished is the answer to an ending.
type Finished struct {
	Status              string
	Version             int64
	PendingConsequences int64 // of the whole session, at that version
	Replayed            bool
}

// Finish completes an assignment.
func (s *Service) Finish(ctx context.Context, seat Seat, e Ending) (Finished, error) {
	return Finished{}, errUnbuilt
}
