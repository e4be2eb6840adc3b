package chronicle

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/play/assignment"
)

// Waiting is a consequence that nobody has decided, and the turn that proposed
// it.
type Waiting struct {
	assignment.Consequence
	Turn Entry
}

// Waiting gives what waits for a decision in an assignment, that which waits
// longest first, and no more than the first that a review can take. An assignment
// that is not there has nothing that waits.
func (s *Service) Waiting(ctx context.Context, id uuid.UUID) ([]Waiting, error) {
	var all []Waiting
	err := pg.Read(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		var err error
		all, err = waiting(ctx, tx, id, assignment.MaxDecisions)
		return err
	})
	return all, err
}
