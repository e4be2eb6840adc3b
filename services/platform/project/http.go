package project

import (
	"context"

	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

// ListProjects gives a page of the caller's projects.
func (p *Projects) ListProjects(
	ctx context.Context, r platformapi.ListProjectsRequestObject,
) (platformapi.ListProjectsResponseObject, error) {
	var state State
	if r.Params.State != nil {
		state = State(*r.Params.State)
	}
	page, err := page.Of(r.Params.Limit, r.Params.Cursor, page.Kind("projects", state))
	if err != nil {
		return nil, err
	}
	projects, next, err := p.List(ctx, state, page)
	if err != nil {
		return nil, err
	}
	return platformapi.ListProjects200JSONResponse(projectsTo(projects, next)), nil
}

// GetProject gives one project.
func (p *Projects) GetProject(
	ctx context.Context, r platformapi.GetProjectRequestObject,
) (platformapi.GetProjectResponseObject, error) {
	id, err := command.ID("id", r.ID)
	if err != nil {
		return nil, err
	}
	project, err := p.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	return platformapi.GetProject200JSONResponse{
		Body: projectTo(project), Headers: platformapi.GetProject200ResponseHeaders{ETag: command.ETag(project.Revision)},
	}, nil
}

// GetProjectUsage gives what one project used.
func (p *Projects) GetProjectUsage(
	ctx context.Context, r platformapi.GetProjectUsageRequestObject,
) (platformapi.GetProjectUsageResponseObject, error) {
	id, err := command.ID("id", r.ID)
	if err != nil {
		return nil, err
	}
	usage, err := p.Usage(ctx, id)
	if err != nil {
		return nil, err
	}
	return platformapi.GetProjectUsage200JSONResponse(usageTo(usage)), nil
}

// ListProjectMembers gives a page of a project's members.
func (p *Projects) ListProjectMembers(
	ctx context.Context, r platformapi.ListProjectMembersRequestObject,
) (platformapi.ListProjectMembersResponseObject, error) {
	id, err := command.ID("id", r.ID)
	if err != nil {
		return nil, err
	}
	page, err := page.Of(r.Params.Limit, r.Params.Cursor, page.Kind("members", id))
	if err != nil {
		return nil, err
	}
	members, next, err := p.Members(ctx, id, page)
	if err != nil {
		return nil, err
	}
	return platformapi.ListProjectMembers200JSONResponse(membersTo(members, next)), nil
}

// CreateProject makes a project.
func (p *Projects) CreateProject(
	ctx context.Context, r platformapi.CreateProjectRequestObject,
) (platformapi.CreateProjectResponseObject, error) {
	c, err := command.Of("createProject", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	content := Content{Slug: r.Body.Slug, Name: r.Body.Name}
	if r.Body.Description != nil {
		content.Description = *r.Body.Description
	}
	made, err := p.Create(ctx, c, content)
	if err != nil {
		return nil, err
	}
	if made.Rejection != "" {
		return outcome(made.Outcome), nil
	}
	return platformapi.CreateProject201JSONResponse{
		Body: projectTo(made.Value), Headers: platformapi.CreateProject201ResponseHeaders{ETag: command.ETag(made.Version)},
	}, nil
}

// UpdateProject changes a project's texts.
func (p *Projects) UpdateProject(
	ctx context.Context, r platformapi.UpdateProjectRequestObject,
) (platformapi.UpdateProjectResponseObject, error) {
	c, err := command.Of("updateProject", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	done, err := p.Update(ctx, c, Change{r.Body.Name, r.Body.Description})
	return outcome(done.Outcome), err
}

// DeleteProject ends a project.
func (p *Projects) DeleteProject(
	ctx context.Context, r platformapi.DeleteProjectRequestObject,
) (platformapi.DeleteProjectResponseObject, error) {
	c, err := command.Of("deleteProject", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	done, err := p.Delete(ctx, c)
	return outcome(done.Outcome), err
}

// ArchiveProject puts a project to rest.
func (p *Projects) ArchiveProject(
	ctx context.Context, r platformapi.ArchiveProjectRequestObject,
) (platformapi.ArchiveProjectResponseObject, error) {
	c, err := command.Of("archiveProject", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	done, err := p.Archive(ctx, c)
	return outcome(done.Outcome), err
}

// RestoreProject makes an archived project active.
func (p *Projects) RestoreProject(
	ctx context.Context, r platformapi.RestoreProjectRequestObject,
) (platformapi.RestoreProjectResponseObject, error) {
	c, err := command.Of("restoreProject", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	done, err := p.Restore(ctx, c)
	return outcome(done.Outcome), err
}

// SetProjectMember gives a party a role in a project.
func (p *Projects) SetProjectMember(
	ctx context.Context, r platformapi.SetProjectMemberRequestObject,
) (platformapi.SetProjectMemberResponseObject, error) {
	c, err := command.Of("setProjectMember", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	party, err := command.ID("party_id", r.PartyID)
	if err != nil {
		return nil, err
	}
	done, err := p.SetMember(ctx, c, party, Role(r.Body.Role))
	return outcome(done.Outcome), err
}

// RemoveProjectMember takes a party out of a project.
func (p *Projects) RemoveProjectMember(
	ctx context.Context, r platformapi.RemoveProjectMemberRequestObject,
) (platformapi.RemoveProjectMemberResponseObject, error) {
	c, err := command.Of("removeProjectMember", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	party, err := command.ID("party_id", r.PartyID)
	if err != nil {
		return nil, err
	}
	done, err := p.RemoveMember(ctx, c, party)
	return outcome(done.Outcome), err
}
