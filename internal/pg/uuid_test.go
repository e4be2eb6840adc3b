package pg_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// TestUUID sends identifiers and reads them, alone, missing and many.
func TestUUID(t *testing.T) {
	t.Parallel()
	pool := pgtest.Database(t)
	type values struct {
		One        uuid.UUID
		Some, None *uuid.UUID
		Many       []uuid.UUID
		Text       string
	}
	a, b := uuid.MustParse("00112233-4455-4677-8899-aabbccddeeff"), uuid.Max
	want := values{One: a, Some: &b, Many: []uuid.UUID{a, b}, Text: a.String()}
	var got values
	err := pool.QueryRow(t.Context(), "SELECT $1::uuid, $2::uuid, $3::uuid, $4::uuid[], $1::uuid::text",
		want.One, want.Some, want.None, want.Many).Scan(&got.One, &got.Some, &got.None, &got.Many, &got.Text)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-sent +read):\n%s", d)
	}
	for _, sql := range []string{"SELECT NULL::uuid", "SELECT 'x'::text"} {
		var id uuid.UUID
		if err := pool.QueryRow(t.Context(), sql).Scan(&id); err == nil {
			t.Errorf("%s: read as %s", sql, id)
		}
	}
}
