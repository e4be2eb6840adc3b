package chronicle

import (
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Config is what a service needs.
type Config struct {
	Pool *pgxpool.Pool
	Now  func() time.Time
}

// Service reads sessions. It is safe for concurrent use.
type Service struct {
	pool *pgxpool.Pool
}

// New returns a service over a database.
func New(c Config) *Service { return &Service{c.Pool} }
