package chronicle

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/report"
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

// Context is what a facilitator has to know to go on. It has no notes of the
// game master, and no node that is not published.
type Context struct {
	Assignment    Assignment
	AgentContract string // in the language of the assignment, for its mode
	Materials     []Material
	Memory        string
	Version       int64
	Events        []Entry                  // the last five, oldest first
	Consequences  []assignment.Consequence // the newest twenty, newest turn first, as they are now
	Recap         *string                  // the summary of a completed session, else nil
}

// Assignment is what is told of an assignment.
type Assignment struct {
	ID              uuid.UUID
	Status          string
	Mode            string
	Language        string
	ScenarioTitle   string
	SourceVersion   int64
	GM              string // what the game master is called
	Player          string
	Character       string
	Brief           string
	Instructions    string
	Boundaries      string
	ReturnCondition string
	AutoApprove     []string
	CurrentScene    string
	CreatedAt       time.Time
	UpdatedAt       time.Time
}

// Material is a published node.
type Material struct{ ID, Kind, Title, Body string }

// Entry is an event of the journal: a turn with its action and narration, or
// the end with its summary.
type Entry struct {
	Version   int64
	Kind      string // turn or finish
	Action    string
	Narration string
	Summary   string
	Scene     string
	At        time.Time
}

// Found is what a search found.
type Found struct {
	Version int64
	Memory  []string // excerpts, in their order
	Journal []Match  // the newest first, ten at most
}

// Match is an event that a search found.
type Match struct {
	Version int64
	Kind    string
	Excerpt string
}

// Context gives the context of an assignment, or NotFound.
func (s *Service) Context(ctx context.Context, id uuid.UUID) (Context, error) {
	return Context{}, nil
}

// Journal gives a page of the journal of an assignment, the oldest first, and
// how many entries there are, or NotFound. At most 20 are given at a time.
func (s *Service) Journal(ctx context.Context, id uuid.UUID, offset, limit int) (total int, page []Entry, err error) {
	return 0, nil, nil
}

// Search finds a text in the memory and the journal of an assignment, or
// NotFound.
func (s *Service) Search(ctx context.Context, id uuid.UUID, query string) (Found, error) {
	return Found{}, nil
}

// ReportData gives what a report for somebody in a role is made of. The journal
// is read as it is taken, for as long as ctx lives, up to the version of the rest.
func (s *Service) ReportData(ctx context.Context, id uuid.UUID, role assignment.Role) (report.Data, error) {
	return report.Data{}, nil
}
