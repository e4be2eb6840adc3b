package support

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/command"
)

// result is that of a command which answers with its outcome alone.
type result = command.Result[command.None]

// open makes a ticket of the caller's under the command's identifier.
func (d *Desk) open(ctx context.Context, c command.Command, title, body string) (command.Result[Ticket], error) {
	me := access.From(ctx)
	return command.Do(ctx, d.door, c, []string{title, body},
		func(ctx context.Context, tx pgx.Tx, now time.Time) (command.Result[Ticket], error) {
			t := Ticket{
				ID: c.ID, Requester: me.Party, Title: title, Body: body, State: Open, Revision: 1,
				CreatedAt: now, UpdatedAt: now,
			}
			if reason, version, err := refusal(ctx, tx, c, me); err != nil {
				return command.Result[Ticket]{}, err
			} else if reason == ticketLimit {
				return command.Unfit[Ticket](0, reason), nil
			} else if reason != "" {
				return command.Rejected[Ticket](version, reason), nil
			}
			if fresh, err := insert(ctx, tx, t); err != nil || !fresh {
				return command.Rejected[Ticket](0, command.AlreadyExists), err
			}
			return command.Created(t.Revision, t), nil
		})
}

// refusal is why a ticket cannot be opened, or "", and the revision of the one
// that is there, as far as the caller may know it.
func refusal(
	ctx context.Context, tx pgx.Tx, c command.Command, me access.Principal,
) (reason command.Rejection, version int64, err error) {
	if err := lockRequester(ctx, tx, me.Party); err != nil {
		return "", 0, err
	}
	t, err := find(ctx, tx, c.ID)
	if err != nil {
		return "", 0, err
	}
	if t != nil && t.visible(me) {
		version = t.Revision
	}
	switch {
	case c.Expected != 0:
		return command.StaleRevision, version, nil
	case t != nil:
		return command.AlreadyExists, version, nil
	}
	opened, err := countOpen(ctx, tx, me.Party, maxTickets)
	if opened >= maxTickets {
		return ticketLimit, 0, err
	}
	return "", 0, err
}

// correct changes the texts of a ticket, or leaves one that is nil. Only the
// ticket's own Party may.
func (d *Desk) correct(ctx context.Context, c command.Command, title, body *string) (result, error) {
	me := access.From(ctx).Party
	return d.change(ctx, c, []*string{title, body},
		func(_ context.Context, _ pgx.Tx, t *Ticket, _ time.Time) (command.Rejection, error) {
			if t.Requester != me {
				return "", fault.New(fault.Forbidden, "only the person who opened a ticket corrects it; comment instead")
			}
			if title != nil {
				t.Title = *title
			}
			if body != nil {
				t.Body = *body
			}
			return "", nil
		})
}

// comment adds what the caller says to a ticket.
func (d *Desk) comment(ctx context.Context, c command.Command, body string) (result, error) {
	me := access.From(ctx).Party
	r, err := d.change(ctx, c, body,
		func(ctx context.Context, tx pgx.Tx, t *Ticket, now time.Time) (command.Rejection, error) {
			if t.Comments >= maxComments || t.said+len(body) > maxSaid {
				return commentLimit, nil
			}
			t.Comments++
			t.said += len(body)
			return "", say(ctx, tx, t.ID, Comment{Number: t.Comments, Author: me, Body: body, CreatedAt: now})
		})
	if r.Rejection == "" {
		r.Status = http.StatusCreated
	}
	return r, err
}

// shut closes a ticket.
func (d *Desk) shut(ctx context.Context, c command.Command) (result, error) {
	return d.change(ctx, c, nil, func(_ context.Context, _ pgx.Tx, t *Ticket, _ time.Time) (command.Rejection, error) {
		t.State = Closed
		return "", nil
	})
}

// assign gives a ticket to an operator, which an operator may.
func (d *Desk) assign(ctx context.Context, c command.Command, to uuid.UUID) (result, error) {
	if err := operators(ctx); err != nil {
		return result{}, err
	}
	return d.change(ctx, c, to, func(ctx context.Context, tx pgx.Tx, t *Ticket, _ time.Time) (command.Rejection, error) {
		if enrolled, err := isOperator(ctx, tx, to); err != nil || !enrolled {
			return noOperator, err
		}
		t.State, t.Assignee = Assigned, &to
		return "", nil
	})
}

// change applies a command to a ticket that the caller may see, that is at the
// expected revision and not closed. The function decides, then writes what is
// not the ticket's own row.
func (d *Desk) change(
	ctx context.Context, c command.Command, request any,
	apply func(ctx context.Context, tx pgx.Tx, t *Ticket, now time.Time) (command.Rejection, error),
) (result, error) {
	me := access.From(ctx)
	return command.Do(ctx, d.door, c, request, func(ctx context.Context, tx pgx.Tx, now time.Time) (result, error) {
		t, err := lock(ctx, tx, c.ID)
		switch {
		case err != nil:
			return result{}, err
		case t == nil || !t.visible(me):
			return command.Rejected[command.None](0, command.NotFound), nil
		case t.Revision != c.Expected:
			return command.Rejected[command.None](t.Revision, command.StaleRevision), nil
		case t.State == Closed:
			return command.Rejected[command.None](t.Revision, ticketClosed), nil
		}
		before := t.Revision
		reason, err := apply(ctx, tx, t, now)
		if err != nil {
			return result{}, err
		}
		if reason != "" {
			return command.Unfit[command.None](before, reason), nil
		}
		if err := save(ctx, tx, *t, now); err != nil {
			return result{}, err
		}
		return command.Applied(before+1, command.None{}), nil
	})
}
