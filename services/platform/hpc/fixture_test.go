package hpc_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/platform/hpc"
)

// noon is when everything is measured.
var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// fixture is the queues of a database of its own.
type fixture struct {
	*hpc.Queues
	pool *pgxpool.Pool
	t    *testing.T
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	pool := pgtest.Database(t, "platform")
	return fixture{hpc.New(pool, func() time.Time { return noon }), pool, t}
}

// runs puts runs into a queue, so many in a state. What else a run belongs to
// is of no account here and missing: foreign keys are not checked.
func (f fixture) runs(queue, state string, n int) {
	f.t.Helper()
	f.do(`SET LOCAL session_replication_role = replica`, nil, `
INSERT INTO platform.run (id, project_id, pipeline_id, version, queue, parameters, state, reason, revision, attempt, taken,
    steps, steps_done, executor_id, lease, submitted_by, created_at, queued_at, finished_at)
SELECT gen_random_uuid(), @other, @other, 1, @queue, '{}', @state::text, '', 1, 1, 0, 1, 0,
    CASE WHEN @state IN ('running', 'cancelling') THEN @other::uuid END,
    CASE WHEN @state IN ('running', 'cancelling') THEN @other::uuid END, @other, @now, @now,
    CASE WHEN @state = 'cancelled' THEN @now::timestamptz END
FROM generate_series(1, @n::integer)`,
		pgx.NamedArgs{"queue": queue, "state": state, "n": n, "other": uuid.New(), "now": noon})
}

// do runs statements in one transaction, each followed by its arguments.
func (f fixture) do(statements ...any) {
	f.t.Helper()
	err := pgx.BeginFunc(f.t.Context(), f.pool, func(tx pgx.Tx) error {
		for i := 0; i < len(statements); i += 2 {
			arguments, _ := statements[i+1].(pgx.NamedArgs)
			if _, err := tx.Exec(f.t.Context(), statements[i].(string), arguments); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		f.t.Fatal(err)
	}
}
