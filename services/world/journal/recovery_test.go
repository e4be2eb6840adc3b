package journal_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// What was interrupted stays as it is, can be read, and does not go on; only the
// decision ends it, which is kept at once and stands.
//
// clause: W-20, W-22, W-23
func TestRecovery(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	if list := must[[]journal.Operation](t)(d.MarkUnfinished(t.Context(), "")); len(list) != 0 {
		t.Errorf("%+v", list)
	}
	o := d.begin(d.put(plan(4)))
	d.write(o, 0, []int{0}, []int{1})
	d.intend(o, 1, []int{2, 3})
	_, err := d.Abandon(t.Context(), o.ID, digest, "")
	refused(t, err, fault.Invalid, "is applying")
	before := must[[]journal.Slice](t)(d.Slices(t.Context(), o.ID))
	for range 2 {
		list := must[[]journal.Operation](t)(d.MarkUnfinished(t.Context(), "interrupted"))
		if len(list) != 1 || list[0].Status != journal.RecoveryRequired || list[0].Written != 1 {
			t.Errorf("%+v", list)
		}
	}
	if diff := cmp.Diff(before, must[[]journal.Slice](t)(d.Slices(t.Context(), o.ID))); diff != "" {
		t.Error(diff)
	}
	late := journal.Slice{Operation: o.ID, Index: 1, Intent: []int{2, 3}, Written: []int{2, 3}}
	if got, err := d.Confirm(t.Context(), late, nil); !errors.Is(err, journal.ErrStop) || got.Status != journal.RecoveryRequired {
		t.Errorf("somebody confirms late: %+v, %v", got, err)
	}
	for _, status := range []journal.Status{journal.Applied, journal.Conflicted, journal.Cancelled, journal.Failed} {
		if _, err := d.Finish(t.Context(), o.ID, status, ""); err == nil {
			t.Errorf("it ends as %s by itself", status)
		}
	}
	_, err = d.Cancel(t.Context(), o.ID)
	refused(t, err, journal.NeedsRecovery, "a person has to decide")
	if list := must[[]journal.Operation](t)(d.Unfinished(t.Context())); len(list) != 1 {
		t.Errorf("%+v", list)
	}
	for _, bad := range []string{"", digest[:63], digest + "0", "G" + digest[1:]} {
		_, err := d.Abandon(t.Context(), o.ID, bad, "")
		refused(t, err, fault.Invalid, "64")
	}
	for range 2 {
		got := must[journal.Operation](t)(d.Abandon(t.Context(), o.ID, digest, "abandoned by its owner"))
		if got.Status != journal.Failed || !got.UndoOff || got.Digest != digest || got.Reason != "abandoned by its owner" || got.Ended == nil ||
			got.Written != 1 || got.Conflicts != 1 {
			t.Errorf("%+v", got)
		}
	}
	_, err = d.Abandon(t.Context(), o.ID, hash, "")
	refused(t, err, fault.Invalid, "another digest")
	if diff := cmp.Diff(before, must[[]journal.Slice](t)(d.Slices(t.Context(), o.ID))); diff != "" {
		t.Error(diff)
	}
	if list := must[[]journal.Operation](t)(d.Unfinished(t.Context())); len(list) != 0 {
		t.Errorf("%+v", list)
	}
	if list := must[[]journal.Undoable](t)(d.UndoList(t.Context(), "default", 9)); len(list) != 0 {
		t.Errorf("what was abandoned can be undone: %+v", list)
	}
	if _, err := d.Finish(t.Context(), o.ID, journal.Failed, ""); err == nil {
		t.Error("what was abandoned ends as failed again")
	}
	d.built(plan(1))
}

// A process that cannot go on has its operation wait, also before any slice.
//
// clause: W-20
func TestRequireRecovery(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	o := d.begin(d.put(plan(1)))
	for range 2 {
		got := must[journal.Operation](t)(d.RequireRecovery(t.Context(), o.ID, "the disk is full"))
		if got.Status != journal.RecoveryRequired || got.Reason != "the disk is full" || got.Ended != nil {
			t.Errorf("%+v", got)
		}
	}
	if got, err := d.Intent(t.Context(), journal.Slice{Operation: o.ID, Intent: []int{0}}); !errors.Is(err, journal.ErrStop) {
		t.Errorf("a slice begins: %+v, %v", got, err)
	}
	must[journal.Operation](t)(d.Abandon(t.Context(), o.ID, digest, ""))
	if _, err := d.RequireRecovery(t.Context(), o.ID, ""); err == nil {
		t.Error("what has ended waits for a decision")
	}
}

