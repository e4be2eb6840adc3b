package support

import (
	"context"
	"math"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/generated/platformdb"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

// DB is what statements run on: a transaction or a pool of connections.
type DB = platformdb.DBTX

var queries = platformdb.New()

func ticketOf(r platformdb.PlatformTicket) Ticket {
	return Ticket{
		ID: r.ID, Requester: r.PartyID, Title: r.Title, Body: r.Body, State: State(r.State), Assignee: r.AssigneeID,
		Comments: int64(r.Comments), Revision: r.Revision, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
		said: int(r.Said),
	}
}

func ticketsOf(rows []platformdb.PlatformTicket, err error) ([]Ticket, error) {
	tickets := make([]Ticket, len(rows))
	for i, r := range rows {
		tickets[i] = ticketOf(r)
	}
	return tickets, err
}

// orNone gives nil where there is no row.
func orNone(r platformdb.PlatformTicket, err error) (*Ticket, error) {
	if found, err := pg.Found(err); err != nil || !found {
		return nil, err
	}
	t := ticketOf(r)
	return &t, nil
}

// find gives a ticket, or nil.
func find(ctx context.Context, db DB, id uuid.UUID) (*Ticket, error) {
	return orNone(queries.GetTicket(ctx, db, id))
}

// lock gives a ticket that no other command changes until the transaction ends,
// or nil.
func lock(ctx context.Context, db DB, id uuid.UUID) (*Ticket, error) {
	return orNone(queries.LockTicket(ctx, db, id))
}

// lockRequester lets nobody else open a ticket of the Party.
func lockRequester(ctx context.Context, db DB, party uuid.UUID) error {
	return queries.LockRequester(ctx, db, party)
}

// countOpen counts a Party's tickets that are not closed, up to a bound.
func countOpen(ctx context.Context, db DB, party uuid.UUID, most int32) (int64, error) {
	return queries.CountOpenTickets(ctx, db, platformdb.CountOpenTicketsParams{PartyID: party, Most: most})
}

// insert writes a new ticket, and tells whether its identifier was free.
func insert(ctx context.Context, db DB, t Ticket) (bool, error) {
	n, err := queries.InsertTicket(ctx, db, platformdb.InsertTicketParams{
		ID: t.ID, PartyID: t.Requester, Title: t.Title, Body: t.Body, CreatedAt: t.CreatedAt,
	})
	return n == 1, err
}

// save writes a locked ticket under the next revision.
func save(ctx context.Context, db DB, t Ticket, now time.Time) error {
	return queries.UpdateTicket(ctx, db, platformdb.UpdateTicketParams{
		ID: t.ID, Title: t.Title, Body: t.Body, State: string(t.State), AssigneeID: t.Assignee,
		Comments: int32(t.Comments), Said: int32(t.said), UpdatedAt: now,
	})
}

// ofParty lists a Party's tickets, in a state unless it is "".
func ofParty(ctx context.Context, db DB, party uuid.UUID, state State, p page.Page) ([]Ticket, error) {
	below := p.Below()
	if state == "" {
		return ticketsOf(queries.ListTickets(ctx, db, platformdb.ListTicketsParams{
			PartyID: party, BeforeTime: below.Time, BeforeID: below.ID, Most: p.Fetch(),
		}))
	}
	return ticketsOf(queries.ListTicketsInState(ctx, db, platformdb.ListTicketsInStateParams{
		PartyID: party, State: string(state), BeforeTime: below.Time, BeforeID: below.ID, Most: p.Fetch(),
	}))
}

// ofAll lists everybody's tickets that pass a filter.
func ofAll(ctx context.Context, db DB, f filter, p page.Page) ([]Ticket, error) {
	above, most, state := p.Above(), p.Fetch(), string(f.state)
	switch {
	case f.assignee == nil && f.state == "":
		return ticketsOf(queries.ListQueue(ctx, db, platformdb.ListQueueParams{
			AfterTime: above.Time, AfterID: above.ID, Most: most,
		}))
	case f.assignee == nil:
		return ticketsOf(queries.ListQueueInState(ctx, db, platformdb.ListQueueInStateParams{
			State: state, AfterTime: above.Time, AfterID: above.ID, Most: most,
		}))
	case f.state == "":
		return ticketsOf(queries.ListQueueOf(ctx, db, platformdb.ListQueueOfParams{
			AssigneeID: *f.assignee, AfterTime: above.Time, AfterID: above.ID, Most: most,
		}))
	default:
		return ticketsOf(queries.ListQueueOfInState(ctx, db, platformdb.ListQueueOfInStateParams{
			AssigneeID: *f.assignee, State: state, AfterTime: above.Time, AfterID: above.ID, Most: most,
		}))
	}
}

// say adds a comment to a locked ticket.
func say(ctx context.Context, db DB, ticket uuid.UUID, c Comment) error {
	return queries.InsertTicketComment(ctx, db, platformdb.InsertTicketCommentParams{
		TicketID: ticket, Number: int32(c.Number), AuthorID: c.Author, Body: c.Body, CreatedAt: c.CreatedAt,
	})
}

// said lists a ticket's comments after a number.
func said(ctx context.Context, db DB, ticket uuid.UUID, after int64, most int32) ([]Comment, error) {
	rows, err := queries.ListTicketComments(ctx, db, platformdb.ListTicketCommentsParams{
		TicketID: ticket, AfterNumber: int32(min(after, math.MaxInt32)), Most: most,
	})
	comments := make([]Comment, len(rows))
	for i, r := range rows {
		comments[i] = Comment{Number: int64(r.Number), Author: r.AuthorID, Body: r.Body, CreatedAt: r.CreatedAt}
	}
	return comments, err
}

// isOperator tells whether a Party is enrolled as an operator.
func isOperator(ctx context.Context, db DB, party uuid.UUID) (bool, error) {
	return queries.IsOperator(ctx, db, party)
}
