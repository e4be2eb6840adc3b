package project

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/generated/platformdb"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

// DB is what statements run on: a transaction or a pool of connections.
type DB = platformdb.DBTX

var queries = platformdb.New()

// standingOf gives the zero standing to who is no member.
func standingOf(ctx context.Context, db DB, project, party uuid.UUID) (standing, error) {
	row, err := queries.GetStanding(ctx, db, platformdb.GetStandingParams{ProjectID: project, PartyID: party})
	_, err = pg.Found(err)
	return standing{Role(row.Role), State(row.State)}, err
}

// share holds off changes of a project; false means that there is none.
func share(ctx context.Context, tx pgx.Tx, project uuid.UUID) (bool, error) {
	n, err := queries.ShareProject(ctx, tx, project)
	return n == 1, err
}

// addUse adds to the usage of a project, which must be there.
func addUse(ctx context.Context, tx pgx.Tx, project uuid.UUID, u Use) error {
	n, err := queries.AddUsage(ctx, tx, platformdb.AddUsageParams{
		ProjectID: project, Started: u.Started, Succeeded: u.Succeeded, Failed: u.Failed, Cancelled: u.Cancelled,
		Milliseconds: u.Took.Milliseconds(),
	})
	if err == nil && n != 1 {
		return fmt.Errorf("project %s has no usage to add to", project)
	}
	return err
}

// get gives a project as a party sees it; false stands for no member.
func get(ctx context.Context, db DB, id, party uuid.UUID) (Project, bool, error) {
	row, err := queries.GetProject(ctx, db, platformdb.GetProjectParams{ProjectID: id, PartyID: party})
	found, err := pg.Found(err)
	return projectOf(row), found, err
}

func list(ctx context.Context, db DB, party uuid.UUID, state State, p page.Page) ([]Project, *string, error) {
	from := p.Below()
	rows, err := queries.ListProjects(ctx, db, platformdb.ListProjectsParams{
		PartyID: party, BeforeTime: from.Time, BeforeID: from.ID, State: string(state), PageSize: p.Fetch(),
	})
	if err != nil {
		return nil, nil, err
	}
	rows, next := page.Next(p, rows, func(r platformdb.ListProjectsRow) page.Key {
		return page.Key{Time: r.AddedAt, ID: r.ID}
	})
	projects := make([]Project, 0, len(rows))
	for _, r := range rows {
		projects = append(projects, projectOf(platformdb.GetProjectRow{
			ID: r.ID, Slug: r.Slug, Name: r.Name, Description: r.Description, State: r.State, Members: r.Members,
			Revision: r.Revision, CreatedBy: r.CreatedBy, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, Role: r.Role,
		}))
	}
	return projects, next, nil
}

