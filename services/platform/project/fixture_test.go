package project_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/platformdb"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/project"
)

// noon is when everything happens.
var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// fixture is the projects of a database of its own.
type fixture struct {
	*project.Projects
	pool *pgxpool.Pool
	t    *testing.T
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	pool := pgtest.Database(t, "platform")
	now := func() time.Time { return noon }
	return fixture{project.New(pool, command.NewDoor(pool, now), now), pool, t}
}

// party registers a party and gives the context of its calls.
func (f fixture) party(name string) (context.Context, uuid.UUID) {
	f.t.Helper()
	id := uuid.New()
	err := platformdb.New().InsertParty(f.t.Context(), f.pool, platformdb.InsertPartyParams{
		ID: id, Username: name, DisplayName: "Party " + name, Email: name + "@example.org", State: "active", CreatedAt: noon,
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return access.With(f.t.Context(), access.Principal{Party: id, AuthVersion: 1}), id
}

// project makes a project.
func (f fixture) project(ctx context.Context, slug string) uuid.UUID {
	f.t.Helper()
	c := on(uuid.New(), 0)
	r, err := f.Create(ctx, c, project.Content{Slug: slug, Name: "Project " + slug})
	if err != nil || r.Status != 201 {
		f.t.Fatalf("project %s: %+v, %v", slug, r, err)
	}
	return c.ID
}

// member gives a party a role at whatever revision the project has.
func (f fixture) member(owner context.Context, id, party uuid.UUID, role project.Role) {
	f.t.Helper()
	r, err := f.SetMember(owner, on(id, f.revision(owner, id)), party, role)
	if err != nil || r.Status != 200 {
		f.t.Fatalf("member %s %s: %+v, %v", party, role, r, err)
	}
}

// count adds to a project's usage as one that starts and ends runs does.
func (f fixture) count(id uuid.UUID, u project.Use) error {
	return pgx.BeginFunc(f.t.Context(), f.pool, func(tx pgx.Tx) error {
		return project.Count(f.t.Context(), tx, id, u)
	})
}

func (f fixture) revision(ctx context.Context, id uuid.UUID) int64 {
	f.t.Helper()
	p, err := f.Get(ctx, id)
	if err != nil {
		f.t.Fatal(err)
	}
	return p.Revision
}

// on is a new command on a project at a revision.
func on(id uuid.UUID, revision int64) command.Command {
	return command.Command{Operation: "test", ID: id, Key: uuid.New(), Expected: revision}
}

// step checks what became of a command: its version, its status and its
// rejection, or the code of the fault.
func step[T any](t *testing.T, what string, r command.Result[T], err error, version int64, status int, reason string) {
	t.Helper()
	got := fmt.Sprint(r.Version, " ", r.Status, " ", r.Rejection)
	if err != nil {
		got = fmt.Sprint("0 ", fault.CodeOf(err).Status(), " ", fault.CodeOf(err))
	}
	if d := cmp.Diff(fmt.Sprint(version, " ", status, " ", reason), got); d != "" {
		t.Errorf("%s (-want +got): %s%v", what, d, err)
	}
}
