package pg_test

import (
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// A statement outside of a transaction ends too when its server says nothing.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	pool, err := pg.PoolWithin(pgtest.Database(t).Config().ConnString(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	for range 2 { // the second on another connection
		_, err = pool.Exec(t.Context(), "SELECT pg_sleep(4)") // within the limit of the server
		refuses(t, pg.Fault(err))
		var n int
		if err := pool.QueryRow(t.Context(), "SELECT 1").Scan(&n); err != nil || n != 1 {
			t.Errorf("the next statement: %d, %v", n, err)
		}
	}
}
