package pg

import (
	"context"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// WriteWithin is Write with another limit.
func WriteWithin(ctx context.Context, pool *pgxpool.Pool, limit time.Duration, f Work) error {
	return write(ctx, pool, limits{limit, limit}, f)
}

// WriteCommittingWithin is Write with another limit of a COMMIT.
func WriteCommittingWithin(ctx context.Context, pool *pgxpool.Pool, limit time.Duration, f Work) error {
	return write(ctx, pool, limits{transactionLimit, limit}, f)
}

// ReadWithin is Read with another limit.
func ReadWithin(ctx context.Context, pool *pgxpool.Pool, limit time.Duration, f Work) error {
	return read(ctx, pool, limits{limit, limit}, f)
}

// PoolWithin is Pool with another limit of a statement that gets no answer.
func PoolWithin(url string, limit time.Duration) (*pgxpool.Pool, error) {
	return poolWithin(url, limit)
}

// MigrateFrom is Migrate with other migrations.
func MigrateFrom(ctx context.Context, url string, source fs.FS, owners ...string) error {
	c, err := poolConfig(url)
	if err != nil {
		return err
	}
	return migrate(ctx, c.ConnConfig, source, owners)
}
