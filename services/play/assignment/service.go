package assignment

import (
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Config is what a service needs.
type Config struct {
	Pool *pgxpool.Pool
	Now  func() time.Time
}

// Service keeps assignments. It is safe for concurrent use.
type Service struct {
	pool *pgxpool.Pool
	now  func() time.Time
}

// New returns a service over a database.
func New(c Config) *Service { return &Service{c.Pool, c.Now} }
