package queries_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// small are the tables that do not grow with use: a statement may read all of
// one.
var small = map[string]string{
	"platform.aup_version":   "a few texts in the life of an installation",
	"platform.hpc_queue":     "what an installation has",
	"platform.hpc_partition": "what an installation has",
}

// sorting are the statements that may sort what they read, by owner and name.
var sorting = map[string]string{
	"platform.ListLiveExecutors":    "the processes that live at a time",
	"platform.ListPipelines":        "a page of each project of one party",
	"platform.ListPipelinesInState": "a page of each project of one party",
	"platform.ListRuns":             "a page of each project of one party",
	"platform.ListRunsInState":      "a page of each project of one party",
	"play.ListMaterialTitles":       "the nodes of one assignment, a hundred at most",
	"play.ListMaterials":            "the nodes of one assignment, a hundred at most",
	"play.SearchByGrams":            "the events of one session that have what is looked for",
}

// planned are the statements that have a plan, which LOCK TABLE has not.
var planned = regexp.MustCompile(`(?m)^(SELECT|INSERT|UPDATE|DELETE|MERGE|WITH)\b`)

// without are the ways that a plan takes only where there is no other. What then
// still reads or sorts all that a growing table has, has no index that serves it.
var without = []string{"enable_seqscan", "enable_sort", "enable_hashjoin", "enable_mergejoin", "enable_material"}

// TestPlans plans every statement, for any value of its parameters, on tables
// with rows.
func TestPlans(t *testing.T) {
	t.Parallel()
	for _, owner := range owners(t) {
		t.Run(owner, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.Database(t, owner)
			fill(t, pool, owner)
			indexes := describeIndexes(t, pool)
			unused := maps.Clone(sorting)
			for _, s := range statements(t, owner) {
				if !planned.MatchString(s.sql) {
					continue
				}
				reads, sorts := indexes.problems(explain(t, pool, s))
				if _, may := sorting[owner+"."+s.name]; may && len(sorts) > 0 {
					delete(unused, owner+"."+s.name)
					sorts = nil
				}
				for _, problem := range append(reads, sorts...) {
					t.Errorf("%s %s", s.name, problem)
				}
			}
			for name := range unused {
				if strings.HasPrefix(name, owner+".") {
					t.Errorf("%s needs no exception for its sorting", name)
				}
			}
		})
	}
}

// node is a step of a plan, as EXPLAIN gives it.
type node struct {
	Type      string `json:"Node Type"`
	Schema    string `json:"Schema"`
	Relation  string `json:"Relation Name"`
	Index     string `json:"Index Name"`
	IndexCond string `json:"Index Cond"`
	Filter    string
	SortKey   []string `json:"Sort Key"`
	Plans     []node
}

// explain plans a statement as if its parameters could be anything.
func explain(t *testing.T, pool *pgxpool.Pool, s statement) node {
	t.Helper()
	var plan node
	err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		ctx := t.Context()
		settings := "SET LOCAL plan_cache_mode = force_generic_plan"
		for _, way := range without {
			settings += "; SET LOCAL " + way + " = off"
		}
		for _, sql := range []string{settings, "PREPARE planned AS " + s.sql} {
			if _, err := tx.Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol); err != nil {
				return err
			}
		}
		execute, err := execution(ctx, tx)
		if err != nil {
			return err
		}
		var text []byte
		if err := tx.QueryRow(ctx, "EXPLAIN (VERBOSE, FORMAT JSON) "+execute, pgx.QueryExecModeSimpleProtocol).Scan(&text); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "DEALLOCATE planned"); err != nil {
			return err
		}
		var plans []struct{ Plan node }
		if err := json.Unmarshal(text, &plans); err != nil {
			return err
		}
		plan = plans[0].Plan
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	return plan
}

// execution is an EXECUTE of the prepared statement.
func execution(ctx context.Context, tx pgx.Tx) (string, error) {
	var n int
	err := tx.QueryRow(ctx, "SELECT cardinality(parameter_types) FROM pg_prepared_statements WHERE name = 'planned'").Scan(&n)
	if n == 0 {
		return "EXECUTE planned", err
	}
	return "EXECUTE planned (" + strings.Join(slices.Repeat([]string{"NULL"}, n), ", ") + ")", err
}

// indexes says of each index what it is of and what it is ordered by first.
type indexes map[string]struct{ Table, First string }

