package project_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/project"
)

// begin begins a transaction that ends with the test.
func (f fixture) begin() pgx.Tx {
	f.t.Helper()
	tx, err := f.pool.Begin(f.t.Context())
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { _ = tx.Rollback(context.Background()) })
	return tx
}

// untilWaiting returns when a transaction waits for a lock, and fails when what
// is to wait is done.
func untilWaiting[T any](f fixture, done <-chan T) {
	f.t.Helper()
	for f.waiting() == 0 {
		select {
		case r := <-done:
			f.t.Fatalf("done without waiting: %v", r)
		default:
		}
	}
}

// waiting counts the transactions that wait for a lock.
func (f fixture) waiting() (n int) {
	f.t.Helper()
	sql := `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
	if err := f.pool.QueryRow(f.t.Context(), sql).Scan(&n); err != nil {
		f.t.Fatal(err)
	}
	return n
}

func TestAccess(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ada, adaID := f.party("ada")
	_, bobID := f.party("bob")
	_, eveID := f.party("eve")
	id := f.project(ada, "tides")
	f.member(ada, id, bobID, project.Member)
	for _, rested := range []bool{false, true} {
		if rested {
			if r, err := f.Archive(ada, on(id, 2)); err != nil || r.Rejection != "" {
				t.Fatal(r, err)
			}
		}
		for what, c := range map[string]struct {
			project, party uuid.UUID
			least          project.Role
			role           project.Role
			reason         command.Rejection
			code           fault.Code
		}{
			"the owner":                {id, adaID, project.Owner, project.Owner, "", ""},
			"a member":                 {id, bobID, project.Member, project.Member, "", ""},
			"a member who reads":       {id, bobID, project.Viewer, project.Member, "", ""},
			"a member, not more":       {id, bobID, project.Maintainer, project.Member, "", fault.Forbidden},
			"a stranger":               {id, eveID, project.Viewer, "", command.NotFound, ""},
			"nobody":                   {id, uuid.New(), project.Viewer, "", command.NotFound, ""},
			"a project that is no one": {uuid.New(), adaID, project.Viewer, "", command.NotFound, ""},
		} {
			role, err := project.Access(t.Context(), f.pool, c.project, c.party)
			if role != c.role || (fault.CodeOf(err) == fault.NotFound) != (c.role == "") {
				t.Errorf("access of %s: %q, %v, want %q", what, role, err, c.role)
			}
			if c.reason == "" && c.code == "" && rested {
				c.reason = project.Archived
			}
			tx := f.begin()
			reason, err := project.Enter(t.Context(), tx, c.project, c.party, c.least)
			if reason != c.reason || fault.CodeOf(err) != c.code {
				t.Errorf("entry of %s: %q, %v, want %q, %q", what, reason, err, c.reason, c.code)
			}
			if err := tx.Rollback(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestEnterHoldsTheProject finishes no change of a project while somebody is
// in it, lets others in meanwhile, and nobody afterwards.
func TestEnterHoldsTheProject(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ada, adaID := f.party("ada")
	_, bobID := f.party("bob")
	id := f.project(ada, "tides")
	f.member(ada, id, bobID, project.Member)
	first, second := f.begin(), f.begin()
	for _, tx := range []pgx.Tx{first, second} {
		if reason, err := project.Enter(t.Context(), tx, id, bobID, project.Member); reason != "" || err != nil {
			t.Fatal(reason, err)
		}
	}
	done := make(chan command.Result[command.None])
	go func() {
		r, err := f.RemoveMember(ada, on(id, 2), bobID)
		if err != nil {
			t.Error(err)
		}
		done <- r
	}()
	untilWaiting(f, done)
	if err := first.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if f.waiting() != 1 {
		t.Error("the member was removed while it was in the project")
	}
	if err := second.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	step(t, "remove", <-done, nil, 3, 200, "")
	if reason, err := project.Enter(t.Context(), f.begin(), id, bobID, project.Member); reason != command.NotFound || err != nil {
		t.Errorf("enter afterwards: %q, %v, want %s", reason, err, command.NotFound)
	}
	if _, err := project.Access(t.Context(), f.pool, id, adaID); err != nil {
		t.Error(err)
	}
}

// TestEnterSeesWhatItWaitedFor enters while the caller is being removed.
func TestEnterSeesWhatItWaitedFor(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ada, _ := f.party("ada")
	_, bobID := f.party("bob")
	id := f.project(ada, "tides")
	f.member(ada, id, bobID, project.Member)
	removal := f.begin()
	for _, sql := range []string{
		"SELECT id FROM platform.project WHERE id = $1 FOR NO KEY UPDATE",
		"DELETE FROM platform.member WHERE project_id = $1 AND role = 'member'",
	} {
		if _, err := removal.Exec(t.Context(), sql, id); err != nil {
			t.Fatal(err)
		}
	}
	done := make(chan command.Rejection)
	tx := f.begin()
	go func() {
		reason, err := project.Enter(t.Context(), tx, id, bobID, project.Member)
		if err != nil {
			t.Error(err)
		}
		done <- reason
	}()
	untilWaiting(f, done)
	if err := removal.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := <-done; got != command.NotFound {
		t.Errorf("entered with %q, want %s", got, command.NotFound)
	}
}
