package pgtest_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// answer asks a database for a number, on a connection of its own.
func answer(t *testing.T, url, sql string) (n int, err error) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		return 0, err
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	return n, conn.QueryRow(t.Context(), sql).Scan(&n)
}

func TestDatabase(t *testing.T) {
	t.Parallel()
	t.Run("is nobody else's", func(t *testing.T) {
		t.Parallel()
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				pool := pgtest.Database(t, "platform")
				_, err := pool.Exec(t.Context(), fmt.Sprintf("CREATE TABLE own AS SELECT %d AS n", i))
				if err != nil {
					t.Error(err)
				}
				var n int
				if err := pool.QueryRow(t.Context(), "SELECT n FROM own").Scan(&n); err != nil || n != i {
					t.Errorf("got %d, %v, want %d", n, err, i)
				}
			})
		}
		all.Wait()
	})
	t.Run("is as migrations leave it", func(t *testing.T) {
		t.Parallel()
		var n int
		pool := pgtest.Database(t, "platform")
		if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM platform.receipt").Scan(&n); err != nil || n != 0 {
			t.Errorf("%d receipts, %v, want none", n, err)
		}
	})
	t.Run("is gone after its test", func(t *testing.T) {
		t.Parallel()
		var url string
		t.Run("its test", func(t *testing.T) {
			url = pgtest.URL(t)
			if _, err := answer(t, url, "SELECT 1"); err != nil {
				t.Error(err)
			}
		})
		for deadline := time.Now().Add(time.Minute); ; { // nobody waits for its end
			if _, err := answer(t, url, "SELECT 1"); err != nil {
				return
			}
			if time.Now().After(deadline) {
				t.Fatal("it is still there")
			}
		}
	})
}

func TestServer(t *testing.T) {
	t.Parallel()
	s := pgtest.Server(t)
	pool := pgtest.Pool(t, s.URL)
	if _, err := pool.Exec(t.Context(), "CREATE TABLE kept AS SELECT 1 AS n"); err != nil {
		t.Fatal(err)
	}
	for name, end := range map[string]func(){"stopped": s.Stop, "killed": s.Kill} {
		end()
		if _, err := answer(t, s.URL, "SELECT 1"); err == nil {
			t.Errorf("a server that was %s answers", name)
		}
		end() // a second time is no harm
		s.Start(t)
		if n, err := answer(t, s.URL, "SELECT n FROM kept"); err != nil || n != 1 {
			t.Errorf("%s and started: got %d, %v, want 1", name, n, err)
		}
	}
}

// BenchmarkDatabase is what a database costs a test.
func BenchmarkDatabase(b *testing.B) {
	pgtest.Database(b, "platform") // the template is made once
	for b.Loop() {
		pgtest.Database(b, "platform")
	}
}
