package chronicle

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/facilitator"
)

// Of what there may be much of, a context has the last.
const (
	recentEvents       = 5
	recentConsequences = 20
)

// Context is what a facilitator has to know to go on. It has no notes of the
// game master, and no node that is not published.
type Context struct {
	Assignment    Assignment
	AgentContract string // in the language of the assignment, for its mode
	Materials     []Material
	Memory        string
	Version       int64
	Events        []Entry                  // the last five, oldest first
	Consequences  []assignment.Consequence // the newest twenty as they are now, the newest turn's first
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

// Context gives the context of an assignment, or NotFound.
func (s *Service) Context(ctx context.Context, id uuid.UUID) (Context, error) {
	var c Context
	err := pg.Read(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		session, err := find(ctx, tx, id)
		if err != nil {
			return err
		}
		c = session.context()
		if c.Materials, err = materials(ctx, tx, id); err != nil {
			return err
		}
		if c.Events, err = entries(ctx, tx, id, session.total-recentEvents, session.total, recentEvents); err != nil {
			return err
		}
		c.Consequences, err = newest(ctx, tx, id, recentConsequences)
		return err
	})
	return c, err
}

// context begins a context with what the assignment itself says.
func (s session) context() Context {
	return Context{
		Assignment:    s.Assignment,
		AgentContract: facilitator.Contract(s.Language, s.Mode),
		Memory:        s.memory,
		Version:       s.version,
		Recap:         s.summary,
	}
}
