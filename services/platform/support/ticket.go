package support

import (
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/command"
)

// State is what a ticket has come to.
type State string

// The states of a ticket.
const (
	Open     State = "open"
	Assigned State = "assigned"
	Closed   State = "closed"
)

// The rejections that only tickets know.
const (
	ticketClosed command.Rejection = "ticket_closed" // nothing changes it any more
	ticketLimit  command.Rejection = "ticket_limit"  // the Party has too many that are not closed
	commentLimit command.Rejection = "comment_limit" // the ticket has no room for the text
	noOperator   command.Rejection = "assignee_no_operator"
)

// The bounds of what is kept; the schema holds them too.
const (
	maxTickets  = 1000    // of one Party, not closed
	maxComments = 500     // of one ticket
	maxSaid     = 1 << 19 // of one ticket's comments together, in bytes
)

// Ticket is a request for support.
type Ticket struct {
	ID        uuid.UUID
	Requester uuid.UUID // the Party it belongs to
	Title     string
	Body      string
	State     State
	Assignee  *uuid.UUID // the operator it is or was assigned to
	Comments  int64
	Revision  int64
	CreatedAt time.Time
	UpdatedAt time.Time

	said int // bytes of its comments
}

// Comment is what was said about a ticket.
type Comment struct {
	Number    int64
	Author    uuid.UUID
	Body      string
	CreatedAt time.Time
}

// visible reports whether a ticket exists for a principal.
func (t *Ticket) visible(p access.Principal) bool {
	return t.Requester == p.Party || p.Allows(adminScope)
}

// adminScope is what operators hold.
const adminScope = "support:admin"
