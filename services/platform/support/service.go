package support

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

// Desk serves tickets. It is safe for concurrent use.
type Desk struct {
	pool *pgxpool.Pool
	door *command.Door
}

// New returns a desk over a database whose commands come in through the door.
func New(pool *pgxpool.Pool, door *command.Door) *Desk { return &Desk{pool, door} }

// get finds a ticket that the caller may see.
func (d *Desk) get(ctx context.Context, db DB, id uuid.UUID) (Ticket, error) {
	t, err := find(ctx, db, id)
	if err != nil {
		return Ticket{}, err
	}
	if t == nil || !t.visible(access.From(ctx)) {
		return Ticket{}, fault.New(fault.NotFound, "there is no such ticket")
	}
	return *t, nil
}

// mine lists a page of the caller's tickets, the newest first, all or those in
// a state.
func (d *Desk) mine(ctx context.Context, state State, p page.Page) ([]Ticket, *string, error) {
	rows, err := ofParty(ctx, d.pool, access.From(ctx).Party, state, p)
	if err != nil {
		return nil, nil, err
	}
	rows, next := page.Next(p, rows, Ticket.key)
	return rows, next, nil
}

// filter narrows the queue; "" and nil do not.
type filter struct {
	state    State
	assignee *uuid.UUID
}

// queue lists a page of everybody's tickets, the oldest first, for an operator.
func (d *Desk) queue(ctx context.Context, f filter, p page.Page) ([]Ticket, *string, error) {
	if err := operators(ctx); err != nil {
		return nil, nil, err
	}
	rows, err := ofAll(ctx, d.pool, f, p)
	if err != nil {
		return nil, nil, err
	}
	rows, next := page.Next(p, rows, Ticket.key)
	return rows, next, nil
}

// comments lists a page of a ticket's comments, the oldest first.
func (d *Desk) comments(ctx context.Context, id uuid.UUID, p page.Page) (rows []Comment, next *string, err error) {
	err = pg.Read(ctx, d.pool, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := d.get(ctx, tx, id); err != nil {
			return err
		}
		rows, err = said(ctx, tx, id, p.Above().Number, p.Fetch())
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	rows, next = page.Next(p, rows, func(c Comment) page.Key { return page.Key{Number: c.Number} })
	return rows, next, nil
}

// key is a ticket's place in lists.
func (t Ticket) key() page.Key { return page.Key{Time: t.CreatedAt, ID: t.ID} }

// operators lets operators pass.
func operators(ctx context.Context) error {
	if !access.From(ctx).Allows(adminScope) {
		return fault.New(fault.Forbidden, "this is for operators with the scope "+adminScope)
	}
	return nil
}
