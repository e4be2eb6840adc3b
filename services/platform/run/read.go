package run

import (
	"context"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/page"
	"github.com/pharos-mcp/pharos/services/platform/project"
)

// Filter says which runs are asked for; nil leaves a member open.
type Filter struct {
	Project  *uuid.UUID
	Pipeline *uuid.UUID
	State    *State
}

// Get gives a run of one of the caller's projects.
func (s *Runs) Get(ctx context.Context, id uuid.UUID) (Run, error) {
	r, found, err := get(ctx, s.pool, id, access.From(ctx).Party)
	if err == nil && !found {
		err = fault.New(fault.NotFound, "there is no such run")
	}
	return r, err
}

// List gives a page of the runs of the caller's projects, the newest first.
func (s *Runs) List(ctx context.Context, f Filter, p page.Page) ([]Run, *string, error) {
	party := access.From(ctx).Party
	if f.Project != nil {
		if _, err := project.Access(ctx, s.pool, *f.Project, party); err != nil {
			return nil, nil, err
		}
	}
	rows, err := list(ctx, s.pool, f, party, p)
	if err != nil {
		return nil, nil, err
	}
	rows, next := page.Next(p, rows, func(r Run) page.Key { return page.Key{Time: r.CreatedAt, ID: r.ID} })
	return rows, next, nil
}

// Events gives a page of what happened to a run, the oldest first.
func (s *Runs) Events(ctx context.Context, id uuid.UUID, p page.Page) ([]Event, *string, error) {
	if _, err := s.Get(ctx, id); err != nil {
		return nil, nil, err
	}
	rows, err := eventsOf(ctx, s.pool, id, p.Above().Number, p.Fetch())
	if err != nil {
		return nil, nil, err
	}
	rows, next := page.Next(p, rows, func(e Event) page.Key { return page.Key{Number: e.Sequence} })
	return rows, next, nil
}

// Log gives what the steps of a run put out, as one text.
func (s *Runs) Log(ctx context.Context, id uuid.UUID) (string, error) {
	if _, err := s.Get(ctx, id); err != nil {
		return "", err
	}
	return readLog(ctx, func(ctx context.Context, attempt, number int64) ([]step, error) {
		return stepsBefore(ctx, s.pool, id, attempt, number, logPage)
	})
}
