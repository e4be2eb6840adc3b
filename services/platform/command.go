package platform

import (
	"strconv"
	"time"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// Command is what every command carries beside its content.
type Command struct {
	ID       string // of the ticket
	Key      string // Idempotency-Key
	Revision string // If-Match: the revision that the ticket is expected to have
}

// Outcome is what became of a command.
type Outcome struct {
	ID        string
	Version   int64  // the ticket's revision after the command
	Rejection string // why it was refused, or ""
}

// Create makes a ticket under the command's identifier. The ticket is that of
// the moment of creation, however often the command is repeated; it is
// meaningful unless the outcome is a rejection.
func (s *Service) Create(c Command, title, body string) (Ticket, Outcome, error) {
	if err := checkText("title", title, maxTitle, false); err != nil {
		return Ticket{}, Outcome{}, err
	}
	if err := checkText("body", body, maxBody, true); err != nil {
		return Ticket{}, Outcome{}, err
	}
	r, err := s.command("create", c, []string{title, body}, func(now time.Time, expected int64) (receipt, error) {
		switch t := s.tickets[c.ID]; {
		case t != nil && expected == 0:
			return rejected(c, t.Revision, alreadyExists), nil
		case t != nil:
			return rejected(c, t.Revision, staleRevision), nil
		case expected != 0:
			return rejected(c, 0, staleRevision), nil
		case len(s.tickets) >= maxTickets:
			return rejected(c, 0, ticketLimit), nil
		}
		t := &ticket{sequence: len(s.order), Ticket: Ticket{
			ID: c.ID, Title: title, Body: body, Status: open, Revision: 1, CreatedAt: now, UpdatedAt: now,
		}}
		s.tickets[c.ID] = t
		s.order = append(s.order, t)
		return receipt{outcome: Outcome{ID: c.ID, Version: 1}, ticket: t.Ticket}, nil
	})
	return r.ticket, r.outcome, err
}

// Comment adds a comment to an open ticket.
func (s *Service) Comment(c Command, body string) (Outcome, error) {
	if err := checkText("body", body, maxBody, true); err != nil {
		return Outcome{}, err
	}
	return s.change("comment", c, []string{body}, func(t *ticket, now time.Time) string {
		if len(t.comments) >= maxComments {
			return commentLimit
		}
		t.comments = append(t.comments, Comment{Number: int64(len(t.comments)) + 1, Body: body, CreatedAt: now})
		t.Comments++
		return ""
	})
}

// Close closes an open ticket.
func (s *Service) Close(c Command) (Outcome, error) {
	return s.change("close", c, nil, func(t *ticket, _ time.Time) string {
		t.Status = closed
		return ""
	})
}

// change applies a command to a ticket that is there, open and at the expected
// revision. The function returns why it refuses, or "".
func (s *Service) change(
	operation string, c Command, content []string, apply func(*ticket, time.Time) string,
) (Outcome, error) {
	r, err := s.command(operation, c, content, func(now time.Time, expected int64) (receipt, error) {
		t, err := s.find(c.ID)
		if err != nil {
			return receipt{}, err
		}
		if t.Revision != expected {
			return rejected(c, t.Revision, staleRevision), nil
		}
		if t.Status == closed {
			return rejected(c, t.Revision, ticketClosed), nil
		}
		if reason := apply(t, now); reason != "" {
			return rejected(c, t.Revision, reason), nil
		}
		t.Revision++
		t.UpdatedAt = now
		return receipt{outcome: Outcome{ID: c.ID, Version: t.Revision}}, nil
	})
	return r.outcome, err
}

func rejected(c Command, version int64, reason string) receipt {
	return receipt{outcome: Outcome{ID: c.ID, Version: version, Rejection: reason}}
}

// command applies a command unless its key has been used: then the same
// request gets its receipt and another one a rejection, which does not replace
// the receipt.
func (s *Service) command(
	operation string, c Command, content []string, apply func(now time.Time, expected int64) (receipt, error),
) (receipt, error) {
	if err := checkID("id", c.ID); err != nil {
		return receipt{}, err
	}
	if err := checkID("Idempotency-Key", c.Key); err != nil {
		return receipt{}, err
	}
	expected, err := strconv.ParseInt(c.Revision, 10, 64)
	if err != nil || expected < 0 || strconv.FormatInt(expected, 10) != c.Revision {
		return receipt{}, fault.New(fault.Invalid, "If-Match must be the expected revision, a number without leading zeros")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	key, request := operation+" "+c.Key, digest(c, content)
	if r, ok := s.receipts.find(key, now); ok {
		if r.request != request {
			return rejected(c, s.revision(c.ID), keyReused), nil
		}
		return r, nil
	}
	if s.receipts.full(now) {
		return receipt{}, fault.New(fault.Unavailable, "too many commands are remembered; try again later")
	}
	r, err := apply(now, expected)
	if err != nil {
		return receipt{}, err
	}
	r.request, r.at = request, now
	s.receipts.keep(key, r)
	return r, nil
}

func (s *Service) revision(id string) int64 {
	if t := s.tickets[id]; t != nil {
		return t.Revision
	}
	return 0
}
