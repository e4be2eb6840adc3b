package support

import (
	"net/http"

	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/services/platform/command"
)

// stateOf is the state that a list is narrowed to, or "".
func stateOf(status *string) State {
	if status == nil {
		return ""
	}
	return State(*status)
}

func ticketTo(t Ticket) platformapi.TicketModel {
	m := platformapi.TicketModel{
		ID: t.ID.String(), RequesterID: t.Requester.String(), Title: t.Title, Body: t.Body,
		Status: platformapi.TicketStatusModel(t.State), Revision: t.Revision, Comments: t.Comments,
		CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt,
	}
	if t.Assignee != nil {
		id := t.Assignee.String()
		m.AssigneeID = &id
	}
	return m
}

func ticketsTo(tickets []Ticket, next *string) platformapi.TicketPageModel {
	m := platformapi.TicketPageModel{Items: make([]platformapi.TicketModel, len(tickets)), NextCursor: next}
	for i, t := range tickets {
		m.Items[i] = ticketTo(t)
	}
	return m
}

func commentsTo(comments []Comment, next *string) platformapi.CommentPageModel {
	m := platformapi.CommentPageModel{Items: make([]platformapi.CommentModel, len(comments)), NextCursor: next}
	for i, c := range comments {
		m.Items[i] = platformapi.CommentModel{
			Number: c.Number, AuthorID: c.Author.String(), Body: c.Body, CreatedAt: c.CreatedAt,
		}
	}
	return m
}

// outcome is the reply to a command that tells no more than what became of it.
type outcome command.Outcome

func (o outcome) write(w http.ResponseWriter) error { return command.Outcome(o).Write(w, "") }

// VisitCreateSupportTicketResponse implements platformapi.CreateSupportTicketResponseObject.
func (o outcome) VisitCreateSupportTicketResponse(w http.ResponseWriter) error { return o.write(w) }

// VisitUpdateSupportTicketResponse implements platformapi.UpdateSupportTicketResponseObject.
func (o outcome) VisitUpdateSupportTicketResponse(w http.ResponseWriter) error { return o.write(w) }

// VisitCloseSupportTicketResponse implements platformapi.CloseSupportTicketResponseObject.
func (o outcome) VisitCloseSupportTicketResponse(w http.ResponseWriter) error { return o.write(w) }

// VisitAssignSupportTicketResponse implements platformapi.AssignSupportTicketResponseObject.
func (o outcome) VisitAssignSupportTicketResponse(w http.ResponseWriter) error { return o.write(w) }

// VisitAddSupportTicketCommentResponse implements platformapi.AddSupportTicketCommentResponseObject.
func (o outcome) VisitAddSupportTicketCommentResponse(w http.ResponseWriter) error { return o.write(w) }
