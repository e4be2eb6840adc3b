package pg

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Look runs f, which reads with one statement, where a transaction would be
// nothing but two more round trips. It ends with its caller; where a connection
// turns out to be dead, f runs again on another, once. Its errors have been
// through Fault.
func Look(ctx context.Context, pool *pgxpool.Pool, f func(ctx context.Context, conn *pgxpool.Conn) error) error {
	r := runner{pool: pool}
	for losses := 0; ; losses++ {
		dead, err := r.look(ctx, f)
		if !dead || losses == mostLosses || ctx.Err() != nil {
			return Fault(err)
		}
		pool.Reset()
	}
}

// look runs f once and gives its connection back. It says whether that died.
func (r runner) look(ctx context.Context, f func(ctx context.Context, conn *pgxpool.Conn) error) (dead bool, err error) {
	conn, err := r.acquire(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Release()
	err = f(ctx, conn)
	return err != nil && conn.Conn().IsClosed(), err
}
