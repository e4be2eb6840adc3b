package chronicle

import "github.com/jackc/pgx/v5/pgxpool"

// Config is what a service needs. It needs no clock: what it reads was dated
// when it was written.
type Config struct {
	Pool *pgxpool.Pool
}

// Service reads sessions. It is safe for concurrent use.
type Service struct {
	pool *pgxpool.Pool
}

// New returns a service over a database.
func New(c Config) *Service { return &Service{c.Pool} }
