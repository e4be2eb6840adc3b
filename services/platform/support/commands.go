package support

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/command"
)

// none is the value of a command that answers with its outcome alone.
type none = struct{}

// open makes a ticket of the caller's under the command's identifier.
func (d *Desk) open(ctx context.Context, c command.Command, title, body string) (command.Result[Ticket], error) {
	me := access.From(ctx).Party
	apply := func(ctx context.Context, tx pgx.Tx, now time.Time) (command.Result[Ticket], error) {
		if rejected, err := refuseOpening(ctx, tx, c, me); rejected != nil || err != nil {
			return orZero(rejected), err
		}
		t := Ticket{
			ID: c.ID, Requester: me, Title: title, Body: body, State: Open, Revision: 1,
			CreatedAt: now, UpdatedAt: now, size: len(title) + len(body),
		}
		if fresh, err := insert(ctx, tx, t); err != nil || !fresh {
			return command.Rejected[Ticket](0, command.AlreadyExists), err
		}
		return command.Created(t.Revision, t), nil
	}
	return command.Do(ctx, d.door, c, []string{title, body}, apply)
}

// refuseOpening decides whether a ticket cannot be opened.
func refuseOpening(ctx context.Context, tx pgx.Tx, c command.Command, me uuid.UUID) (*command.Result[Ticket], error) {
	reject := func(r command.Result[Ticket], err error) (*command.Result[Ticket], error) { return &r, err }
	if err := lockRequester(ctx, tx, me); err != nil {
		return nil, err
	}
	t, err := find(ctx, tx, c.ID)
	if err != nil {
		return nil, err
	}
	var version int64
	if t != nil && t.visible(access.From(ctx)) {
		version = t.Revision
	}
	switch {
	case c.Expected != 0:
		return reject(command.Rejected[Ticket](version, command.StaleRevision), nil)
	case t != nil:
		return reject(command.Rejected[Ticket](version, command.AlreadyExists), nil)
	}
	opened, err := countOpen(ctx, tx, me, maxTickets)
	if err == nil && opened >= maxTickets {
		return reject(command.Unfit[Ticket](0, TicketLimit), nil)
	}
	return nil, err
}

// orZero is what a pointer points at, if it does.
func orZero[T any](p *T) (zero T) {
	if p == nil {
		return zero
	}
	return *p
}

// update changes the texts of a ticket, which only its Party may.
func (d *Desk) update(ctx context.Context, c command.Command, ch change) (command.Result[none], error) {
	return d.change(ctx, c, ch, true, func(_ context.Context, _ pgx.Tx, t *Ticket, _ time.Time) (command.Rejection, error) {
		if !ch.apply(t) {
			return CommentLimit, nil
		}
		return "", nil
	})
}

// comment adds what the caller says to a ticket.
func (d *Desk) comment(ctx context.Context, c command.Command, body string) (command.Result[none], error) {
	me := access.From(ctx).Party
	return d.change(ctx, c, body, false,
		func(ctx context.Context, tx pgx.Tx, t *Ticket, now time.Time) (command.Rejection, error) {
			if t.Comments >= maxComments || t.size+len(body) > maxSize {
				return CommentLimit, nil
			}
			t.Comments++
			t.size += len(body)
			return "", say(ctx, tx, t.ID, Comment{Number: t.Comments, Author: me, Body: body, CreatedAt: now})
		})
}

// shut closes a ticket.
func (d *Desk) shut(ctx context.Context, c command.Command) (command.Result[none], error) {
	return d.change(ctx, c, nil, false, func(_ context.Context, _ pgx.Tx, t *Ticket, _ time.Time) (command.Rejection, error) {
		t.State = Closed
		return "", nil
	})
}

// assign gives a ticket to an operator, which an operator may.
func (d *Desk) assign(ctx context.Context, c command.Command, to uuid.UUID) (command.Result[none], error) {
	if err := operators(ctx); err != nil {
		return command.Result[none]{}, err
	}
	return d.change(ctx, c, to, false, func(ctx context.Context, tx pgx.Tx, t *Ticket, _ time.Time) (command.Rejection, error) {
		if enrolled, err := isOperator(ctx, tx, to); err != nil || !enrolled {
			return NotOperator, err
		}
		t.State, t.Assignee = Assigned, &to
		return "", nil
	})
}

// change applies a command to a ticket that the caller may see, or owns where
// that is needed, that is at the expected revision and not closed. The function
// decides, then writes what is not the ticket's own row.
func (d *Desk) change(
	ctx context.Context, c command.Command, request any, own bool,
	apply func(ctx context.Context, tx pgx.Tx, t *Ticket, now time.Time) (command.Rejection, error),
) (command.Result[none], error) {
	me := access.From(ctx)
	return command.Do(ctx, d.door, c, request, func(ctx context.Context, tx pgx.Tx, now time.Time) (command.Result[none], error) {
		t, err := lock(ctx, tx, c.ID)
		switch {
		case err != nil:
			return command.Result[none]{}, err
		case t == nil || !t.visible(me) || own && t.Requester != me.Party:
			return command.Rejected[none](0, command.NotFound), nil
		case t.Revision != c.Expected:
			return command.Rejected[none](t.Revision, command.StaleRevision), nil
		case t.State == Closed:
			return command.Rejected[none](t.Revision, TicketClosed), nil
		}
		before := t.Revision
		reason, err := apply(ctx, tx, t, now)
		if err != nil {
			return command.Result[none]{}, err
		}
		if reason != "" {
			return command.Unfit[none](before, reason), nil
		}
		if err := save(ctx, tx, *t, now); err != nil {
			return command.Result[none]{}, err
		}
		return command.Applied(before+1, none{}), nil
	})
}
