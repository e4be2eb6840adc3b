package assignment

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/check"
)

// Decisions is a review of pending consequences.
type Decisions struct {
	OperationID     uuid.UUID
	ExpectedVersion int64
	List            []Decision
}

// Decision is about one consequence.
type Decision struct {
	ID       uuid.UUID `json:"id"`
	Decision string    `json:"decision"` // Approved or Rejected
	Note     string    `json:"note"`     // the player reads it
}

// Reviewed is the answer to a review.
type Reviewed struct {
	Version      int64         `json:"version"`
	Consequences []Consequence `json:"consequences"` // those that were decided, in the order of the decisions
	Pending      int64         `json:"pending"`      // of the whole session, at that version
	Replayed     bool          `json:"-"`            // it was written by an earlier call
}

// Review decides about consequences of an assignment of the game master, all of
// them or none. It is Forbidden to the player.
func (s *Service) Review(ctx context.Context, gm, id uuid.UUID, d Decisions) (Reviewed, error) {
	if err := d.check(); err != nil {
		return Reviewed{}, err
	}
	o := newOperation(reviewKind, d.OperationID, id, gm, d.ExpectedVersion, append([]Decision{}, d.List...))
	r, replayed, err := perform(ctx, s, o, d.apply)
	r.Replayed = replayed
	return r, err
}

// apply writes a review on a locked assignment.
func (d Decisions) apply(ctx context.Context, tx pgx.Tx, a locked, now time.Time) (Reviewed, error) {
	decided := int64(len(d.List))
	r := Reviewed{Version: a.version + 1, Pending: a.pending - decided}
	if err := tell(ctx, tx, a.id, r.Version, event{kind: reviewKind}, now); err != nil {
		return Reviewed{}, err
	}
	found, err := decide(ctx, tx, a.id, r.Version, d.List, now)
	if err != nil {
		return Reviewed{}, err
	}
	for _, decision := range d.List {
		c, ok := found[decision.ID]
		if !ok {
			return Reviewed{}, fault.Newf(fault.Conflict,
				"consequence %s is not pending in this session; read the session again before you decide", decision.ID)
		}
		r.Consequences = append(r.Consequences, c)
	}
	return r, a.review(ctx, tx, decided, now)
}

// check holds a review against its bounds.
func (d Decisions) check() error {
	if len(d.List) == 0 || len(d.List) > MaxDecisions {
		return fault.Newf(fault.Unprocessable, "decisions has %d entries; it must have 1 to %d", len(d.List), MaxDecisions)
	}
	seen := map[uuid.UUID]bool{}
	for i, one := range d.List {
		name := fmt.Sprintf("decisions[%d]", i)
		if seen[one.ID] {
			return fault.Newf(fault.Unprocessable, "%s.id is that of an earlier decision", name)
		}
		seen[one.ID] = true
		if err := check.All(
			check.Choice(name+".decision", one.Decision, Approved, Rejected),
			check.Text(name+".note", one.Note, 0, MaxNote),
		); err != nil {
			return err
		}
	}
	return nil
}
