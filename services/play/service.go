package play

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/httpguard"
	"github.com/pharos-mcp/pharos/services/play/account"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/chronicle"
	"github.com/pharos-mcp/pharos/services/play/scenario"
	"github.com/pharos-mcp/pharos/services/play/web"
	"github.com/pharos-mcp/pharos/services/play/wiki"
)

// Config is what play needs.
type Config struct {
	// Pool is a database with the migrations of "play".
	Pool *pgxpool.Pool
	// Now is the time; nil is time.Now.
	Now func() time.Time
	// Log gets one event a request and what fails beside requests; nil logs
	// nothing.
	Log *slog.Logger
	// Origin is where browsers and MCP clients find it, as in
	// "https://play.example" or "http://127.0.0.1:8082".
	Origin string
	// Secure says that they reach it over TLS.
	Secure bool
	// Hosts are the names, without a port, that a request may address beside
	// those of loopback.
	Hosts []string
	// Proxies are the networks of one's own proxies, whose X-Forwarded-For says
	// whom a request counts for.
	Proxies httpguard.Proxies
	// Arrival bounds the time for the body of a request to arrive; 0 is 10 s.
	Arrival time.Duration
}

// The paths of the two MCP catalogs.
const (
	PlayPath   = "/play/mcp"
	AuthorPath = "/mcp"
)

// Service is one instance of play. It is safe for concurrent use.
type Service struct {
	config      Config
	accounts    *account.Service
	scenarios   *scenario.Service
	wiki        *wiki.Service
	assignments *assignment.Service
	chronicle   *chronicle.Service
	pages       *web.Site

	mu      sync.Mutex // of what Ready found
	checked time.Time
	ready   error
}

// New puts an instance together.
func New(c Config) *Service {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	s := &Service{
		config:      c,
		accounts:    account.New(account.Config{Pool: c.Pool, Now: c.Now, Log: c.Log}),
		scenarios:   scenario.New(scenario.Config{Pool: c.Pool, Now: c.Now}),
		wiki:        wiki.New(wiki.Config{Pool: c.Pool, Now: c.Now}),
		assignments: assignment.New(assignment.Config{Pool: c.Pool, Now: c.Now}),
		chronicle:   chronicle.New(chronicle.Config{Pool: c.Pool}),
	}
	s.pages = web.New(web.Config{
		Accounts: s.accounts, Scenarios: s.scenarios, Wiki: s.wiki, Assignments: s.assignments, Chronicle: s.chronicle,
		Secure: c.Secure, Origin: c.Origin, PlayURL: c.Origin + PlayPath, AuthorURL: c.Origin + AuthorPath,
		Now: c.Now, Log: c.Log,
	})
	return s
}

// The bounds of looking at the database: anybody may ask, so it is looked at
// once a second at most.
const (
	readyAge  = time.Second
	readyTime = time.Second
)

// Ready reports whether the database is there.
func (s *Service) Ready(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.checked.IsZero() || time.Since(s.checked) > readyAge {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyTime)
		defer cancel()
		s.ready, s.checked = s.config.Pool.Ping(ctx), time.Now()
	}
	return s.ready
}