func describeIndexes(t *testing.T, pool *pgxpool.Pool) indexes {
	t.Helper()
	rows, err := pool.Query(t.Context(), `
		SELECT i.relname, n.nspname || '.' || c.relname, pg_get_indexdef(x.indexrelid, 1, true)
		FROM pg_index AS x
		JOIN pg_class AS i ON i.oid = x.indexrelid
		JOIN pg_class AS c ON c.oid = x.indrelid
		JOIN pg_namespace AS n ON n.oid = c.relnamespace
		WHERE n.nspname NOT LIKE 'pg_%'`)
	if err != nil {
		t.Fatal(err)
	}
	out := indexes{}
	var name, table, first string
	_, err = pgx.ForEachRow(rows, []any{&name, &table, &first}, func() error {
		out[name] = struct{ Table, First string }{table, first}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// problems lists the steps of a plan that take longer as tables grow: those that
// read all of one, or of an index, and those that sort what they have read.
func (x indexes) problems(plan node) (reads, sorts []string) {
	var walk func(n node, bounded bool)
	walk = func(n node, bounded bool) {
		index, along := x[n.Index]
		switch {
		case n.Type == "Sort" && unbounded(n):
			sorts = append(sorts, "sorts by "+strings.Join(n.SortKey, ", "))
		case n.Type == "Seq Scan" && growing(n.Schema+"."+n.Relation):
			reads = append(reads, fmt.Sprintf("reads all of %s.%s (filter %s)", n.Schema, n.Relation, n.Filter))
		case along && growing(index.Table) && !mentions(n.IndexCond, index.First) && (!bounded || n.Filter+n.IndexCond != ""):
			reads = append(reads, fmt.Sprintf("reads all of %s along %s (%s)", index.Table, n.Index, n.Filter+n.IndexCond))
		}
		// Only what passes rows on as they come stops when there are enough.
		bounded = n.Type == "Limit" || bounded && slices.Contains(streaming, n.Type)
		for _, p := range n.Plans {
			walk(p, bounded)
		}
	}
	walk(plan, false)
	return reads, sorts
}

// mentions tells whether a condition is about a column or expression.
func mentions(condition, of string) bool {
	return regexp.MustCompile(`(^|\W)` + regexp.QuoteMeta(of) + `(\W|$)`).MatchString(condition)
}

// growing tells whether a table grows.
func growing(table string) bool {
	_, fixed := small[table]
	return !fixed
}

// unbounded tells whether more rows come out of a step as a table grows.
func unbounded(n node) bool {
	return n.Type != "Limit" && (n.Relation != "" && growing(n.Schema+"."+n.Relation) || slices.ContainsFunc(n.Plans, unbounded))
}

// streaming are the steps that read no more than they are asked for.
var streaming = []string{"LockRows", "Nested Loop", "Subquery Scan", "Result", "Append", "Merge Append", "Memoize", "Incremental Sort"}

// TestProblems holds the test itself: statements without an index that serves
// them, and ones with.
func TestProblems(t *testing.T) {
	t.Parallel()
	pool := pgtest.Database(t)
	_, err := pool.Exec(t.Context(), `
		CREATE SCHEMA shop;
		CREATE TABLE shop.item (id int CONSTRAINT item_pkey PRIMARY KEY, owner int, made int);
		CREATE INDEX item_owner ON shop.item (owner, made);
		INSERT INTO shop.item SELECT i, i / 10, i FROM generate_series(1, 1000) AS i;
		ANALYZE`)
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string][]string{
		"SELECT id FROM shop.item WHERE owner = $1 ORDER BY made + id LIMIT 10":                   {"sorts by"},
		"SELECT made FROM shop.item WHERE id = $1":                                                nil,
		"SELECT id FROM shop.item WHERE owner = $1 AND made > $2 ORDER BY made LIMIT $3":          nil,
		"SELECT id FROM shop.item ORDER BY id LIMIT 10":                                           nil,
		"UPDATE shop.item SET made = $1 WHERE id = $2":                                            nil,
		"SELECT id FROM shop.item WHERE made = $1":                                                {"reads all of shop.item"},
		"DELETE FROM shop.item WHERE made < $1":                                                   {"reads all of shop.item"},
		"SELECT id FROM shop.item WHERE made = $1 ORDER BY id LIMIT 10":                           {"reads all of shop.item along item_pkey"},
		"SELECT id FROM shop.item ORDER BY id":                                                    {"reads all of shop.item along item_pkey"},
		"SELECT count(*) FROM shop.item":                                                          {"reads all of shop.item"},
		"SELECT id FROM shop.item WHERE owner = $1 ORDER BY id LIMIT 10":                          {"reads all of shop.item along item_pkey"},
		"SELECT a.id FROM shop.item AS a JOIN shop.item AS b ON b.made = a.id WHERE a.owner = $1": {"reads all of shop.item"},
	}
	indexes := describeIndexes(t, pool)
	for sql, want := range tests {
		reads, sorts := indexes.problems(explain(t, pool, statement{name: sql, sql: sql}))
		got := append(reads, sorts...)
		if !slices.EqualFunc(got, want, strings.HasPrefix) {
			t.Errorf("%s: %q, want %q", sql, got, want)
		}
	}
}
