package platform

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"

	"github.com/pharos-mcp/pharos/edge/fault"
	tools "github.com/pharos-mcp/pharos/generated/platform"
	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/internal/apicheck"
	"github.com/pharos-mcp/pharos/internal/httpguard"
)

// maxRequest bounds a request body: the largest ticket, each of its characters
// escaped, and room around it.
const maxRequest = 256 << 10

// Handler serves the service over HTTP, as api/platform describes it. Errors
// that are no faults go to the log; nil logs nothing.
func Handler(s *Service, log *slog.Logger) http.Handler {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	malformed := func(w http.ResponseWriter, _ *http.Request, err error) {
		problem(w, http.StatusBadRequest, apicheck.Undecodable(err))
	}
	failed := func(w http.ResponseWriter, r *http.Request, err error) {
		f := fault.From(err)
		if f.Code == fault.Internal {
			log.ErrorContext(r.Context(), "request", "path", r.URL.Path, "error", err)
		}
		problem(w, f.Code.Status(), f)
	}
	described := []platformapi.StrictMiddlewareFunc{
		apicheck.Middleware[platformapi.StrictHandlerFunc](tools.Catalog()),
	}
	strict := platformapi.NewStrictHandlerWithOptions(handler{platform: s}, described, platformapi.StrictHTTPServerOptions{
		RequestErrorHandlerFunc: malformed, ResponseErrorHandlerFunc: failed,
	})
	return httpguard.New(httpguard.Options{
		Body: maxRequest,
		Refuse: func(w http.ResponseWriter, _ *http.Request, status int, message string) {
			problem(w, status, fault.New(fault.Invalid, message))
		},
	}, platformapi.HandlerWithOptions(strict, platformapi.StdHTTPServerOptions{ErrorHandlerFunc: malformed}))
}

// problem writes a problem document.
func problem(w http.ResponseWriter, status int, f *fault.Fault) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(platformapi.ProblemModel{
		Code: platformapi.ProblemCodeModel(f.Code), Title: f.Message, Status: int64(status),
	})
}

// handler converts between the API's types and the service's.
type handler struct {
	rest
	platform *Service
}

// rest are the operations that no part of the service has taken up yet.
type rest struct {
	platformapi.StrictServerInterface
}

var _ platformapi.StrictServerInterface = handler{}

// Health tells that the service runs.
func (handler) Health(context.Context, platformapi.HealthRequestObject) (platformapi.HealthResponseObject, error) {
	return platformapi.Health200TextResponse("ok\n"), nil
}

// ListSupportTickets gives a page of tickets.
func (h handler) ListSupportTickets(
	_ context.Context, r platformapi.ListSupportTicketsRequestObject,
) (platformapi.ListSupportTicketsResponseObject, error) {
	page, err := pageOf(r.Params.Limit, r.Params.Cursor)
	if err != nil {
		return nil, err
	}
	tickets, next, err := h.platform.List(valueOf(r.Params.Status), page)
	if err != nil {
		return nil, err
	}
	reply := platformapi.ListSupportTickets200JSONResponse{Items: []platformapi.TicketModel{}, NextCursor: present(next)}
	for _, t := range tickets {
		reply.Items = append(reply.Items, ticketTo(t))
	}
	return reply, nil
}

// GetSupportTicket gives one ticket.
func (h handler) GetSupportTicket(
	_ context.Context, r platformapi.GetSupportTicketRequestObject,
) (platformapi.GetSupportTicketResponseObject, error) {
	t, err := h.platform.Get(r.ID)
	if err != nil {
		return nil, err
	}
	return platformapi.GetSupportTicket200JSONResponse{
		Body: ticketTo(t), Headers: platformapi.GetSupportTicket200ResponseHeaders{ETag: etag(t)},
	}, nil
}

// CreateSupportTicket makes a ticket.
func (h handler) CreateSupportTicket(
	_ context.Context, r platformapi.CreateSupportTicketRequestObject,
) (platformapi.CreateSupportTicketResponseObject, error) {
	c := commandOf(r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	t, outcome, err := h.platform.Create(c, r.Body.Title, r.Body.Body)
	if err != nil {
		return nil, err
	}
	if outcome.Rejection != "" {
		return platformapi.CreateSupportTicket409JSONResponse(outcomeTo(outcome)), nil
	}
	return platformapi.CreateSupportTicket201JSONResponse{
		Body: ticketTo(t), Headers: platformapi.CreateSupportTicket201ResponseHeaders{ETag: etag(t)},
	}, nil
}

// CloseSupportTicket closes a ticket.
func (h handler) CloseSupportTicket(
	_ context.Context, r platformapi.CloseSupportTicketRequestObject,
) (platformapi.CloseSupportTicketResponseObject, error) {
	outcome, err := h.platform.Close(commandOf(r.ID, r.Params.IdempotencyKey, r.Params.IfMatch))
	if err != nil {
		return nil, err
	}
	if outcome.Rejection != "" {
		return platformapi.CloseSupportTicket409JSONResponse(outcomeTo(outcome)), nil
	}
	return platformapi.CloseSupportTicket200JSONResponse(outcomeTo(outcome)), nil
}

// ListSupportTicketComments gives a page of comments.
func (h handler) ListSupportTicketComments(
	_ context.Context, r platformapi.ListSupportTicketCommentsRequestObject,
) (platformapi.ListSupportTicketCommentsResponseObject, error) {
	page, err := pageOf(r.Params.Limit, r.Params.Cursor)
	if err != nil {
		return nil, err
	}
	comments, next, err := h.platform.Comments(r.ID, page)
	if err != nil {
		return nil, err
	}
	reply := platformapi.ListSupportTicketComments200JSONResponse{
		Items: []platformapi.CommentModel{}, NextCursor: present(next),
	}
	for _, c := range comments {
		reply.Items = append(reply.Items, platformapi.CommentModel{
			Number: c.Number, AuthorID: nobody, Body: c.Body, CreatedAt: c.CreatedAt,
		})
	}
	return reply, nil
}

// AddSupportTicketComment adds a comment.
func (h handler) AddSupportTicketComment(
	_ context.Context, r platformapi.AddSupportTicketCommentRequestObject,
) (platformapi.AddSupportTicketCommentResponseObject, error) {
	c := commandOf(r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	outcome, err := h.platform.Comment(c, r.Body.Body)
	if err != nil {
		return nil, err
	}
	if outcome.Rejection != "" {
		return platformapi.AddSupportTicketComment409JSONResponse(outcomeTo(outcome)), nil
	}
	return platformapi.AddSupportTicketComment201JSONResponse(outcomeTo(outcome)), nil
}

// GetSupportTicketTranscript gives a ticket as text.
func (h handler) GetSupportTicketTranscript(
	_ context.Context, r platformapi.GetSupportTicketTranscriptRequestObject,
) (platformapi.GetSupportTicketTranscriptResponseObject, error) {
	text, err := h.platform.Transcript(r.ID)
	if err != nil {
		return nil, err
	}
	return platformapi.GetSupportTicketTranscript200TextResponse(text), nil
}
