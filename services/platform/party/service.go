package party

import (
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/command"
)

// Service knows the parties. It is safe for concurrent use.
type Service struct {
	pool   *pgxpool.Pool
	now    func() time.Time
	door   *command.Door
	access *access.Service
}

// Config is what parties need.
type Config struct {
	Pool   *pgxpool.Pool
	Now    func() time.Time // nil: time.Now
	Door   *command.Door    // for the commands of the API
	Access *access.Service  // for the sessions that registration replaces
}

// New makes a service. Door and Access are for those who serve the API; an
// administrator's program does without.
func New(c Config) *Service {
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Service{pool: c.Pool, now: c.Now, door: c.Door, access: c.Access}
}

// time is now, as exact as the database keeps it.
func (s *Service) time() time.Time { return pg.Time(s.now()) }
