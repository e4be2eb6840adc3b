package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/scenario"
)

// clause: P-50
func TestPublishedNeverChanges(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.publish()
	must(t)(f.NewVersion(f.ctx(), ada, tale, 1))
	must(t)(f.CreateNode(f.ctx(), ada, tale, 2, scene("mill")))
	f.unchanged("a refusal", func() {
		text := "version 1 is published and never changes; make a new version"
		_, err := f.CreateNode(f.ctx(), ada, tale, 1, scene("mill"))
		refused(t, "create", err, fault.Conflict, text)
		_, err = f.UpdateNode(f.ctx(), ada, tale, 1, "yard", 1, scenario.NodeContent{Kind: "scene", Title: "T"})
		refused(t, "update", err, fault.Conflict, text)
		refused(t, "delete", f.DeleteNode(f.ctx(), ada, tale, 1, "yard", 1), fault.Conflict, text)
		if _, err = f.CreateNode(f.ctx(), ada, tale, 1, scene("yard")); err != nil {
			t.Errorf("the node that there is, again: %v", err)
		}
	})
	// Nor by statements of whatever kind.
	for _, sql := range []string{
		"UPDATE play.scenario_version SET status = 'draft', published_at = NULL WHERE version = 1",
		"UPDATE play.scenario_version SET revision = revision + 1 WHERE version = 1",
		"DELETE FROM play.scenario_version WHERE version = 1",
		"UPDATE play.node SET title = 'T' WHERE version = 1",
		"UPDATE play.node SET version = 2, id = 'moved' WHERE version = 1",
		"UPDATE play.node SET version = 1 WHERE version = 2 AND id = 'mill'",
		"DELETE FROM play.node WHERE version = 1",
		`INSERT INTO play.node (scenario_id, version, id, kind, position, title, body, gm_notes, revision, created_at, updated_at)
			SELECT scenario_id, 1, 'more', kind, position, title, body, gm_notes, revision, created_at, updated_at
			FROM play.node WHERE id = 'mill'`,
	} {
		f.unchanged(sql, func() {
			_, err := f.pool.Exec(f.ctx(), sql)
			refusedByDatabase(t, sql, err)
		})
	}
	f.exec("UPDATE play.node SET title = 'T' WHERE version = 2")
	f.exec("DELETE FROM play.node WHERE version = 2")
}

// refusedByDatabase sees that it was one of the triggers.
func refusedByDatabase(t *testing.T, sql string, err error) {
	t.Helper()
	e, ok := errors.AsType[*pgconn.PgError](err)
	if !ok || e.Code != "23000" ||
		e.ConstraintName != "published_version_unchanged" && e.ConstraintName != "published_node_unchanged" {
		t.Errorf("%s: %v", sql, err)
	}
}

// TestPublishedMeanwhile changes a node by a statement that begins before its
// version is published and goes on after it.
func TestPublishedMeanwhile(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write()
	publishing, err := f.pool.Begin(f.ctx())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = publishing.Rollback(context.WithoutCancel(f.ctx())) }()
	if _, err := publishing.Exec(f.ctx(), "UPDATE play.scenario_version SET status = 'published', published_at = now()"); err != nil {
		t.Fatal(err)
	}
	changed := make(chan error, 1)
	go func() {
		_, err := f.pool.Exec(f.ctx(), "UPDATE play.node SET title = 'T'")
		changed <- err
	}()
	f.waits(changed)
	if err := publishing.Commit(f.ctx()); err != nil {
		t.Fatal(err)
	}
	refusedByDatabase(t, "the update", <-changed)
}

// waits returns when a statement waits for a lock, and fails the test where it
// ends without.
func (f *fixture) waits(ended <-chan error) {
	f.t.Helper()
	for waiting := false; !waiting; {
		select {
		case err := <-ended:
			f.t.Fatalf("it did not wait: %v", err)
		default:
		}
		err := f.pool.QueryRow(f.ctx(), `SELECT EXISTS (SELECT FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock')`).Scan(&waiting)
		if err != nil {
			f.t.Fatal(err)
		}
	}
}

// TestKept sees that nothing else of what holds always can be broken.
func TestKept(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.publish()
	must(t)(f.NewVersion(f.ctx(), ada, tale, 1))
	for sql, constraint := range map[string]string{
		"UPDATE play.scenario_version SET status = 'published' WHERE version = 2": "scenario_version_published_at",
		"UPDATE play.scenario_version SET status = 'other' WHERE version = 2":     "scenario_version_status_known",
		"UPDATE play.node SET version = 3 WHERE version = 2":                      "node_version_fkey",
		"UPDATE play.node SET kind = 'song' WHERE version = 2":                    "node_kind_known",
		"UPDATE play.node SET id = E'a\\nb' WHERE version = 2":                    "node_id_slug",
		"UPDATE play.scenario SET language = 'de'":                                "scenario_language_known",
		"DELETE FROM play.scenario":                                               "scenario_version_scenario_fkey",
		fmt.Sprintf("UPDATE play.scenario SET owner_id = '%s'", uuid.New()):       "scenario_owner_fkey",
	} {
		err := pgx.BeginFunc(f.ctx(), f.pool, func(tx pgx.Tx) error {
			_, err := tx.Exec(f.ctx(), sql)
			return err
		})
		if e, ok := errors.AsType[*pgconn.PgError](err); !ok || e.ConstraintName != constraint {
			t.Errorf("%s: %v, want %s", sql, err, constraint)
		}
	}
}
