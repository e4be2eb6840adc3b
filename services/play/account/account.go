package account

import (
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/admission"
	"github.com/pharos-mcp/pharos/internal/password"
	"github.com/pharos-mcp/pharos/internal/pg"
)

// Account is a person: a game master, a player or both.
type Account struct {
	ID                              uuid.UUID
	Username, DisplayName, Language string
	Active                          bool
	CreatedAt                       time.Time
}

// NewAccount is an account that an administrator makes.
type NewAccount struct {
	Username    string // ^[a-z][a-z0-9._-]{1,63}$
	DisplayName string // 1 to 100 characters, no control characters
	Language    string // "en" or "pl"
	Password    string // 12 to 256 characters
}

// Token is a personal token of an author, without its secret.
type Token struct {
	ID                   uuid.UUID
	Name                 string
	CreatedAt, ExpiresAt time.Time
	LastUsedAt           *time.Time // exact to the minute
}

// Config is what a Service needs.
type Config struct {
	Pool *pgxpool.Pool    // with play's schema
	Now  func() time.Time // time.Now if nil
	Log  *slog.Logger     // what could not be noted; nil for nowhere
}

// Service is accounts, sessions and tokens.
type Service struct {
	pool      *pgxpool.Pool
	now       func() time.Time
	log       *slog.Logger
	passwords *password.Hasher
	logins    *admission.Memory // of this process at a time
}

// What one process does at a time: logins that are looked at, and passwords of
// them and of administrators that are hashed, which take 19 MiB each.
const (
	loginsAtATime = 32
	hashesAtATime = 2
)

// New makes a Service.
func New(c Config) *Service {
	s := &Service{
		pool: c.Pool, now: c.Now, log: c.Log,
		passwords: password.New(hashesAtATime),
		logins:    admission.NewMemory(admission.Limits{All: loginsAtATime}, c.Now),
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	return s
}

// time is the time now, as the database keeps it.
func (s *Service) time() time.Time { return pg.Time(s.now()) }
