package project

import (
	"net/http"
	"time"

	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/services/platform/command"
)

func projectTo(p Project) platformapi.ProjectModel {
	return platformapi.ProjectModel{
		ID: p.ID.String(), Slug: p.Slug, Name: p.Name, Description: p.Description,
		State: platformapi.ProjectStateModel(p.State), Role: platformapi.ProjectRoleModel(p.Role), Members: int64(p.Members),
		Revision: p.Revision, CreatedBy: p.CreatedBy.String(), CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
}

func projectsTo(projects []Project, next *string) platformapi.ProjectPageModel {
	m := platformapi.ProjectPageModel{Items: make([]platformapi.ProjectModel, len(projects)), NextCursor: next}
	for i, p := range projects {
		m.Items[i] = projectTo(p)
	}
	return m
}

func membersTo(members []Membership, next *string) platformapi.MemberPageModel {
	m := platformapi.MemberPageModel{Items: make([]platformapi.MemberModel, len(members)), NextCursor: next}
	for i, member := range members {
		m.Items[i] = platformapi.MemberModel{
			PartyID: member.Party.String(), Username: member.Username, DisplayName: member.Name,
			Role: platformapi.ProjectRoleModel(member.Role), AddedAt: member.AddedAt,
		}
	}
	return m
}

func usageTo(u Usage) platformapi.ProjectUsageModel {
	return platformapi.ProjectUsageModel{
		ProjectID: u.Project.String(), Members: int64(u.Members), RunSeconds: int64(u.Took / time.Second), MeasuredAt: u.At,
		Runs: platformapi.RunCountsModel{
			Started: u.Started, Unfinished: u.Unfinished(), Succeeded: u.Succeeded, Failed: u.Failed, Cancelled: u.Cancelled,
		},
	}
}

// outcome is the reply to a command that tells no more than what became of it.
type outcome command.Outcome

func (o outcome) write(w http.ResponseWriter) error { return command.Outcome(o).Write(w, "") }

// VisitCreateProjectResponse implements platformapi.CreateProjectResponseObject.
func (o outcome) VisitCreateProjectResponse(w http.ResponseWriter) error { return o.write(w) }

// VisitUpdateProjectResponse implements platformapi.UpdateProjectResponseObject.
func (o outcome) VisitUpdateProjectResponse(w http.ResponseWriter) error { return o.write(w) }

// VisitDeleteProjectResponse implements platformapi.DeleteProjectResponseObject.
func (o outcome) VisitDeleteProjectResponse(w http.ResponseWriter) error { return o.write(w) }

// VisitArchiveProjectResponse implements platformapi.ArchiveProjectResponseObject.
func (o outcome) VisitArchiveProjectResponse(w http.ResponseWriter) error { return o.write(w) }

// VisitRestoreProjectResponse implements platformapi.RestoreProjectResponseObject.
func (o outcome) VisitRestoreProjectResponse(w http.ResponseWriter) error { return o.write(w) }

// VisitSetProjectMemberResponse implements platformapi.SetProjectMemberResponseObject.
func (o outcome) VisitSetProjectMemberResponse(w http.ResponseWriter) error { return o.write(w) }

// VisitRemoveProjectMemberResponse implements platformapi.RemoveProjectMemberResponseObject.
func (o outcome) VisitRemoveProjectMemberResponse(w http.ResponseWriter) error { return o.write(w) }
