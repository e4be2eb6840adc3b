package platform

import (
	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/platformapi"
)

// pageOf reads the parameters of a page. A limit or cursor that is given must
// say something: only an absent one means the default.
func pageOf(limit *int64, cursor *string) (Page, error) {
	if limit != nil && *limit == 0 || cursor != nil && *cursor == "" {
		return Page{}, fault.New(fault.Invalid, "limit and cursor must not be empty where they are given")
	}
	p := Page{Cursor: valueOf(cursor)}
	if limit != nil {
		p.Limit = *limit
	}
	return p, nil
}

func ticketTo(t Ticket) platformapi.TicketModel {
	return platformapi.TicketModel{
		ID: t.ID, Title: t.Title, Body: t.Body, Status: t.Status, Revision: t.Revision, Comments: t.Comments,
		CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt,
	}
}

func outcomeTo(o Outcome) platformapi.CommandOutcomeModel {
	status := "accepted"
	if o.Rejection != "" {
		status = "rejected"
	}
	return platformapi.CommandOutcomeModel{
		AggregateID: o.ID, Version: o.Version, Status: status, Rejection: present(o.Rejection),
	}
}

// present is nil for "".
func present(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// valueOf is "" for nil.
func valueOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
