package assignment

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// The statuses of a consequence.
const (
	Pending  = "pending"
	Approved = "approved"
	Rejected = "rejected"
)

// Consequence is an effect on the campaign that a turn proposed.
type Consequence struct {
	ID          uuid.UUID
	Version     int64 // the turn's
	Position    int32 // in the turn, from 1
	Category    string
	Description string
	Status      string
	Note        string     // of who decided
	DecidedAt   *time.Time // nil while it is pending, and where it was approved beforehand
	CreatedAt   time.Time
}

// Consequences gives a page of an assignment's consequences, those of the
// newest turn first and in each turn in their order, and how many there are.
func (s *Service) Consequences(
	ctx context.Context, viewer, id uuid.UUID, offset, limit int,
) (total int, page []Consequence, err error) {
	return 0, nil, errUnbuilt
}
