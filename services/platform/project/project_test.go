package project_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/page"
	"github.com/pharos-mcp/pharos/services/platform/project"
)

// clause: E-41
func TestLife(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ada, adaID := f.party("ada")
	bob, _ := f.party("bob")
	create := on(uuid.New(), 0)
	id := create.ID
	content := project.Content{Slug: "tides", Name: "Tides", Description: "Models."}
	want := project.Project{
		ID: id, Slug: "tides", Name: "Tides", Description: "Models.", State: "active", Role: project.Owner, Members: 1, Revision: 1,
		CreatedBy: adaID, CreatedAt: noon, UpdatedAt: noon,
	}
	for range 2 {
		r, err := f.Create(ada, create, content)
		step(t, "create", r, err, 1, 201, "")
		if d := cmp.Diff(want, r.Value); d != "" {
			t.Errorf("created (-want +got):\n%s", d)
		}
	}
	again, err := f.Create(ada, on(id, 0), content)
	step(t, "create once more", again, err, 1, 409, "already_exists")
	again, err = f.Create(bob, on(id, 0), content)
	step(t, "create as a stranger, who is told no revision", again, err, 0, 409, "already_exists")
	again, err = f.Create(ada, on(id, 1), content)
	step(t, "create at a revision", again, err, 1, 409, "stale_revision")
	again, err = f.Create(ada, on(uuid.New(), 1), content)
	step(t, "create at the revision of nothing", again, err, 0, 409, "stale_revision")
	again, err = f.Create(ada, on(uuid.New(), 0), content)
	step(t, "create under the slug", again, err, 0, 409, "slug_taken")
	again, err = f.Create(bob, on(uuid.New(), 0), content)
	step(t, "create under the slug, as another", again, err, 1, 201, "")

	name, text := "Tides and waves", ""
	r, err := f.Update(ada, on(id, 0), project.Change{Name: &name})
	step(t, "update at an old revision", r, err, 1, 409, "stale_revision")
	r, err = f.Update(bob, on(id, 1), project.Change{Name: &name})
	step(t, "update as a stranger", r, err, 0, 404, "not_found")
	r, err = f.Update(ada, on(uuid.New(), 1), project.Change{Name: &name})
	step(t, "update nothing", r, err, 0, 404, "not_found")
	r, err = f.Update(ada, on(id, 1), project.Change{Name: &name})
	step(t, "update the name", r, err, 2, 200, "")
	r, err = f.Update(ada, on(id, 2), project.Change{Description: &text})
	step(t, "update the description", r, err, 3, 200, "")
	r, err = f.Restore(ada, on(id, 3))
	step(t, "restore an active one", r, err, 3, 409, "project_active")
	r, err = f.Delete(ada, on(id, 3))
	step(t, "delete an active one", r, err, 3, 409, "project_active")
	r, err = f.Archive(ada, on(id, 3))
	step(t, "archive", r, err, 4, 200, "")
	r, err = f.Archive(ada, on(id, 4))
	step(t, "archive once more", r, err, 4, 409, "project_archived")
	r, err = f.Update(ada, on(id, 4), project.Change{Name: &text})
	step(t, "update an archived one", r, err, 4, 409, "project_archived")
	r, err = f.SetMember(ada, on(id, 4), adaID, project.Owner)
	step(t, "set a member of an archived one", r, err, 4, 409, "project_archived")
	r, err = f.RemoveMember(ada, on(id, 4), adaID)
	step(t, "leave an archived one", r, err, 4, 409, "project_archived")
	want.Name, want.Description, want.State, want.Revision = name, text, "archived", 4
	got, err := f.Get(ada, id)
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("archived (-want +got):\n%s%v", d, err)
	}
	r, err = f.Restore(ada, on(id, 4))
	step(t, "restore", r, err, 5, 200, "")
	r, err = f.Archive(ada, on(id, 5))
	step(t, "archive again", r, err, 6, 200, "")

	if err := f.count(id, project.Use{Started: 2, Failed: 1, Took: 1500 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	r, err = f.Delete(ada, on(id, 6))
	step(t, "delete while a run is left", r, err, 6, 409, "runs_active")
	if err := f.count(id, project.Use{Succeeded: 1, Took: 2600 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	usage, err := f.Usage(ada, id)
	if d := cmp.Diff(project.Usage{
		Project: id, Members: 1, At: noon, Use: project.Use{Started: 2, Succeeded: 1, Failed: 1, Took: 4100 * time.Millisecond},
	}, usage); d != "" || err != nil {
		t.Errorf("usage (-want +got):\n%s%v", d, err)
	}
	if err := f.count(id, project.Use{Cancelled: 1}); err == nil {
		t.Error("more runs end than were started: want an error")
	}
	r, err = f.Delete(ada, on(id, 6))
	step(t, "delete", r, err, 7, 200, "")
	r, err = f.Delete(ada, on(id, 7))
	step(t, "delete once more", r, err, 0, 404, "not_found")
	again, err = f.Create(ada, on(id, 0), content)
	step(t, "create under the deleted identifier", again, err, 0, 409, "already_exists")
	again, err = f.Create(ada, on(uuid.New(), 0), content)
	step(t, "create under the slug that is free again", again, err, 1, 201, "")
	for what, err := range map[string]error{
		"get":     second(f.Get(ada, id)),
		"usage":   second(f.Usage(ada, id)),
		"members": third(f.Members(ada, id, firstPage(t))),
	} {
		if fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%s of a deleted project: %v, want not_found", what, err)
		}
	}
}

func second[T any](_ T, err error) error        { return err }
func third[T, U any](_ T, _ U, err error) error { return err }

func firstPage(t *testing.T) page.Page {
	t.Helper()
	p, err := page.Of(nil, nil, "test")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestLimits fills what is bounded to one below the bound.
func TestLimits(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ada, adaID := f.party("ada")
	id := f.project(ada, "first")
	for _, sql := range []string{
		`INSERT INTO platform.project
		 SELECT gen_random_uuid(), 'filler-' || n, 'n', '', 'active', 1, 1, '` + adaID.String() + `', now(), now()
		 FROM generate_series(2, 199) AS n`,
		`INSERT INTO platform.party
		 SELECT gen_random_uuid(), 'filler' || n, 'n', 'n@example.org', '', 'active', 1, 1, now(), now()
		 FROM generate_series(2, 499) AS n`,
		`INSERT INTO platform.member SELECT '` + id.String() + `', id, 'viewer', now() FROM platform.party WHERE display_name = 'n'`,
		`UPDATE platform.project SET members = 499 WHERE id = '` + id.String() + `'`,
	} {
		if _, err := f.pool.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	f.project(ada, "last")
	r, err := f.Create(ada, on(uuid.New(), 0), project.Content{Slug: "more", Name: "n"})
	step(t, "project 201", r, err, 0, 422, "project_limit")
	_, bobID := f.party("bob")
	_, eveID := f.party("eve")
	f.member(ada, id, bobID, project.Member)
	m, err := f.SetMember(ada, on(id, 2), eveID, project.Member)
	step(t, "member 501", m, err, 2, 422, "member_limit")
	f.member(ada, id, bobID, project.Viewer)
	m, err = f.RemoveMember(ada, on(id, 3), bobID)
	step(t, "one fewer", m, err, 4, 200, "")
	f.member(ada, id, eveID, project.Member)
}

// clause: E-42
func TestLists(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ada, adaID := f.party("ada")
	bob, bobID := f.party("bob")
	var want []uuid.UUID
	for _, slug := range []string{"one", "two", "three", "four", "five"} {
		want = append(want, f.project(ada, slug))
	}
	f.project(bob, "other")
	if r, err := f.Archive(ada, on(want[2], 1)); err != nil || r.Rejection != "" {
		t.Fatal(r, err)
	}
	// All were made at noon, so that their identifiers order them.
	walk := func(state project.State) (got []uuid.UUID) {
		limit, cursor := int64(2), (*string)(nil)
		for {
			p, err := page.Of(&limit, cursor, "test")
			if err != nil {
				t.Fatal(err)
			}
			projects, next, err := f.List(ada, state, p)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range projects {
				got = append(got, p.ID)
			}
			if cursor = next; next == nil {
				return got
			}
		}
	}
	rested := want[2]
	slices.SortFunc(want, func(a, b uuid.UUID) int { return bytes.Compare(b[:], a[:]) })
	if d := cmp.Diff(want, walk("")); d != "" {
		t.Errorf("all (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]uuid.UUID{rested}, walk("archived")); d != "" {
		t.Errorf("archived (-want +got):\n%s", d)
	}
	if got := walk("active"); len(got) != 4 {
		t.Errorf("active: %v, want 4", got)
	}
	id := slices.DeleteFunc(want, func(id uuid.UUID) bool { return id == rested })[0]
	f.member(ada, id, bobID, project.Viewer)
	members, next, err := f.Members(bob, id, firstPage(t))
	wantMembers := []project.Membership{
		{Party: adaID, Username: "ada", Name: "Party ada", Role: project.Owner, AddedAt: noon},
		{Party: bobID, Username: "bob", Name: "Party bob", Role: project.Viewer, AddedAt: noon},
	}
	if adaID.String() > bobID.String() {
		wantMembers[0], wantMembers[1] = wantMembers[1], wantMembers[0]
	}
	if d := cmp.Diff(wantMembers, members); d != "" || next != nil || err != nil {
		t.Errorf("members (-want +got):\n%s%v %v", d, next, err)
	}
	stranger, _ := f.party("eve")
	if _, _, err := f.Members(stranger, id, firstPage(t)); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("members for a stranger: %v, want not_found", err)
	}
}

// clause: E-41
func TestOneSlugOfManyCreations(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ada, _ := f.party("ada")
	results := make(chan command.Rejection)
	for range 8 {
		go func() {
			r, err := f.Create(ada, on(uuid.New(), 0), project.Content{Slug: "tides", Name: "Tides"})
			if err != nil {
				t.Error(err)
			}
			results <- r.Rejection
		}()
	}
	got := map[command.Rejection]int{}
	for range 8 {
		got[<-results]++
	}
	if d := cmp.Diff(map[command.Rejection]int{"": 1, "slug_taken": 7}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
