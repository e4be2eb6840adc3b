package support

import (
	"context"

	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

// ListSupportTickets gives a page of the caller's tickets.
func (d *Desk) ListSupportTickets(
	ctx context.Context, r platformapi.ListSupportTicketsRequestObject,
) (platformapi.ListSupportTicketsResponseObject, error) {
	state := stateOf(r.Params.Status)
	p, err := page.Of(r.Params.Limit, r.Params.Cursor, page.Kind("tickets", state))
	if err != nil {
		return nil, err
	}
	tickets, next, err := d.mine(ctx, state, p)
	if err != nil {
		return nil, err
	}
	return platformapi.ListSupportTickets200JSONResponse(ticketsTo(tickets, next)), nil
}

// ListSupportQueue gives a page of everybody's tickets.
func (d *Desk) ListSupportQueue(
	ctx context.Context, r platformapi.ListSupportQueueRequestObject,
) (platformapi.ListSupportQueueResponseObject, error) {
	f := filter{state: stateOf(r.Params.Status)}
	assignee := ""
	if r.Params.AssigneeID != nil {
		assignee = *r.Params.AssigneeID
		id, err := command.ID("assignee_id", assignee)
		if err != nil {
			return nil, err
		}
		f.assignee = &id
	}
	p, err := page.Of(r.Params.Limit, r.Params.Cursor, page.Kind("queue", f.state, assignee))
	if err != nil {
		return nil, err
	}
	tickets, next, err := d.queue(ctx, f, p)
	if err != nil {
		return nil, err
	}
	return platformapi.ListSupportQueue200JSONResponse(ticketsTo(tickets, next)), nil
}

// GetSupportTicket gives one ticket.
func (d *Desk) GetSupportTicket(
	ctx context.Context, r platformapi.GetSupportTicketRequestObject,
) (platformapi.GetSupportTicketResponseObject, error) {
	id, err := command.ID("id", r.ID)
	if err != nil {
		return nil, err
	}
	t, err := d.get(ctx, d.pool, id)
	if err != nil {
		return nil, err
	}
	return platformapi.GetSupportTicket200JSONResponse{
		Body: ticketTo(t), Headers: platformapi.GetSupportTicket200ResponseHeaders{ETag: command.ETag(t.Revision)},
	}, nil
}

// CreateSupportTicket opens a ticket.
func (d *Desk) CreateSupportTicket(
	ctx context.Context, r platformapi.CreateSupportTicketRequestObject,
) (platformapi.CreateSupportTicketResponseObject, error) {
	c, err := command.Of("createSupportTicket", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	made, err := d.open(ctx, c, r.Body.Title, r.Body.Body)
	if err != nil {
		return nil, err
	}
	if made.Rejection != "" {
		return outcome(made.Outcome), nil
	}
	return platformapi.CreateSupportTicket201JSONResponse{
		Body:    ticketTo(made.Value),
		Headers: platformapi.CreateSupportTicket201ResponseHeaders{ETag: command.ETag(made.Version)},
	}, nil
}

// UpdateSupportTicket corrects a ticket.
func (d *Desk) UpdateSupportTicket(
	ctx context.Context, r platformapi.UpdateSupportTicketRequestObject,
) (platformapi.UpdateSupportTicketResponseObject, error) {
	c, err := command.Of("updateSupportTicket", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	done, err := d.correct(ctx, c, r.Body.Title, r.Body.Body)
	return outcome(done.Outcome), err
}

// CloseSupportTicket closes a ticket.
func (d *Desk) CloseSupportTicket(
	ctx context.Context, r platformapi.CloseSupportTicketRequestObject,
) (platformapi.CloseSupportTicketResponseObject, error) {
	c, err := command.Of("closeSupportTicket", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	done, err := d.shut(ctx, c)
	return outcome(done.Outcome), err
}

// AssignSupportTicket gives a ticket to an operator.
func (d *Desk) AssignSupportTicket(
	ctx context.Context, r platformapi.AssignSupportTicketRequestObject,
) (platformapi.AssignSupportTicketResponseObject, error) {
	c, err := command.Of("assignSupportTicket", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	to, err := command.ID("assignee_id", r.Body.AssigneeID)
	if err != nil {
		return nil, err
	}
	done, err := d.assign(ctx, c, to)
	return outcome(done.Outcome), err
}

// ListSupportTicketComments gives a page of a ticket's comments.
func (d *Desk) ListSupportTicketComments(
	ctx context.Context, r platformapi.ListSupportTicketCommentsRequestObject,
) (platformapi.ListSupportTicketCommentsResponseObject, error) {
	id, err := command.ID("id", r.ID)
	if err != nil {
		return nil, err
	}
	p, err := page.Of(r.Params.Limit, r.Params.Cursor, page.Kind("comments", id))
	if err != nil {
		return nil, err
	}
	comments, next, err := d.comments(ctx, id, p)
	if err != nil {
		return nil, err
	}
	return platformapi.ListSupportTicketComments200JSONResponse(commentsTo(comments, next)), nil
}

// AddSupportTicketComment adds a comment to a ticket.
func (d *Desk) AddSupportTicketComment(
	ctx context.Context, r platformapi.AddSupportTicketCommentRequestObject,
) (platformapi.AddSupportTicketCommentResponseObject, error) {
	c, err := command.Of("addSupportTicketComment", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	done, err := d.comment(ctx, c, r.Body.Body)
	return outcome(done.Outcome), err
}

// GetSupportTicketTranscript gives a ticket as text.
func (d *Desk) GetSupportTicketTranscript(
	ctx context.Context, r platformapi.GetSupportTicketTranscriptRequestObject,
) (platformapi.GetSupportTicketTranscriptResponseObject, error) {
	id, err := command.ID("id", r.ID)
	if err != nil {
		return nil, err
	}
	text, err := d.transcript(ctx, id)
	return platformapi.GetSupportTicketTranscript200TextResponse(text), err
}
