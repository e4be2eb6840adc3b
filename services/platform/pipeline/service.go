package pipeline

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/page"
	"github.com/pharos-mcp/pharos/services/platform/project"
)

// The longest texts of a pipeline, in characters.
const (
	maxName        = 120
	maxDescription = 1000
)

// Pipelines are the pipelines of all projects. They are safe for concurrent use.
type Pipelines struct {
	pool *pgxpool.Pool
	door *command.Door
}

// New returns the pipelines of a database.
func New(pool *pgxpool.Pool, door *command.Door) *Pipelines { return &Pipelines{pool, door} }

// Content is what a pipeline is created from.
type Content struct {
	Project     uuid.UUID
	Name        string
	Description string
	Definition  Definition
}

// Create makes a draft in a project in which the caller works. The refusal says
// what of the definition breaks which rule, where the outcome says that one is.
func (s *Pipelines) Create(ctx context.Context, c command.Command, n Content) (command.Result[Pipeline], Refusal, error) {
	refusal, err := checkChange(Change{&n.Name, &n.Description, &n.Definition})
	if err != nil {
		return command.Result[Pipeline]{}, Refusal{}, err
	}
	party := access.From(ctx).Party
	r, err := command.Do(ctx, s.door, c, n, func(
		ctx context.Context, tx pgx.Tx, now time.Time,
	) (command.Result[Pipeline], error) {
		reason, err := project.Enter(ctx, tx, n.Project, party, project.Member)
		switch {
		case err != nil:
			return command.Result[Pipeline]{}, err
		case reason != "":
			return command.Rejected[Pipeline](0, reason), nil
		case c.Expected != 0:
			return command.Rejected[Pipeline](0, command.StaleRevision), nil
		case refusal.Reason != "":
			return command.Unfit[Pipeline](0, refusal.Reason), nil
		}
		p := Pipeline{
			ID: c.ID, Project: n.Project, Name: n.Name, Description: n.Description, State: Draft, Latest: 1, Revision: 1,
			CreatedBy: party, CreatedAt: now, UpdatedAt: now, Definition: n.Definition,
		}
		made, err := insert(ctx, tx, p)
		if err != nil || !made {
			return command.Rejected[Pipeline](0, command.AlreadyExists), err
		}
		return command.Created(1, p), nil
	})
	return r, refusal, err
}

// Revise changes a pipeline that is not retired. See Create for the refusal.
func (s *Pipelines) Revise(ctx context.Context, c command.Command, change Change) (command.Outcome, Refusal, error) {
	refusal, err := checkChange(change)
	if err != nil {
		return command.Outcome{}, Refusal{}, err
	}
	o, err := s.change(ctx, c, project.Member, change, func(
		ctx context.Context, tx pgx.Tx, p *Pipeline, now time.Time,
	) (result, error) {
		if reason := p.revise(change); reason != "" {
			return command.Rejected[command.None](p.Revision, reason), nil
		}
		if refusal.Reason != "" {
			return command.Unfit[command.None](p.Revision, refusal.Reason), nil
		}
		if change.Definition != nil {
			if err := addVersion(ctx, tx, *p, access.From(ctx).Party, now); err != nil {
				return result{}, err
			}
		}
		return s.write(ctx, tx, p, now)
	})
	return o, refusal, err
}

// Publish lets runs name the newest version of a pipeline.
func (s *Pipelines) Publish(ctx context.Context, c command.Command) (command.Outcome, error) {
	return s.change(ctx, c, project.Maintainer, nil, func(
		ctx context.Context, tx pgx.Tx, p *Pipeline, now time.Time,
	) (result, error) {
		if reason := p.publish(); reason != "" {
			return command.Rejected[command.None](p.Revision, reason), nil
		}
		if err := publishVersion(ctx, tx, p.ID, p.Latest, now); err != nil {
			return result{}, err
		}
		return s.write(ctx, tx, p, now)
	})
}

// Retire ends that runs may name any version of a pipeline. Those that there
// are go on.
func (s *Pipelines) Retire(ctx context.Context, c command.Command) (command.Outcome, error) {
	return s.change(ctx, c, project.Maintainer, nil, func(
		ctx context.Context, tx pgx.Tx, p *Pipeline, now time.Time,
	) (result, error) {
		if reason := p.retire(); reason != "" {
			return command.Rejected[command.None](p.Revision, reason), nil
		}
		return s.write(ctx, tx, p, now)
	})
}

