package assignment

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/play/check"
)

// The statuses of a consequence.
const (
	Pending  = "pending"
	Approved = "approved"
	Rejected = "rejected"
)

// Consequence is an effect on the campaign that a turn proposed.
type Consequence struct {
	ID          uuid.UUID  `json:"id"`
	Version     int64      `json:"version"`  // the turn's
	Position    int32      `json:"position"` // in the turn, from 1
	Category    string     `json:"category"`
	Description string     `json:"description"`
	Status      string     `json:"status"`
	Note        string     `json:"note"`       // of who decided
	DecidedAt   *time.Time `json:"decided_at"` // nil while it is pending, and where it was approved beforehand
	CreatedAt   time.Time  `json:"created_at"`
}

// Consequences gives a page of an assignment's consequences, those of the
// newest turn first and in each turn in their order, and how many there are.
func (s *Service) Consequences(
	ctx context.Context, viewer, id uuid.UUID, offset, limit int,
) (total int, page []Consequence, err error) {
	if err := check.Page(offset, limit, MaxPage); err != nil {
		return 0, nil, err
	}
	err = pg.Read(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := roleOf(ctx, tx, viewer, id); err != nil {
			return err
		}
		if total, err = countConsequences(ctx, tx, id); err != nil {
			return err
		}
		page, err = consequences(ctx, tx, id, int32(offset), int32(limit))
		return err
	})
	if err != nil {
		return 0, nil, err
	}
	return total, page, nil
}
