package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/generated/platformdb"
)

// direct sends the database the statements of the platform's requests, and
// does nothing else.
type direct struct {
	seed
	pool *pgxpool.Pool
}

var statements = platformdb.New()

// row reads a ticket, whoever asks.
func (d direct) row(ctx context.Context, id uuid.UUID) error {
	t, err := statements.GetTicket(ctx, d.pool, id)
	if err == nil && t.PartyID != d.party {
		err = fmt.Errorf("ticket %s is somebody else's", id)
	}
	return err
}

// caller finds out who asks.
func (d direct) caller(ctx context.Context) error {
	_, err := statements.FindToken(ctx, d.pool, platformdb.FindTokenParams{Digest: d.digest, Now: time.Now()})
	return err
}

// read is the platform's reading of a ticket.
func (d direct) read(ctx context.Context, id uuid.UUID) error {
	if err := d.caller(ctx); err != nil {
		return err
	}
	return d.row(ctx, id)
}

// write is the platform's correcting of a ticket.
func (d direct) write(ctx context.Context, id uuid.UUID, title string) error {
	if err := d.caller(ctx); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		const operation = "updateSupportTicket"
		key, now := uuid.New(), time.Now()
		if err := statements.LockReceiptKey(ctx, tx, int64(binary.BigEndian.Uint64(key[:]))); err != nil {
			return err
		}
		_, err := statements.GetReceipt(ctx, tx, platformdb.GetReceiptParams{
			PartyID: d.party, Operation: operation, Key: key, Since: now.Add(-time.Hour),
		})
		if err == nil {
			return fmt.Errorf("key %s has a receipt already", key)
		}
		t, err := statements.LockTicket(ctx, tx, id)
		if err != nil {
			return err
		}
		err = statements.UpdateTicket(ctx, tx, platformdb.UpdateTicketParams{
			ID: id, Title: title, Body: t.Body, State: t.State, AssigneeID: t.AssigneeID, Comments: t.Comments, Said: t.Said,
			UpdatedAt: now,
		})
		if err != nil {
			return err
		}
		return statements.PutReceipt(ctx, tx, platformdb.PutReceiptParams{
			PartyID: d.party, Operation: operation, Key: key, Request: d.digest, AggregateID: id, Version: t.Revision + 1,
			Status: 200, Value: []byte("{}"), CreatedAt: now,
		})
	})
}
