package chronicle

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/generated/playdb"
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
		rows, err := playdb.New().ListWaiting(ctx, tx, playdb.ListWaitingParams{AssignmentID: id, Most: assignment.MaxDecisions})
		all = make([]Waiting, 0, len(rows))
		for _, r := range rows {
			all = append(all, Waiting{
				assignment.Consequence{
					ID: r.ID, Version: r.Version, Position: r.Position, Category: r.Category, Description: r.Description,
					Status: assignment.Pending, CreatedAt: r.CreatedAt,
				},
				Entry{Version: r.Version, Kind: "turn", Action: r.Action, Narration: r.Narration, Scene: r.Scene, At: r.CreatedAt},
			})
		}
		return err
	})
	return all, err
}
