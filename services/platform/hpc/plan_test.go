package hpc_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// TestPlan counts a queue's runs by the indexes of run alone: a queue costs
// what is in it, not what has been.
func TestPlan(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.runs("long", "queued", 300)
	f.runs("short", "queued", 300)
	f.runs("short", "running", 3)
	f.runs("short", "cancelled", 2000)
	f.do(`ANALYZE`, nil)
	for condition, index := range map[string]string{
		"r.state = 'queued'": "run_queued", "r.executor_id IS NOT NULL": "run_going_on",
	} {
		rows, err := f.pool.Query(t.Context(), `
EXPLAIN SELECT (SELECT count(*) FROM platform.run AS r WHERE r.queue = q.name AND `+condition+`)
FROM platform.hpc_queue AS q WHERE q.name = 'short'`)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		plan := strings.Join(lines, "\n")
		if !strings.Contains(plan, index) || !strings.Contains(plan, "Index Cond: (queue = q.name)") {
			t.Errorf("the runs where %s are not found by %s:\n%s", condition, index, plan)
		}
	}
}