// Delete deletes a draft with its versions.
func (s *Pipelines) Delete(ctx context.Context, c command.Command) (command.Outcome, error) {
	return s.change(ctx, c, project.Member, nil, func(
		ctx context.Context, tx pgx.Tx, p *Pipeline, _ time.Time,
	) (result, error) {
		if reason := p.discard(); reason != "" {
			return command.Rejected[command.None](p.Revision, reason), nil
		}
		return command.Applied(p.Revision+1, command.None{}), remove(ctx, tx, p.ID)
	})
}

// result is that of a command which answers with its outcome alone.
type result = command.Result[command.None]

// change applies a command to a pipeline that is there and at the expected
// revision, for who has at least a role in its project.
func (s *Pipelines) change(
	ctx context.Context, c command.Command, least project.Role, request any,
	apply func(ctx context.Context, tx pgx.Tx, p *Pipeline, now time.Time) (result, error),
) (command.Outcome, error) {
	party := access.From(ctx).Party
	r, err := command.Do(ctx, s.door, c, request, func(ctx context.Context, tx pgx.Tx, now time.Time) (result, error) {
		in, found, err := projectOf(ctx, tx, c.ID)
		if err != nil || !found {
			return command.Rejected[command.None](0, command.NotFound), err
		}
		if reason, err := project.Enter(ctx, tx, in, party, least); err != nil || reason != "" {
			return command.Rejected[command.None](0, reason), err
		}
		p, found, err := lock(ctx, tx, c.ID)
		switch {
		case err != nil || !found:
			return command.Rejected[command.None](0, command.NotFound), err
		case p.Revision != c.Expected:
			return command.Rejected[command.None](p.Revision, command.StaleRevision), nil
		}
		return apply(ctx, tx, &p, now)
	})
	return r.Outcome, err
}

// write ends a change.
func (s *Pipelines) write(ctx context.Context, tx pgx.Tx, p *Pipeline, now time.Time) (result, error) {
	p.Revision++
	p.UpdatedAt = now
	return command.Applied(p.Revision, command.None{}), update(ctx, tx, *p)
}

// Get gives a pipeline with its newest definition.
func (s *Pipelines) Get(ctx context.Context, id uuid.UUID) (Pipeline, error) {
	p, found, err := get(ctx, s.pool, id, access.From(ctx).Party)
	if err == nil && !found {
		err = fault.New(fault.NotFound, "there is no such pipeline")
	}
	return p, err
}

// Filter says which pipelines are asked for; nil leaves a member open.
type Filter struct {
	Project *uuid.UUID
	State   *State
}

// List gives a page of the pipelines of the caller's projects, the newest
// first, without their definitions.
func (s *Pipelines) List(ctx context.Context, f Filter, p page.Page) ([]Pipeline, *string, error) {
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
	rows, next := page.Next(p, rows, func(p Pipeline) page.Key { return page.Key{Time: p.CreatedAt, ID: p.ID} })
	return rows, next, nil
}

// Versions gives a page of a pipeline's versions, the newest first.
func (s *Pipelines) Versions(ctx context.Context, id uuid.UUID, p page.Page) ([]Version, *string, error) {
	rows, err := versions(ctx, s.pool, id, access.From(ctx).Party, p)
	if err != nil {
		return nil, nil, err
	}
	if len(rows) == 0 { // there is no pipeline without a version
		if _, err := s.Get(ctx, id); err != nil {
			return nil, nil, err
		}
	}
	rows, next := page.Next(p, rows, func(v Version) page.Key { return page.Key{Number: v.Number} })
	return rows, next, nil
}

// checkChange holds what a caller says of a pipeline against its bounds, which
// is a fault, and the definition against its rules.
func checkChange(c Change) (Refusal, error) {
	if c.Name != nil {
		if err := checkText("name", *c.Name, 1, maxName); err != nil {
			return Refusal{}, err
		}
	}
	if c.Description != nil {
		if err := checkText("description", *c.Description, 0, maxDescription); err != nil {
			return Refusal{}, err
		}
	}
	if c.Definition != nil {
		return c.Definition.Check()
	}
	return Refusal{}, nil
}
