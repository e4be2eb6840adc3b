package play

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/tool"
	players "github.com/pharos-mcp/pharos/generated/play"
	"github.com/pharos-mcp/pharos/generated/playtoolsapi"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/chronicle"
)

// PlayCatalog is the tools of a play token. Whoever serves it says with
// assignment.WithSeat for whom they are called.
func (s *Service) PlayCatalog() tool.Catalog { return showing(players.Catalog(playTools{s})) }

// playTools are the tools of a play token.
type playTools struct{ service *Service }

var _ players.Handler = playTools{}

var errNoSeat = errors.New("a tool of the play catalog was called without a seat")

// seatOf is where who calls sits. No argument says it.
func seatOf(ctx context.Context) (assignment.Seat, error) {
	seat, ok := assignment.SeatOf(ctx)
	if !ok || seat.AssignmentID == uuid.Nil {
		return seat, errNoSeat
	}
	return seat, nil
}

// How many entries of the journal a page has unless its caller says.
const journalLimit = 10

// GetPlayContext implements players.Handler.
func (t playTools) GetPlayContext(
	ctx context.Context, _ *players.GetPlayContextInput,
) (m playtoolsapi.ContextModel, err error) {
	seat, err := seatOf(ctx)
	if err != nil {
		return m, err
	}
	c, err := t.service.chronicle.Context(ctx, seat.AssignmentID)
	if err != nil {
		return m, err
	}
	return contextTo(c), nil
}

// ReadPlayJournal implements players.Handler.
func (t playTools) ReadPlayJournal(
	ctx context.Context, in *players.ReadPlayJournalInput,
) (m playtoolsapi.JournalModel, err error) {
	seat, err := seatOf(ctx)
	if err != nil {
		return m, err
	}
	offset := or(in.Offset, 0)
	total, page, err := t.service.chronicle.Journal(ctx, seat.AssignmentID, int(offset), int(or(in.Limit, journalLimit)))
	if err != nil {
		return m, err
	}
	return playtoolsapi.JournalModel{Total: int64(total), Offset: offset, Entries: each(page, entryTo)}, nil
}

// SearchPlayMemory implements players.Handler.
func (t playTools) SearchPlayMemory(
	ctx context.Context, in *players.SearchPlayMemoryInput,
) (m playtoolsapi.FoundModel, err error) {
	seat, err := seatOf(ctx)
	if err != nil {
		return m, err
	}
	found, err := t.service.chronicle.Search(ctx, seat.AssignmentID, in.Query)
	if err != nil {
		return m, err
	}
	return playtoolsapi.FoundModel{
		Version: found.Version,
		Memory:  append([]playtoolsapi.ExcerptModel{}, found.Memory...),
		Journal: each(found.Journal, func(m chronicle.Match) playtoolsapi.MatchModel {
			return playtoolsapi.MatchModel{Version: m.Version, Kind: m.Kind, Excerpt: m.Excerpt}
		}),
	}, nil
}

// CommitPlayTurn implements players.Handler.
func (t playTools) CommitPlayTurn(
	ctx context.Context, in *players.CommitPlayTurnInput,
) (m playtoolsapi.ReceiptModel, err error) {
	seat, err := seatOf(ctx)
	if err != nil {
		return m, err
	}
	turn, err := turnFrom(in.Body)
	if err != nil {
		return m, err
	}
	r, err := t.service.assignments.Commit(ctx, seat, turn)
	if err != nil {
		return m, err
	}
	return playtoolsapi.ReceiptModel{
		SessionID: r.SessionID.String(), Version: r.Version, Replayed: r.Replayed,
		Consequences: each(r.Consequences, func(c assignment.Recorded) playtoolsapi.RecordedModel {
			return playtoolsapi.RecordedModel{
				ID: c.ID.String(), Status: c.Status, Category: c.Category, Description: c.Description,
			}
		}),
	}, nil
}

// FinishPlaySession implements players.Handler.
func (t playTools) FinishPlaySession(
	ctx context.Context, in *players.FinishPlaySessionInput,
) (m playtoolsapi.FinishedModel, err error) {
	seat, err := seatOf(ctx)
	if err != nil {
		return m, err
	}
	operation, err := identifier("operation_id", in.Body.OperationID)
	if err != nil {
		return m, err
	}
	f, err := t.service.assignments.Finish(ctx, seat, assignment.Ending{
		OperationID: operation, ExpectedVersion: in.Body.ExpectedVersion, Summary: in.Body.Summary,
	})
	if err != nil {
		return m, err
	}
	return playtoolsapi.FinishedModel{
		Status: f.Status, Version: f.Version, PendingConsequences: f.PendingConsequences, Replayed: f.Replayed,
	}, nil
}

// turnFrom reads a turn.
func turnFrom(m playtoolsapi.TurnModel) (assignment.Turn, error) {
	operation, err := identifier("operation_id", m.OperationID)
	if err != nil {
		return assignment.Turn{}, err
	}
	return assignment.Turn{
		OperationID: operation, ExpectedVersion: m.ExpectedVersion, PlayerAction: m.PlayerAction,
		Narration: m.Narration, Memory: m.MemoryMarkdown, CurrentScene: m.CurrentScene,
		Consequences: each(m.Consequences, func(e playtoolsapi.EffectModel) assignment.Effect {
			return assignment.Effect{Category: e.Category, Description: e.Description}
		}),
	}, nil
}
