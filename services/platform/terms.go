package platform

import "github.com/pharos-mcp/pharos/generated/platformapi"

// The statuses of a ticket, as the API spells them.
const (
	open   = string(platformapi.TicketStatusModelOpen)
	closed = string(platformapi.TicketStatusModelClosed)
)

// The reasons for a rejection, as the API spells them.
const (
	alreadyExists = string(platformapi.RejectionModelAlreadyExists)
	staleRevision = string(platformapi.RejectionModelStaleRevision)
	ticketClosed  = string(platformapi.RejectionModelTicketClosed)
	keyReused     = string(platformapi.RejectionModelIdempotencyKeyReuse)
	commentLimit  = string(platformapi.RejectionModelCommentLimit)
	ticketLimit   = string(platformapi.RejectionModelTicketLimit)
)
