package pg

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	transactionLimit = 20 * time.Second // a transaction with all its repetitions
	queueLimit       = 5 * time.Second  // waiting for a connection of the pool
	commitLimit      = 5 * time.Second  // one COMMIT, which the server's limits do not bound
	rollbackLimit    = 2 * time.Second  // after it the connection is given up
)

// Work is what a transaction does. It may run more than once, each time in a
// transaction of its own, of which the last alone stands.
type Work func(ctx context.Context, tx pgx.Tx) error

// Read runs f in a snapshot that no write changes. It ends with its caller,
// and within 20 s. Its errors have been through Fault.
func Read(ctx context.Context, pool *pgxpool.Pool, f Work) error {
	return read(ctx, pool, limits{transactionLimit, commitLimit}, f)
}

func read(ctx context.Context, pool *pgxpool.Pool, l limits, f Work) error {
	ctx, cancel := context.WithTimeoutCause(ctx, l.all, errSlow)
	defer cancel()
	r := runner{pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, l.commit, f}
	conn, err := r.acquire(ctx)
	if err != nil {
		return Fault(err)
	}
	return r.settle(ctx, conn)
}

// Write runs f and commits what it did, or nothing where it fails. Once it has
// a connection it goes on without its caller, and ends within 20 s. Its errors
// have been through Fault.
//
// Where the connection is lost while committing, or does not say for 5 s what
// became of it, f runs again on another: it must find what it left, and then
// write nothing. Where that cannot be done in time the error is ErrUnsettled.
func Write(ctx context.Context, pool *pgxpool.Pool, f Work) error {
	return write(ctx, pool, limits{transactionLimit, commitLimit}, f)
}

func write(ctx context.Context, pool *pgxpool.Pool, l limits, f Work) error {
	r := runner{pool, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, l.commit, f}
	conn, err := r.acquire(ctx)
	if err != nil {
		return Fault(err)
	}
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), l.all, errSlow)
	defer cancel()
	return r.settle(ctx, conn)
}

// limits are how long a transaction may take with all its repetitions, and each
// COMMIT of it.
type limits struct{ all, commit time.Duration }

// runner is one transaction with its repetitions.
type runner struct {
	pool    *pgxpool.Pool
	options pgx.TxOptions
	commit  time.Duration // how long to wait for its end
	work    Work
}

var (
	errBusy = errors.New("no connection became free in time")
	errSlow = errors.New("the transaction took too long")
)

// acquire waits for a connection.
func (r runner) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	waiting, cancel := context.WithTimeout(ctx, queueLimit)
	defer cancel()
	conn, err := r.pool.Acquire(waiting)
	if err != nil && waiting.Err() != nil && ctx.Err() == nil {
		return nil, errors.Join(errBusy, err)
	}
	return conn, err
}

// ending is how one transaction ended.
type ending int

const (
	done    ending = iota
	failed         // it was rolled back, and the connection lives on
	lost           // it was rolled back, as its connection is no more
	unknown        // the connection was lost while committing
)

// once runs one transaction and gives its connection back.
func (r runner) once(ctx context.Context, conn *pgxpool.Conn) (ending, error) {
	defer conn.Release()
	failure := func() ending {
		if conn.Conn().IsClosed() {
			return lost
		}
		return failed
	}
	tx, err := conn.BeginTx(ctx, r.options)
	if err != nil {
		return failure(), err
	}
	defer func() { // it does nothing after a commit
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackLimit)
		defer cancel()
		_ = tx.Rollback(ctx)
	}()
	if err := r.work(ctx, tx); err != nil {
		return failure(), err
	}
	committing, cancel := context.WithTimeout(ctx, r.commit)
	defer cancel()
	switch err := tx.Commit(committing); {
	case err == nil:
		return done, nil
	case r.options.AccessMode == pgx.ReadOnly, refused(err):
		return failure(), err
	default:
		return unknown, err
	}
}

// refused tells that a commit certainly did not happen: the server says so and
// lives on. One that says it is going down may have committed before.
func refused(err error) bool {
	if errors.Is(err, pgx.ErrTxCommitRollback) {
		return true
	}
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && e.SeverityUnlocalized == "ERROR"
}
