package pg_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// TestTime reads what Time gives back as it was written, down to its zone.
func TestTime(t *testing.T) {
	t.Parallel()
	pool := pgtest.Database(t)
	east := time.FixedZone("east", 5*60*60)
	sent := pg.Time(time.Date(2027, 1, 31, 4, 5, 6, 123456789, east))
	if want := time.Date(2027, 1, 30, 23, 5, 6, 123456000, time.UTC); sent != want {
		t.Fatalf("Time gives %s, want %s", sent, want)
	}
	var one time.Time
	var some, none *time.Time
	err := pool.QueryRow(t.Context(), "SELECT $1::timestamptz, $1::timestamptz, NULL::timestamptz", sent).Scan(&one, &some, &none)
	if err != nil {
		t.Fatal(err)
	}
	if one.Location() != time.UTC || some == nil || some.Location() != time.UTC || none != nil {
		t.Errorf("read %v, %v and %v: not in UTC", one, some, none)
	}
	if d := cmp.Diff(sent, one); d != "" {
		t.Errorf("(-sent +read):\n%s", d)
	}
}

// TestTimeBounds reads the first and the last time that the database has, and
// nothing else as a time.
func TestTimeBounds(t *testing.T) {
	t.Parallel()
	pool := pgtest.Database(t)
	for sql, want := range map[string]string{
		"SELECT '294276-12-31 23:59:59.999999+00'::timestamptz": "294276-12-31 23:59:59.999999 +0000 UTC",
		"SELECT '1999-12-31 23:59:59.999999+00'::timestamptz":   "1999-12-31 23:59:59.999999 +0000 UTC",
		"SELECT '2000-01-01 00:00:00+00'::timestamptz":          "2000-01-01 00:00:00 +0000 UTC",
		"SELECT '4714-11-24 00:00:00+00 BC'::timestamptz":       "-4713-11-24 00:00:00 +0000 UTC",
	} {
		var got time.Time
		if err := pool.QueryRow(t.Context(), sql).Scan(&got); err != nil || got.String() != want {
			t.Errorf("%s: read as %s, %v; want %s", sql, got, err, want)
		}
	}
	for _, sql := range []string{
		"SELECT 'infinity'::timestamptz", "SELECT '-infinity'::timestamptz", "SELECT NULL::timestamptz", "SELECT 1::bigint",
	} {
		var got time.Time
		if err := pool.QueryRow(t.Context(), sql).Scan(&got); err == nil {
			t.Errorf("%s: read as %s", sql, got)
		}
	}
}
