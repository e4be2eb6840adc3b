package platform

import (
	"strconv"
	"strings"

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

// nobody stands where the API names a person, of whom this service knows none.
const nobody = "00000000-0000-0000-0000-000000000000"

func ticketTo(t Ticket) platformapi.TicketModel {
	return platformapi.TicketModel{
		ID: t.ID, RequesterID: nobody, Title: t.Title, Body: t.Body,
		Status: platformapi.TicketStatusModel(t.Status), Revision: t.Revision, Comments: t.Comments,
		CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt,
	}
}

func outcomeTo(o Outcome) platformapi.CommandOutcomeModel {
	outcome := platformapi.CommandOutcomeModel{
		AggregateID: o.ID, Version: o.Version, Status: platformapi.CommandStatusModelApplied,
	}
	if o.Rejection != "" {
		reason := platformapi.RejectionModel(o.Rejection)
		outcome.Status, outcome.Rejection = platformapi.CommandStatusModelRejected, &reason
	}
	return outcome
}

// commandOf reads what every command carries. The revision may be an ETag.
func commandOf(id, key, ifMatch string) Command {
	c := Command{ID: id, Key: key, Revision: ifMatch}
	if inner, ok := strings.CutPrefix(ifMatch, `"`); ok {
		if inner, ok = strings.CutSuffix(inner, `"`); ok {
			c.Revision = inner
		}
	}
	return c
}

// etag names the revision of a ticket in a header.
func etag(t Ticket) string { return strconv.Quote(strconv.FormatInt(t.Revision, 10)) }

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
