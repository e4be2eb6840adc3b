package assignment

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/generated/playdb"
	"github.com/pharos-mcp/pharos/services/play/fold"
)

// locked is what a write needs of an assignment that nobody else writes until
// the transaction ends.
type locked struct {
	id             uuid.UUID
	gm             uuid.UUID
	scenario       uuid.UUID
	source         int64
	publishedNodes []string
	autoApprove    []string
	status         string
	version        int64
	pending        int64
	scene          string
}

// lock gives an assignment that somebody is in, or nil.
func lock(ctx context.Context, db DB, id, member uuid.UUID) (*locked, error) {
	r, err := optional(queries.LockAssignment(ctx, db, playdb.LockAssignmentParams{ID: id, MemberID: member}))
	if err != nil || r == nil {
		return nil, err
	}
	return &locked{
		id, r.GMID, r.ScenarioID, r.SourceVersion, r.PublishedNodeIds, r.AutoApprove, r.Status, r.Version, r.Pending,
		r.CurrentScene,
	}, nil
}

// receiptOf gives the receipt under an operation's identifier.
func receiptOf(ctx context.Context, db DB, session, operation uuid.UUID) (playdb.GetReceiptRow, error) {
	return queries.GetReceipt(ctx, db, playdb.GetReceiptParams{AssignmentID: session, OperationID: operation})
}

// keepReceipt writes the receipt of an operation.
func keepReceipt(
	ctx context.Context, db DB, o operation, attempt uuid.UUID, version int64, result []byte, now time.Time,
) error {
	return queries.InsertReceipt(ctx, db, playdb.InsertReceiptParams{
		AssignmentID: o.session, OperationID: o.id, Kind: string(o.kind), Request: o.request[:], AttemptID: attempt,
		Version: version, Result: result, CreatedAt: now,
	})
}

// event is what raised an assignment to a version.
type event struct {
	kind                              kind
	action, narration, summary, scene string
}

// tell writes an event, and what can be found of it where the player reads it.
func tell(ctx context.Context, db DB, session uuid.UUID, version int64, e event, now time.Time) error {
	err := queries.InsertEvent(ctx, db, playdb.InsertEventParams{
		AssignmentID: session, Version: version, Kind: string(e.kind), Action: e.action, Narration: e.narration,
		Summary: e.summary, Scene: e.scene, CreatedAt: now,
	})
	if err != nil || e.kind == reviewKind {
		return err
	}
	folded := fold.Text(fold.Join(e.action, e.narration, e.summary))
	return queries.InsertEventText(ctx, db, playdb.InsertEventTextParams{
		AssignmentID: session, Version: version, Folded: folded, Grams: fold.Grams(session, folded),
	})
}

// propose writes the consequences of a turn.
func propose(ctx context.Context, db DB, r Receipt, now time.Time) error {
	if len(r.Consequences) == 0 {
		return nil
	}
	p := playdb.InsertConsequencesParams{AssignmentID: r.SessionID, Version: r.Version, CreatedAt: now}
	for _, c := range r.Consequences {
		p.Ids = append(p.Ids, c.ID)
		p.Categories = append(p.Categories, c.Category)
		p.Descriptions = append(p.Descriptions, c.Description)
		p.Statuses = append(p.Statuses, c.Status)
	}
	return queries.InsertConsequences(ctx, db, p)
}

// decide decides those consequences that are pending, and gives them by their
// identifiers.
func decide(
	ctx context.Context, db DB, session uuid.UUID, version int64, list []Decision, now time.Time,
) (map[uuid.UUID]Consequence, error) {
	p := playdb.DecideConsequencesParams{AssignmentID: session, Version: version, DecidedAt: now}
	for _, d := range list {
		p.Ids = append(p.Ids, d.ID)
		p.Statuses = append(p.Statuses, d.Decision)
		p.Notes = append(p.Notes, d.Note)
	}
	rows, err := queries.DecideConsequences(ctx, db, p)
	decided := map[uuid.UUID]Consequence{}
	for _, r := range rows {
		decided[r.ID] = Consequence(r)
	}
	return decided, err
}

// play raises a locked assignment to the version of a turn.
func (a locked) play(ctx context.Context, db DB, memory, scene string, pending int64, now time.Time) error {
	return a.raised(queries.RaiseToTurn(ctx, db, playdb.RaiseToTurnParams{
		ID: a.id, Expected: a.version, Memory: memory, CurrentScene: scene, Proposed: pending, UpdatedAt: now,
	}))
}

// finish raises a locked assignment to the version of its end.
func (a locked) finish(ctx context.Context, db DB, summary string, now time.Time) error {
	return a.raised(queries.RaiseToFinish(ctx, db, playdb.RaiseToFinishParams{
		ID: a.id, Expected: a.version, Summary: summary, UpdatedAt: now,
	}))
}

// review raises a locked assignment to the version of a review.
func (a locked) review(ctx context.Context, db DB, decided int64, now time.Time) error {
	return a.raised(queries.RaiseToReview(ctx, db, playdb.RaiseToReviewParams{
		ID: a.id, Expected: a.version, Decided: decided, UpdatedAt: now,
	}))
}

// raised sees that exactly one assignment was raised.
func (a locked) raised(n int64, err error) error {
	if err == nil && n != 1 {
		return fmt.Errorf("assignment %s is locked, and no longer at version %d", a.id, a.version)
	}
	return err
}