func projectOf(r platformdb.GetProjectRow) Project {
	return Project{
		ID: r.ID, Slug: r.Slug, Name: r.Name, Description: r.Description, State: State(r.State), Role: Role(r.Role),
		Members: r.Members, Revision: r.Revision, CreatedBy: r.CreatedBy, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
}

// names tells which names of a new project are taken, and how many projects its
// creator has.
type names struct {
	id, slug bool
	projects int64
}

// taken looks at what a party would create, and lets it create nothing else
// meanwhile.
func taken(ctx context.Context, tx pgx.Tx, id, creator uuid.UUID, slug string) (names, error) {
	if _, err := queries.LockParty(ctx, tx, creator); err != nil {
		return names{}, err
	}
	row, err := queries.FindTaken(ctx, tx, platformdb.FindTakenParams{ID: id, CreatedBy: creator, Slug: slug})
	if err != nil {
		return names{}, err
	}
	n, err := queries.CountProjects(ctx, tx, platformdb.CountProjectsParams{CreatedBy: creator, Most: maxProjects})
	return names{row.IDTaken, row.SlugTaken, n}, err
}

// insert writes a new project with its owner; false means that its identifier
// has just been taken.
func insert(ctx context.Context, tx pgx.Tx, p Project) (bool, error) {
	n, err := queries.InsertProject(ctx, tx, platformdb.InsertProjectParams{
		ID: p.ID, Slug: p.Slug, Name: p.Name, Description: p.Description, CreatedBy: p.CreatedBy, CreatedAt: p.CreatedAt,
	})
	if err != nil || n == 0 {
		return false, err
	}
	if err := queries.InsertUsage(ctx, tx, p.ID); err != nil {
		return false, err
	}
	return true, addMember(ctx, tx, p.ID, Membership{Party: p.CreatedBy, Role: p.Role, AddedAt: p.CreatedAt})
}

// lock gives a project as a party sees it, and lets nobody else change it
// meanwhile; false stands for no member.
func lock(ctx context.Context, tx pgx.Tx, id, party uuid.UUID) (Project, bool, error) {
	if err := queries.LockProject(ctx, tx, id); err != nil {
		return Project{}, false, err
	}
	return get(ctx, tx, id, party)
}

// update writes what a command changed, and gives the new revision.
func update(ctx context.Context, tx pgx.Tx, p Project) (int64, error) {
	return queries.UpdateProject(ctx, tx, platformdb.UpdateProjectParams{
		ID: p.ID, Name: p.Name, Description: p.Description, State: string(p.State), Members: p.Members, UpdatedAt: p.UpdatedAt,
	})
}

func listMembers(ctx context.Context, db DB, project uuid.UUID, p page.Page) ([]Membership, *string, error) {
	from := p.Above()
	rows, err := queries.ListMembers(ctx, db, platformdb.ListMembersParams{
		ProjectID: project, AfterTime: from.Time, AfterID: from.ID, PageSize: p.Fetch(),
	})
	if err != nil {
		return nil, nil, err
	}
	rows, next := page.Next(p, rows, func(r platformdb.ListMembersRow) page.Key {
		return page.Key{Time: r.AddedAt, ID: r.PartyID}
	})
	members := make([]Membership, 0, len(rows))
	for _, r := range rows {
		members = append(members, Membership{r.PartyID, r.Username, r.DisplayName, Role(r.Role), r.AddedAt})
	}
	return members, next, nil
}

func addMember(ctx context.Context, tx pgx.Tx, project uuid.UUID, m Membership) error {
	return queries.InsertMember(ctx, tx, platformdb.InsertMemberParams{
		ProjectID: project, PartyID: m.Party, Role: string(m.Role), AddedAt: m.AddedAt,
	})
}

func setRole(ctx context.Context, tx pgx.Tx, project, party uuid.UUID, role Role) error {
	return queries.UpdateMember(ctx, tx, platformdb.UpdateMemberParams{
		ProjectID: project, PartyID: party, Role: string(role),
	})
}

func removeMember(ctx context.Context, tx pgx.Tx, project, party uuid.UUID) error {
	return queries.DeleteMember(ctx, tx, platformdb.DeleteMemberParams{ProjectID: project, PartyID: party})
}

func removeAll(ctx context.Context, tx pgx.Tx, project uuid.UUID) error {
	return queries.DeleteMembers(ctx, tx, project)
}

func hasOtherOwner(ctx context.Context, tx pgx.Tx, project, party uuid.UUID) (bool, error) {
	return queries.HasOtherOwner(ctx, tx, platformdb.HasOtherOwnerParams{ProjectID: project, PartyID: party})
}

func isParty(ctx context.Context, tx pgx.Tx, id uuid.UUID) (bool, error) {
	return queries.IsParty(ctx, tx, id)
}

func use(ctx context.Context, db DB, project uuid.UUID) (Use, error) {
	row, err := queries.GetUsage(ctx, db, project)
	return Use{
		Started: row.Started, Succeeded: row.Succeeded, Failed: row.Failed, Cancelled: row.Cancelled,
		Took: time.Duration(row.Milliseconds) * time.Millisecond,
	}, err
}
