package pg

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// transactionLimit bounds a transaction with all its repetitions.
const transactionLimit = 20 * time.Second

// Work is what a transaction does. It may run more than once.
type Work func(ctx context.Context, tx pgx.Tx) error

// Read runs f in a snapshot that no write changes, and ends with its caller.
func Read(ctx context.Context, pool *pgxpool.Pool, f Work) error {
	ctx, cancel := context.WithTimeout(ctx, transactionLimit)
	defer cancel()
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return repeat(ctx, func() (bool, error) {
		_, err := once(ctx, pool, options, f)
		return false, err
	})
}

// Write runs f and commits what it did, or nothing where it fails. Once begun
// it ends with a known outcome even when the caller goes, within 20 s. When
// the connection is lost while committing, f runs again on another: it must
// find what it left and then write nothing.
func Write(ctx context.Context, pool *pgxpool.Pool, f Work) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), transactionLimit)
	defer cancel()
	return repeat(ctx, func() (bool, error) { return once(ctx, pool, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, f) })
}

// once runs f once. unknown says that the transaction was to commit and that
// nobody told whether it did.
func once(ctx context.Context, pool *pgxpool.Pool, options pgx.TxOptions, f Work) (unknown bool, err error) {
	tx, err := pool.BeginTx(ctx, options)
	if err != nil {
		return false, err
	}
	defer tx.Rollback(context.WithoutCancel(ctx)) // nothing after a commit
	if err := f(ctx, tx); err != nil {
		return false, err
	}
	err = tx.Commit(ctx)
	return err != nil && options.AccessMode != pgx.ReadOnly && !refused(err), err
}

// refused tells that a transaction was certainly not committed: the server
// says so and lives on. A server that says it is going down may have committed
// before.
func refused(err error) bool {
	if errors.Is(err, pgx.ErrTxCommitRollback) {
		return true
	}
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && e.Severity == "ERROR"
}

// repeat runs a transaction until its outcome is known.
func repeat(ctx context.Context, once func() (unknown bool, err error)) error {
	unsettled, err := once()
	for pause := 10 * time.Millisecond; unsettled && err != nil; pause = min(2*pause, time.Second) {
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
		var again bool
		again, err = once()
		unsettled = again || err != nil && lost(err)
	}
	return err
}

// lost tells that the connection failed, not the statement.
func lost(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return !ok || e.Severity != "ERROR"
}
