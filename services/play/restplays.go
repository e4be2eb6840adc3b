package play

import (
	"context"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/generated/playapi"
	"github.com/pharos-mcp/pharos/services/play/assignment"
)

// playHandlers are the operations of assignments.
type playHandlers struct{ service *Service }

// What a page has unless its caller says.
const consequenceLimit = 20

// ListPlays implements playapi.StrictServerInterface.
func (h playHandlers) ListPlays(
	ctx context.Context, _ playapi.ListPlaysRequestObject,
) (playapi.ListPlaysResponseObject, error) {
	viewer := visitorOf(ctx).account.ID
	list, err := h.service.assignments.List(ctx, viewer)
	if err != nil {
		return nil, err
	}
	return playapi.ListPlays200JSONResponse{Plays: each(list, func(a assignment.Assignment) playapi.PlayItemModel {
		return playItemTo(a, viewer)
	})}, nil
}

// CreatePlay implements playapi.StrictServerInterface.
func (h playHandlers) CreatePlay(
	ctx context.Context, in playapi.CreatePlayRequestObject,
) (playapi.CreatePlayResponseObject, error) {
	n, err := newPlayFrom(*in.Body)
	if err != nil {
		return nil, err
	}
	a, replayed, err := h.service.assignments.Create(ctx, visitorOf(ctx).account.ID, n)
	switch {
	case err != nil:
		return nil, err
	case replayed:
		return playapi.CreatePlay200JSONResponse(playTo(a, assignment.GM)), nil
	}
	return playapi.CreatePlay201JSONResponse(playTo(a, assignment.GM)), nil
}

// GetPlay implements playapi.StrictServerInterface.
func (h playHandlers) GetPlay(
	ctx context.Context, in playapi.GetPlayRequestObject,
) (playapi.GetPlayResponseObject, error) {
	a, role, err := h.find(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return playapi.GetPlay200JSONResponse(playTo(a, role)), nil
}

// find gives an assignment that is the visitor's.
func (h playHandlers) find(ctx context.Context, text string) (assignment.Assignment, assignment.Role, error) {
	id, err := identifier("id", text)
	if err != nil {
		return assignment.Assignment{}, "", err
	}
	return h.service.assignments.Get(ctx, visitorOf(ctx).account.ID, id)
}

// CreateAccess implements playapi.StrictServerInterface.
func (h playHandlers) CreateAccess(
	ctx context.Context, in playapi.CreateAccessRequestObject,
) (playapi.CreateAccessResponseObject, error) {
	id, err := identifier("id", in.ID)
	if err != nil {
		return nil, err
	}
	token, info, err := h.service.assignments.GenerateToken(ctx, visitorOf(ctx).account.ID, id)
	if err != nil {
		return nil, err
	}
	return playapi.CreateAccess201JSONResponse{
		Body: playapi.AccessModel{
			Token: token, CreatedAt: info.CreatedAt.UTC(), ExpiresAt: info.ExpiresAt.UTC(),
		},
		Headers: playapi.CreateAccess201ResponseHeaders{CacheControl: "no-store"},
	}, nil
}

// DeleteAccess implements playapi.StrictServerInterface.
func (h playHandlers) DeleteAccess(
	ctx context.Context, in playapi.DeleteAccessRequestObject,
) (playapi.DeleteAccessResponseObject, error) {
	id, err := identifier("id", in.ID)
	if err != nil {
		return nil, err
	}
	if err := h.service.assignments.RevokeToken(ctx, visitorOf(ctx).account.ID, id); err != nil {
		return nil, err
	}
	return playapi.DeleteAccess204Response{}, nil
}

// ListJournal implements playapi.StrictServerInterface.
func (h playHandlers) ListJournal(
	ctx context.Context, in playapi.ListJournalRequestObject,
) (playapi.ListJournalResponseObject, error) {
	a, _, err := h.find(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	offset := or(in.Params.Offset, 0)
	total, page, err := h.service.chronicle.Journal(ctx, a.ID, int(offset), int(or(in.Params.Limit, journalLimit)))
	if err != nil {
		return nil, err
	}
	return playapi.ListJournal200JSONResponse{Total: int64(total), Offset: offset, Entries: each(page, restEntryTo)}, nil
}

// ListConsequences implements playapi.StrictServerInterface.
func (h playHandlers) ListConsequences(
	ctx context.Context, in playapi.ListConsequencesRequestObject,
) (playapi.ListConsequencesResponseObject, error) {
	id, err := identifier("id", in.ID)
	if err != nil {
		return nil, err
	}
	offset := or(in.Params.Offset, 0)
	total, page, err := h.service.assignments.Consequences(
		ctx, visitorOf(ctx).account.ID, id, int(offset), int(or(in.Params.Limit, consequenceLimit)))
	if err != nil {
		return nil, err
	}
	return playapi.ListConsequences200JSONResponse{
		Total: int64(total), Offset: offset, Consequences: each(page, restConsequenceTo),
	}, nil
}

// ReviewPlay implements playapi.StrictServerInterface.
func (h playHandlers) ReviewPlay(
	ctx context.Context, in playapi.ReviewPlayRequestObject,
) (playapi.ReviewPlayResponseObject, error) {
	id, err := identifier("id", in.ID)
	if err != nil {
		return nil, err
	}
	d, err := decisionsFrom(*in.Body)
	if err != nil {
		return nil, err
	}
	r, err := h.service.assignments.Review(ctx, visitorOf(ctx).account.ID, id, d)
	if err != nil {
		return nil, err
	}
	return playapi.ReviewPlay200JSONResponse{
		Version: r.Version, Consequences: each(r.Consequences, restConsequenceTo),
		PendingConsequences: r.Pending, Replayed: r.Replayed,
	}, nil
}

// decisionsFrom reads a review.
func decisionsFrom(m playapi.ReviewModel) (d assignment.Decisions, err error) {
	if d.OperationID, err = identifier("operation_id", m.OperationID); err != nil {
		return d, err
	}
	d.ExpectedVersion = m.ExpectedVersion
	for _, one := range m.Decisions {
		var id uuid.UUID
		if id, err = identifier("decisions/id", one.ID); err != nil {
			return d, err
		}
		d.List = append(d.List, assignment.Decision{ID: id, Decision: string(one.Decision), Note: or(one.Note, "")})
	}
	return d, nil
}
