package assignment

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/services/play/check"
)

// Ending ends a session.
type Ending struct {
	OperationID     uuid.UUID
	ExpectedVersion int64
	Summary         string
}

// Finished is the answer to an ending.
type Finished struct {
	Status              string `json:"status"`
	Version             int64  `json:"version"`
	PendingConsequences int64  `json:"pending_consequences"` // of the whole session, at that version
	Replayed            bool   `json:"-"`                    // it was written by an earlier call
}

// Finish completes an assignment. It decides about no consequence.
func (s *Service) Finish(ctx context.Context, seat Seat, e Ending) (Finished, error) {
	if err := check.Text("summary", e.Summary, 1, MaxSummary); err != nil {
		return Finished{}, err
	}
	o := newOperation(finishKind, e.OperationID, seat.AssignmentID, seat.PlayerID, e.ExpectedVersion, e.content())
	f, replayed, err := perform(ctx, s, o, e.apply)
	f.Replayed = replayed
	return f, err
}

// apply completes a locked assignment.
func (e Ending) apply(ctx context.Context, tx pgx.Tx, a locked, now time.Time) (Finished, error) {
	f := Finished{Status: Completed, Version: a.version + 1, PendingConsequences: a.pending}
	if err := tell(ctx, tx, a.id, f.Version, event{kind: finishKind, summary: e.Summary, scene: a.scene}, now); err != nil {
		return Finished{}, err
	}
	return f, a.finish(ctx, tx, e.Summary, now)
}

// content is what a digest of an ending covers beside the version.
func (e Ending) content() any {
	return struct {
		Summary string `json:"summary"`
	}{e.Summary}
}
