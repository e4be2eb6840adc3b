package project

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

// Members gives a page of the members of a project, the first joined first.
func (p *Projects) Members(ctx context.Context, id uuid.UUID, page page.Page) ([]Membership, *string, error) {
	if _, err := Access(ctx, p.pool, id, access.From(ctx).Party); err != nil {
		return nil, nil, err
	}
	return listMembers(ctx, p.pool, id, page)
}

// SetMember makes a party a member of a project, or gives a member another
// role. Owners give every role; maintainers make members and viewers out of
// others that are no more than that; everybody may take a lower role.
func (p *Projects) SetMember(
	ctx context.Context, c command.Command, party uuid.UUID, role Role,
) (result, error) {
	request := struct {
		Party uuid.UUID
		Role  Role
	}{party, role}
	return p.change(ctx, c, request, Viewer, func(
		ctx context.Context, tx pgx.Tx, project *Project, now time.Time,
	) (command.Rejection, error) {
		from, reason, err := p.turn(ctx, tx, project, party, role)
		if err != nil || reason != "" {
			return reason, err
		}
		if from != "" {
			return "", setRole(ctx, tx, project.ID, party, role)
		}
		switch known, err := isParty(ctx, tx, party); {
		case err != nil:
			return "", err
		case !known:
			return unknownParty, nil
		}
		if project.Members >= maxMembers {
			return memberLimit, nil
		}
		project.Members++
		return "", addMember(ctx, tx, project.ID, Membership{Party: party, Role: role, AddedAt: now})
	})
}

// RemoveMember takes a party out of a project: owners everybody, maintainers
// members and viewers, and everybody oneself.
func (p *Projects) RemoveMember(ctx context.Context, c command.Command, party uuid.UUID) (result, error) {
	return p.change(ctx, c, party, Viewer, func(
		ctx context.Context, tx pgx.Tx, project *Project, _ time.Time,
	) (command.Rejection, error) {
		from, reason, err := p.turn(ctx, tx, project, party, "")
		switch {
		case err != nil || reason != "":
			return reason, err
		case from == "":
			return command.NotFound, nil
		}
		project.Members--
		return "", removeMember(ctx, tx, project.ID, party)
	})
}

// turn tells from which role a party is turned into another, and whether the
// caller may do that; "" stands for no membership.
func (p *Projects) turn(
	ctx context.Context, tx pgx.Tx, project *Project, party uuid.UUID, to Role,
) (from Role, reason command.Rejection, err error) {
	s, err := standingOf(ctx, tx, project.ID, party)
	if err != nil {
		return "", "", err
	}
	stepsDown := party == access.From(ctx).Party && !to.Has(s.role)
	if !stepsDown && !project.Role.mayGive(s.role, to) {
		return "", "", fault.Newf(fault.Forbidden, "the role %s in the project does not allow that", project.Role)
	}
	if project.State == archived {
		return "", Archived, nil
	}
	if s.role == Owner && to != Owner {
		other, err := hasOtherOwner(ctx, tx, project.ID, party)
		if err != nil {
			return "", "", err
		}
		if !other {
			return "", lastOwner, nil
		}
	}
	return s.role, "", nil
}