// The database itself keeps what was written as it was, whatever statement comes.
//
// clause: W-20, W-22, W-23
func TestDatabaseKeeps(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	done, abandoned := d.built(plan(2)), d.begin(d.put(plan(2)))
	d.intend(abandoned, 0, []int{0})
	must[journal.Operation](t)(d.RequireRecovery(t.Context(), abandoned.ID, ""))
	for name, sql := range map[string]string{
		"a decision is forgotten":   "UPDATE world.operation SET status = 'applying' WHERE id = $1",
		"a decision is none":        "UPDATE world.operation SET status = 'failed', ended_at = created_at WHERE id = $1",
		"it was applied after all":  "UPDATE world.operation SET status = 'applied', written = total, ended_at = created_at WHERE id = $1",
		"a slice is confirmed late": "UPDATE world.slice SET wrote = '', left_alone = '', confirmed_at = created_at WHERE operation_id = $1",
		"a slice goes":              "DELETE FROM world.slice WHERE operation_id = $1",
		"another slice":             "INSERT INTO world.slice (operation_id, number, intent, created_at) VALUES ($1, 1, '', now())",
	} {
		if err := d.exec(sql, abandoned.ID); !keeps(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	must[journal.Operation](t)(d.Abandon(t.Context(), abandoned.ID, digest, ""))
	if err := d.exec("UPDATE world.operation SET undo_off = false, digest = NULL WHERE id = $1", abandoned.ID); !keeps(err) {
		t.Errorf("what was abandoned can be undone again: %v", err)
	}
	for name, sql := range map[string]string{
		"an end changes":            "UPDATE world.operation SET reason = 'other' WHERE id = $1",
		"an operation begins anew":  "UPDATE world.operation SET status = 'queued', ended_at = NULL WHERE id = $1",
		"an operation goes":         "DELETE FROM world.operation WHERE id = $1",
		"a confirmed slice changes": "UPDATE world.slice SET wrote = '' WHERE operation_id = $1",
		"an intent changes":         "UPDATE world.slice SET intent = '' WHERE operation_id = $1",
		"a plan changes":            "UPDATE world.plan SET changes = '' WHERE id = (SELECT plan_id FROM world.operation WHERE id = $1)",
		"a plan is unused":          "UPDATE world.plan SET used = false WHERE id = (SELECT plan_id FROM world.operation WHERE id = $1)",
		"a used plan is discarded":  "UPDATE world.plan SET discarded_at = now() WHERE id = (SELECT plan_id FROM world.operation WHERE id = $1)",
		"a plan lives shorter":      "UPDATE world.plan SET expires_at = created_at + interval '1 second' WHERE id = (SELECT plan_id FROM world.operation WHERE id = $1)",
		"a used plan goes":          "DELETE FROM world.plan WHERE id = (SELECT plan_id FROM world.operation WHERE id = $1)",
	} {
		if err := d.exec(sql, done.ID); !keeps(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	d.begin(d.put(plan(1)))
	const second = `INSERT INTO world.operation SELECT (jsonb_populate_record(o, jsonb_build_object(
		'id', gen_random_uuid(), 'number', 99, 'key', 'other', 'plan_id', $1::uuid, 'status', $2::text, 'ended_at', NULL))).*
		FROM world.operation AS o WHERE o.ended_at IS NULL`
	for _, status := range []journal.Status{journal.Queued, journal.Applying, journal.RecoveryRequired} {
		if err := d.exec(second, d.put(plan(1)).ID, string(status)); !keeps(err) || !strings.Contains(err.Error(), "operation_unfinished") {
			t.Errorf("a second operation is %s: %v", status, err)
		}
	}
}

// keeps tells that the database refused a statement for what it would do.
func keeps(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && strings.HasPrefix(e.Code, "23")
}
