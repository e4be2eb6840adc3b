package pg_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// TestLimitedPool: limits of one's own take the place of what the URL says,
// which takes the place of what every service has.
//
// clause: P-26
func TestLimitedPool(t *testing.T) {
	t.Parallel()
	database, err := url.Parse(pgtest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	query := database.Query()
	query.Set("statement_timeout", "7000")
	database.RawQuery = query.Encode()
	for name, c := range map[string]struct {
		limits pg.Limits
		want   map[string]string
	}{
		"none":      {pg.Limits{}, map[string]string{"lock_timeout": "2s", "statement_timeout": "7s"}},
		"statement": {pg.Limits{Statement: 60 * time.Second}, map[string]string{"lock_timeout": "2s", "statement_timeout": "1min"}},
		"lock":      {pg.Limits{Lock: 300 * time.Millisecond}, map[string]string{"lock_timeout": "300ms", "statement_timeout": "7s"}},
	} {
		pool, err := pg.LimitedPool(database.String(), c.limits)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for setting := range c.want {
			var value string
			if err := pool.QueryRow(t.Context(), "SHOW "+setting).Scan(&value); err != nil {
				t.Fatal(err)
			}
			got[setting] = value
		}
		pool.Close()
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
