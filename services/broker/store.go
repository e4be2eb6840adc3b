package broker

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/generated/brokerdb"
	"github.com/pharos-mcp/pharos/internal/pg"
)

var queries = brokerdb.New()

// store keeps everything that outlives a request. Its transactions may run
// again when the end of one was not heard of, so each finds what it did before.
type store struct{ pool *pgxpool.Pool }

// What is not there, or not for who asks.
var (
	errNoRequest = errors.New("no such request of this browser")
	errNoCode    = errors.New("no such code of this client, or an old one")
	errNoToken   = errors.New("no such refresh token")
)

func orElse(err, none error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return none
	}
	return err
}

// read runs one query, within the bounds that transactions have.
func read[Row, Arg any](
	ctx context.Context, s store, query func(context.Context, brokerdb.DBTX, Arg) (Row, error), arg Arg,
) (row Row, err error) {
	err = pg.Read(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) (err error) {
		row, err = query(ctx, tx, arg)
		return err
	})
	return row, err
}

// client gives a client that registered itself.
func (s store) client(ctx context.Context, id string) (Client, error) {
	row, err := read(ctx, s, queries.FindClient, id)
	if err != nil {
		return Client{}, orElse(err, errUnknownClient)
	}
	return Client{ID: row.ID, Name: row.Name, Redirects: row.RedirectUris}, nil
}

// register keeps a client, or says fullError.
func (s store) register(ctx context.Context, c Client, address string, now time.Time) error {
	hash := digest("address " + address)
	return pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		if err := queries.LockAddress(ctx, tx, int64(binary.BigEndian.Uint64(hash))); err != nil {
			return err
		}
		if _, err := queries.FindClient(ctx, tx, c.ID); !errors.Is(err, pgx.ErrNoRows) {
			return err // nil: the first run of this transaction kept it
		}
		if err := mayRegister(ctx, tx, hash, now); err != nil {
			return err
		}
		err := queries.InsertRegistration(ctx, tx, brokerdb.InsertRegistrationParams{AddressHash: hash, CreatedAt: now})
		if err != nil {
			return err
		}
		return queries.InsertClient(ctx, tx, brokerdb.InsertClientParams{
			ID: c.ID, Name: c.Name, RedirectUris: c.Redirects, CreatedAt: now,
		})
	})
}

func mayRegister(ctx context.Context, tx pgx.Tx, address []byte, now time.Time) error {
	since := now.Add(-registrationTime)
	row, err := queries.CountRegistrations(ctx, tx, brokerdb.CountRegistrationsParams{AddressHash: address, Since: since})
	if err != nil {
		return err
	}
	if row.Number >= maxRegistrations {
		return fullError{ofAddress: true, wait: row.Oldest.Sub(since)}
	}
	unused, err := queries.CountUnusedClients(ctx, tx, maxUnused)
	if err != nil {
		return err
	}
	if unused >= maxUnused {
		return fullError{wait: registrationTime}
	}
	return nil
}

// useClient keeps a registered client from being forgotten.
func useClient(ctx context.Context, tx pgx.Tx, id string, now time.Time) error {
	return queries.TouchClient(ctx, tx, brokerdb.TouchClientParams{ID: id, Now: now, Stale: now.Add(-time.Hour)})
}

// endedTime is how long an ended grant is kept, to be looked at.
const endedTime = 24 * time.Hour

// forget removes what has expired.
func (s store) forget(ctx context.Context, now time.Time) error {
	_, requests := queries.DeleteOldRequests(ctx, s.pool, now)
	_, grants := queries.DeleteOldGrants(ctx, s.pool, now.Add(-endedTime))
	_, tokens := queries.DeleteOldRefreshTokens(ctx, s.pool, now)
	_, unused := queries.DeleteUnusedClients(ctx, s.pool, now.Add(-unusedTime))
	_, idle := queries.DeleteIdleClients(ctx, s.pool, now.Add(-grantTime))
	_, registrations := queries.DeleteRegistrations(ctx, s.pool, now.Add(-registrationTime))
	return errors.Join(requests, grants, tokens, unused, idle, registrations)
}
