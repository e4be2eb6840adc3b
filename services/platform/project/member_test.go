package project_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/project"
)

// TestRoles tries every change of every member by everybody. A capital names
// who acts on themselves.
func TestRoles(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	owner, _ := f.party("owner")
	roles := []project.Role{"", project.Viewer, project.Member, project.Maintainer, project.Owner}
	type change struct{ Actor, From, To project.Role }
	may := map[change]bool{}
	for _, from := range roles {
		for _, to := range roles {
			may[change{project.Owner, from, to}] = from != "" || to != ""
		}
	}
	for _, from := range roles[:3] {
		for _, to := range roles[:3] {
			may[change{project.Maintainer, from, to}] = from != "" || to != ""
		}
	}
	apply := func(actor context.Context, id, party uuid.UUID, to project.Role) (command.Result[command.None], error) {
		c := on(id, f.revision(owner, id))
		if to == "" {
			return f.RemoveMember(actor, c, party)
		}
		return f.SetMember(actor, c, party, to)
	}
	check := func(c change, r command.Result[command.None], err error, allowed bool) {
		t.Helper()
		got, want := "applied", "applied"
		switch {
		case fault.CodeOf(err) == fault.Forbidden:
			got = "forbidden"
		case err != nil || r.Rejection != "":
			got = string(r.Rejection) + " " + string(fault.CodeOf(err))
		}
		switch {
		case c.Actor == "":
			want = "not_found "
		case c.From == "" && c.To == "" && c.Actor.Has(project.Maintainer):
			want = "not_found " // nobody is there to be removed
		case !allowed:
			want = "forbidden"
		}
		if got != want {
			t.Errorf("%q turns %q into %q: %s, want %s", c.Actor, c.From, c.To, got, want)
		}
	}
	id := f.project(owner, "tides")
	for _, actor := range roles {
		actorCtx, actorID := f.party("actor-" + string(actor) + "x")
		if actor != "" {
			f.member(owner, id, actorID, actor)
		}
		for _, from := range roles {
			_, party := f.party("p" + string(actor) + "-" + string(from) + "x")
			for _, to := range roles {
				// Whatever became of the party before, it is what it is to be.
				if from == "" {
					_, _ = apply(owner, id, party, project.Viewer)
					_, _ = apply(owner, id, party, "")
				} else {
					f.member(owner, id, party, from)
				}
				c := change{actor, from, to}
				r, err := apply(actorCtx, id, party, to)
				check(c, r, err, may[c])
			}
		}
		// Oneself: everybody may take a lower role, and nobody a higher one.
		for _, to := range roles {
			if actor == "" {
				continue
			}
			f.member(owner, id, actorID, actor)
			r, err := apply(actorCtx, id, actorID, to)
			check(change{actor, actor, to}, r, err, actor == project.Owner || !to.Has(actor))
		}
	}
	for _, low := range []project.Role{project.Viewer, project.Member, project.Maintainer} {
		ctx, party := f.party("low-" + string(low))
		f.member(owner, id, party, low)
		c := func() command.Command { return on(id, f.revision(owner, id)) }
		name := "n"
		wantUpdate := fault.Forbidden
		if low == project.Maintainer {
			wantUpdate = ""
		}
		for what, call := range map[string]struct {
			err  error
			want fault.Code
		}{
			"update":  {second(f.Update(ctx, c(), project.Change{Name: &name})), wantUpdate},
			"archive": {second(f.Archive(ctx, c())), fault.Forbidden},
			"restore": {second(f.Restore(ctx, c())), fault.Forbidden},
			"delete":  {second(f.Delete(ctx, c())), fault.Forbidden},
			"get":     {second(f.Get(ctx, id)), ""},
			"usage":   {second(f.Usage(ctx, id)), ""},
		} {
			if got := fault.CodeOf(call.err); got != call.want {
				t.Errorf("%s by a %s: %q, want %q", what, low, got, call.want)
			}
		}
	}
}

func TestUnknownParty(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ada, adaID := f.party("ada")
	_, gone := f.party("gone")
	if _, err := f.pool.Exec(t.Context(), "UPDATE platform.party SET state = 'deactivated' WHERE id = $1", gone); err != nil {
		t.Fatal(err)
	}
	id := f.project(ada, "tides")
	for _, party := range []uuid.UUID{uuid.New(), gone} {
		r, err := f.SetMember(ada, on(id, 1), party, project.Viewer)
		step(t, "add nobody", r, err, 1, 422, "unknown_party")
	}
	r, err := f.SetMember(ada, on(id, 1), adaID, project.Viewer)
	step(t, "demote the last owner", r, err, 1, 422, "last_owner")
	r, err = f.RemoveMember(ada, on(id, 1), adaID)
	step(t, "remove the last owner", r, err, 1, 422, "last_owner")
	r, err = f.SetMember(ada, on(id, 1), adaID, project.Owner)
	step(t, "the last owner stays one", r, err, 2, 200, "")
}

// TestLastOwner lets all owners leave or step down at once, each at the
// revision that is the current one by then: one of them has to stay.
func TestLastOwner(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	const owners = 8
	ada, adaID := f.party("ada")
	type owner struct {
		ctx context.Context
		id  uuid.UUID
	}
	all := []owner{{ada, adaID}}
	for n := range owners - 1 {
		ctx, id := f.party("owner" + string(rune('a'+n)))
		all = append(all, owner{ctx, id})
	}
	for round := range 4 {
		id := f.project(ada, "tides-"+string(rune('a'+round)))
		for _, o := range all[1:] {
			f.member(ada, id, o.id, project.Owner)
		}
		results := make(chan command.Rejection)
		for n, o := range all {
			go func() {
				for revision := int64(owners); ; {
					var r command.Result[command.None]
					var err error
					if n%2 == 0 {
						r, err = f.RemoveMember(o.ctx, on(id, revision), o.id)
					} else {
						r, err = f.SetMember(o.ctx, on(id, revision), o.id, project.Viewer)
					}
					if err != nil {
						t.Error(err)
					}
					if revision = r.Version; err != nil || r.Rejection != command.StaleRevision {
						results <- r.Rejection
						return
					}
				}
			}()
		}
		got := map[command.Rejection]int{}
		for range all {
			got[<-results]++
		}
		if d := cmp.Diff(map[command.Rejection]int{"": owners - 1, "last_owner": 1}, got); d != "" {
			t.Errorf("round %d (-want +got):\n%s", round, d)
		}
	}
}
