package pg

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Limits are those of a session. A zero one is what the URL says or, where that
// says nothing, what every service has.
type Limits struct {
	Lock      time.Duration // waiting for one lock
	Statement time.Duration // one statement; COMMIT is not one
}

// LimitedPool is Pool with limits of its own.
func LimitedPool(url string, l Limits) (*pgxpool.Pool, error) {
	c, err := poolConfig(url)
	if err != nil {
		return nil, err
	}
	for name, limit := range map[string]time.Duration{"lock_timeout": l.Lock, "statement_timeout": l.Statement} {
		if limit > 0 {
			c.ConnConfig.RuntimeParams[name] = milliseconds(limit)
		}
	}
	c.ConnConfig.Tracer = patience{transactionLimit}
	return pgxpool.NewWithConfig(context.Background(), c)
}
