package platform

import (
	"sync"
	"time"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// The bounds of what is kept.
const (
	maxTickets  = 10_000
	maxComments = 500 // of one ticket
	maxReceipts = 100_000
)

// Service keeps the tickets. It is safe for concurrent use.
type Service struct {
	now func() time.Time

	mu       sync.Mutex
	tickets  map[string]*ticket
	order    []*ticket // by creation
	receipts receipts
}

// New returns an empty service that takes the time from now.
func New(now func() time.Time) *Service {
	return &Service{now: now, tickets: map[string]*ticket{}, receipts: receipts{kept: map[string]receipt{}}}
}

// ticket is a Ticket with what belongs to it.
type ticket struct {
	Ticket
	sequence int // place in the order of creation
	comments []Comment
}

// Ticket is a request for support.
type Ticket struct {
	ID        string
	Title     string
	Body      string
	Status    string // open or closed
	Revision  int64
	Comments  int64
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Comment is what was said about a ticket.
type Comment struct {
	Number    int64
	Body      string
	CreatedAt time.Time
}

// find returns a ticket; the caller holds the lock.
func (s *Service) find(id string) (*ticket, error) {
	if err := checkID("id", id); err != nil {
		return nil, err
	}
	t := s.tickets[id]
	if t == nil {
		return nil, fault.New(fault.NotFound, "support ticket not found")
	}
	return t, nil
}

// Get returns one ticket.
func (s *Service) Get(id string) (Ticket, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, err := s.find(id)
	if err != nil {
		return Ticket{}, err
	}
	return t.Ticket, nil
}
