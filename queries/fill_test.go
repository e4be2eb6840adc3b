package queries_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// The rows of each table: enough for a planner to care, and how many of them
// share a parent.
const (
	rows     = 5000
	siblings = 50
	few      = 5 // of a table that does not grow
)

// column is what the rows of a table are made by.
type column struct {
	Table  string
	Name   string
	Type   string
	Null   bool // it may be
	Unique bool // part of a unique index
	Parent int  // which of the table's references it is part of, from 1; 0 for none
}

// fill puts rows into every table of a schema and counts them for the planner.
// They make no sense: only how many there are, and how many are alike, does.
// So constraints that look at the content are dropped before.
func fill(t *testing.T, pool *pgxpool.Pool, schema string) {
	t.Helper()
	columns := describe(t, pool, schema)
	unbind(t, pool, schema)
	for _, table := range tables(columns) {
		var names, values []string
		for _, c := range columns {
			if c.Table == table {
				names = append(names, pgx.Identifier{c.Name}.Sanitize())
				values = append(values, value(t, c))
			}
		}
		n := rows
		if _, fixed := small[schema+"."+table]; fixed {
			n = few
		}
		sql := fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM generate_series(0, %d - 1) AS i ON CONFLICT DO NOTHING",
			pgx.Identifier{schema, table}.Sanitize(), strings.Join(names, ", "), strings.Join(values, ", "), n)
		if _, err := pool.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", table, err)
		}
	}
	if _, err := pool.Exec(t.Context(), "ANALYZE"); err != nil {
		t.Fatal(err)
	}
}

// describe lists the columns of a schema that are to be filled.
func describe(t *testing.T, pool *pgxpool.Pool, schema string) []column {
	t.Helper()
	found, err := pool.Query(t.Context(), `
		SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, NULL) AS type, NOT a.attnotnull AS null,
			EXISTS (SELECT FROM pg_index AS x WHERE x.indrelid = c.oid AND x.indisunique AND a.attnum = ANY (x.indkey)) AS unique,
			COALESCE((
				SELECT f.nth FROM (
					SELECT k.conkey, row_number() OVER (ORDER BY k.conname)::int AS nth
					FROM pg_constraint AS k WHERE k.conrelid = c.oid AND k.contype = 'f'
				) AS f WHERE a.attnum = ANY (f.conkey) ORDER BY f.nth LIMIT 1
			), 0) AS parent
		FROM pg_class AS c
		JOIN pg_namespace AS s ON s.oid = c.relnamespace
		JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
		WHERE s.nspname = $1 AND c.relkind = 'r' AND a.attgenerated = '' AND a.attidentity <> 'a'
		ORDER BY c.relname, a.attnum`, schema)
	if err != nil {
		t.Fatal(err)
	}
	columns, err := pgx.CollectRows(found, pgx.RowToStructByName[column])
	if err != nil {
		t.Fatal(err)
	}
	return columns
}

// unbind drops the constraints of a schema but its keys, and its triggers.
func unbind(t *testing.T, pool *pgxpool.Pool, schema string) {
	t.Helper()
	_, err := pool.Exec(t.Context(), fmt.Sprintf(`
		DO $$
		DECLARE it record;
		BEGIN
			FOR it IN SELECT conrelid::regclass AS of, conname FROM pg_constraint
				WHERE connamespace = '%[1]s'::regnamespace AND contype IN ('c', 'f')
			LOOP EXECUTE format('ALTER TABLE %%s DROP CONSTRAINT IF EXISTS %%I', it.of, it.conname); END LOOP;
			FOR it IN SELECT oid::regclass AS of FROM pg_class WHERE relnamespace = '%[1]s'::regnamespace AND relkind = 'r'
			LOOP EXECUTE format('ALTER TABLE %%s DISABLE TRIGGER USER', it.of); END LOOP;
		END $$`, schema))
	if err != nil {
		t.Fatal(err)
	}
}

// tables lists the tables of columns.
func tables(columns []column) []string {
	var out []string
	for _, c := range columns {
		out = append(out, c.Table)
	}
	return slices.Compact(out)
}

// value is the expression of a column in row i.
func value(t *testing.T, c column) string {
	t.Helper()
	n := fmt.Sprintf("(i %% %d)", siblings)
	switch {
	case c.Parent == 1:
		n = fmt.Sprintf("(i / %[1]d * %[1]d)", siblings)
	case c.Parent > 1: // of all parents too, and no pair twice
		n = fmt.Sprintf("(i %% %d * %d)", rows/siblings, siblings)
	case c.Unique:
		n = "i"
	}
	var out string
	switch c.Type {
	case "uuid":
		out = "lpad(to_hex(" + n + "), 32, '0')::uuid"
	case "text":
		out = "'value ' || " + n
	case "bytea":
		out = "decode(md5((" + n + ")::text), 'hex')"
	case "smallint", "integer", "bigint":
		out = n
	case "boolean":
		out = "i % 2 = 0"
	case "timestamp with time zone":
		out = "'2026-01-01'::timestamptz + i * interval '1 second'"
	case "json", "jsonb":
		out = "'{}'"
	case "bigint[]":
		out = "ARRAY[i]"
	case "text[]":
		out = "ARRAY['value']"
	default:
		t.Fatalf("%s.%s: this test has no values of type %s", c.Table, c.Name, c.Type)
	}
	if c.Null {
		out = "CASE WHEN i % 2 = 0 THEN " + out + " END"
	}
	return out
}
