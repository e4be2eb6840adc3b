package project

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/platform/command"
)

// Access tells what a party is in a project, archived or not. Who is no member
// cannot tell the project from one that does not exist: the answer is a
// not_found fault for both. It is for reads; a command uses Enter.
func Access(ctx context.Context, db DB, project, party uuid.UUID) (Role, error) {
	s, err := standingOf(ctx, db, project, party)
	if err != nil {
		return "", err
	}
	if s.role == "" {
		return "", missing()
	}
	return s.role, nil
}

// Enter is the first thing that a command in a project does after its receipt:
// it tells whether the party may write there, with at least the role, and holds
// off until the end of the transaction every change of the project's state and
// of its members. Commands in one project do not wait for each other.
//
// The rejection is command.NotFound where the project does not exist or the
// party is no member, Archived where it is archived, or "". A member whose role
// is too low gets a forbidden fault. What is inside the project is locked after
// it, and a caller that holds it must not lock the project any harder.
func Enter(ctx context.Context, tx pgx.Tx, project, party uuid.UUID, least Role) (command.Rejection, error) {
	found, err := share(ctx, tx, project)
	if err != nil {
		return "", err
	}
	if !found {
		return command.NotFound, nil
	}
	s, err := standingOf(ctx, tx, project, party)
	switch {
	case err != nil:
		return "", err
	case s.role == "":
		return command.NotFound, nil
	case !s.role.Has(least):
		return "", tooLow(least)
	case s.state != active:
		return Archived, nil
	}
	return "", nil
}

// Use is an amount of usage.
type Use struct {
	Started                      int64 // runs, a retry as one more
	Succeeded, Failed, Cancelled int64 // of those
	Took                         time.Duration
}

// Count adds to a project's usage. Whoever starts runs of a project (where they
// are queued, or queued again) or ends them counts that in the same
// transaction, as the last row that it locks; a project is deleted only when as
// many have ended as were started.
func Count(ctx context.Context, tx pgx.Tx, project uuid.UUID, u Use) error {
	return addUse(ctx, tx, project, u)
}

// standing is what a party is in a project; the role of others is "".
type standing struct {
	role  Role
	state State
}

// tooLow is the answer to a member whose role does not suffice.
func tooLow(least Role) error {
	return fault.Newf(fault.Forbidden, "this takes the role %s in the project, or one above it", least)
}
