package project

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

// Projects answers for projects. It is safe for concurrent use.
type Projects struct {
	pool *pgxpool.Pool
	door *command.Door
	now  func() time.Time
}

// New returns the projects of a database whose commands come in through the
// door; now says when usage is measured.
func New(pool *pgxpool.Pool, door *command.Door, now func() time.Time) *Projects {
	return &Projects{pool, door, now}
}

// result is that of a command which answers with its outcome alone.
type result = command.Result[command.None]

// Get gives a project to one of its members.
func (p *Projects) Get(ctx context.Context, id uuid.UUID) (Project, error) {
	project, found, err := get(ctx, p.pool, id, access.From(ctx).Party)
	if err == nil && !found {
		err = missing()
	}
	return project, err
}

// List gives a page of the caller's projects, the last joined first. A state
// of "" stands for all.
func (p *Projects) List(ctx context.Context, state State, page page.Page) ([]Project, *string, error) {
	return list(ctx, p.pool, access.From(ctx).Party, state, page)
}

// Usage gives what a project used to one of its members.
func (p *Projects) Usage(ctx context.Context, id uuid.UUID) (Usage, error) {
	var u Usage
	err := pg.Read(ctx, p.pool, func(ctx context.Context, tx pgx.Tx) error {
		project, found, err := get(ctx, tx, id, access.From(ctx).Party)
		if err == nil && !found {
			err = missing()
		}
		if err != nil {
			return err
		}
		use, err := use(ctx, tx, id)
		u = Usage{Project: id, Members: project.Members, At: pg.Time(p.now()), Use: use}
		return err
	})
	return u, err
}

// Create makes a project whose owner is the caller.
func (p *Projects) Create(ctx context.Context, c command.Command, n Content) (command.Result[Project], error) {
	return command.Do(ctx, p.door, c, n,
		func(ctx context.Context, tx pgx.Tx, now time.Time) (command.Result[Project], error) {
			caller := access.From(ctx).Party
			reason, version, err := refusal(ctx, tx, c, n, caller)
			if err != nil {
				return command.Result[Project]{}, err
			}
			project := Project{
				ID: c.ID, Slug: n.Slug, Name: n.Name, Description: n.Description, State: active, Role: Owner,
				Members: 1, Revision: 1,
				CreatedBy: caller, CreatedAt: now, UpdatedAt: now,
			}
			if reason == "" {
				made, err := insert(ctx, tx, project)
				if err != nil {
					return command.Result[Project]{}, err
				}
				if made {
					return command.Created(1, project), nil
				}
				reason = command.AlreadyExists // by somebody at the same time
			}
			return rejected[Project](version, reason), nil
		})
}

// refusal tells why a project cannot be created, and the revision of the one
// that is there if the caller may see it.
func refusal(
	ctx context.Context, tx pgx.Tx, c command.Command, n Content, caller uuid.UUID,
) (command.Rejection, int64, error) {
	there, err := taken(ctx, tx, c.ID, caller, n.Slug)
	if err != nil {
		return "", 0, err
	}
	switch {
	case there.id:
		project, _, err := get(ctx, tx, c.ID, caller)
		if c.Expected != 0 {
			return command.StaleRevision, project.Revision, err
		}
		return command.AlreadyExists, project.Revision, err
	case c.Expected != 0:
		return command.StaleRevision, 0, nil
	case there.slug:
		return slugTaken, 0, nil
	case there.projects >= maxProjects:
		return projectLimit, 0, nil
	}
	return "", 0, nil
}

// Update changes the name or the description of a project.
func (p *Projects) Update(ctx context.Context, c command.Command, change Change) (result, error) {
	return p.change(ctx, c, change, Maintainer, func(
		_ context.Context, _ pgx.Tx, project *Project, _ time.Time,
	) (command.Rejection, error) {
		if project.State == archived {
			return Archived, nil
		}
		if change.Name != nil {
			project.Name = *change.Name
		}
		if change.Description != nil {
			project.Description = *change.Description
		}
		return "", nil
	})
}

// Archive lets a project take no more commands. What runs in it runs on.
func (p *Projects) Archive(ctx context.Context, c command.Command) (result, error) {
	return p.change(ctx, c, nil, Owner, func(
		_ context.Context, _ pgx.Tx, project *Project, _ time.Time,
	) (command.Rejection, error) {
		if project.State == archived {
			return Archived, nil
		}
		project.State = archived
		return "", nil
	})
}

// Restore makes an archived project one like before.
func (p *Projects) Restore(ctx context.Context, c command.Command) (result, error) {
	return p.change(ctx, c, nil, Owner, func(
		_ context.Context, _ pgx.Tx, project *Project, _ time.Time,
	) (command.Rejection, error) {
		if project.State == active {
			return notArchived, nil
		}
		project.State = active
		return "", nil
	})
}

// Delete ends a project that is archived and in which nothing runs.
func (p *Projects) Delete(ctx context.Context, c command.Command) (result, error) {
	return p.change(ctx, c, nil, Owner, func(
		ctx context.Context, tx pgx.Tx, project *Project, _ time.Time,
	) (command.Rejection, error) {
		if project.State == active {
			return notArchived, nil
		}
		use, err := use(ctx, tx, project.ID)
		if err != nil {
			return "", err
		}
		if use.Unfinished() > 0 {
			return runsActive, nil
		}
		project.State, project.Members = deleted, 0
		return "", removeAll(ctx, tx, project.ID)
	})
}

// change applies a command to a project that the caller is a member of, with
// at least the role, and that is at the expected revision. The function changes
// the project that it is given or says why it does not.
func (p *Projects) change(
	ctx context.Context, c command.Command, request any, least Role,
	apply func(ctx context.Context, tx pgx.Tx, project *Project, now time.Time) (command.Rejection, error),
) (result, error) {
	return command.Do(ctx, p.door, c, request,
		func(ctx context.Context, tx pgx.Tx, now time.Time) (result, error) {
			var none result
			project, found, err := lock(ctx, tx, c.ID, access.From(ctx).Party)
			if err != nil {
				return none, err
			}
			if !found {
				return command.Rejected[command.None](0, command.NotFound), nil
			}
			if !project.Role.Has(least) {
				return none, tooLow(least)
			}
			if project.Revision != c.Expected {
				return command.Rejected[command.None](project.Revision, command.StaleRevision), nil
			}
			reason, err := apply(ctx, tx, &project, now)
			if err != nil {
				return none, err
			}
			if reason != "" {
				return rejected[command.None](project.Revision, reason), nil
			}
			project.UpdatedAt = now
			version, err := update(ctx, tx, project)
			return command.Applied(version, command.None{}), err
		})
}

// rejected gives a rejection its status: 422 where a rule forbids what was
// asked for, 409 where the state of the project or of another does.
func rejected[T any](version int64, reason command.Rejection) command.Result[T] {
	switch reason {
	case unknownParty, lastOwner, memberLimit, projectLimit:
		return command.Unfit[T](version, reason)
	default:
		return command.Rejected[T](version, reason)
	}
}

func missing() error { return fault.New(fault.NotFound, "there is no such project") }
