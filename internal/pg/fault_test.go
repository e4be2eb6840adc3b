package pg_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

func TestFault(t *testing.T) {
	t.Parallel()
	const (
		away   = "cannot be reached"
		busy   = "overloaded"
		locked = "changing the same thing"
		slow   = "too long"
		other  = ""
	)
	tests := []struct {
		err  error
		want string
	}{
		{&pgconn.PgError{Code: "57P01"}, away},
		{&pgconn.PgError{Code: "57P02"}, away},
		{&pgconn.PgError{Code: "57P03"}, away},
		{&pgconn.PgError{Code: "57P05"}, away},
		{&pgconn.PgError{Code: "08006"}, away},
		{&pgconn.PgError{Code: "53300"}, busy},
		{&pgconn.PgError{Code: "53100"}, busy},
		{&pgconn.PgError{Code: "55P03"}, locked},
		{&pgconn.PgError{Code: "40001"}, locked},
		{&pgconn.PgError{Code: "40P01"}, locked},
		{&pgconn.PgError{Code: "57014"}, slow},
		{&pgconn.PgError{Code: "25P03"}, slow},
		{&net.OpError{Op: "read", Err: errors.New("reset")}, away},
		{io.ErrUnexpectedEOF, away},
		{pgconn.ErrConnClosed, away},
		{&pgconn.PgError{Code: "23505"}, other},
		{&pgconn.PgError{Code: "42601"}, other},
		{&pgconn.PgError{Code: "25006"}, other},
		{&pgconn.PgError{Code: "57"}, other},
		{pgx.ErrNoRows, other},
		{context.Canceled, other},
		{context.DeadlineExceeded, other},
		{errors.New("some error"), other},
	}
	for _, test := range tests {
		err := fmt.Errorf("query X: %w", test.err)
		got := pg.Fault(err)
		if test.want == other {
			if got != err {
				t.Errorf("%v became %v", err, got)
			}
			continue
		}
		refuses(t, got)
		if f := fault.From(got); !strings.Contains(f.Message, test.want) {
			t.Errorf("%v: %q, want one with %q", err, f.Message, test.want)
		}
		if !errors.Is(got, test.err) || !strings.Contains(got.Error(), "query X") {
			t.Errorf("%v lost its cause %v", got, err)
		}
		if pg.TimedOut(got) != (test.want == slow) {
			t.Errorf("%v timed out: %v", got, pg.TimedOut(got))
		}
		if again := pg.Fault(got); again != got {
			t.Errorf("%v became %v", got, again)
		}
	}
	if pg.Fault(nil) != nil {
		t.Error("no error became one")
	}
}

// TestAway is about a real server that is not there.
func TestAway(t *testing.T) {
	t.Parallel()
	s := pgtest.Server(t)
	pool := pgtest.Pool(t, s.URL)
	ledger(t, pool)
	for name, end := range map[string]func(){"stopped": s.Stop, "killed": s.Kill} {
		if err := pg.Write(t.Context(), pool, record(name)); err != nil {
			t.Fatal(err)
		}
		connected(t, pool, 4)
		end()
		s.Start(t)
		// The connections of before are dead, and nobody has seen that yet.
		if err := pg.Write(t.Context(), pool, record("back "+name)); err != nil {
			t.Errorf("%s and started again: %v", name, err)
		}
		end()
		refuses(t, pg.Write(t.Context(), pool, record("away")))
		refuses(t, pg.Read(t.Context(), pool, nothing))
		_, err := pool.Exec(t.Context(), "SELECT 1")
		refuses(t, pg.Fault(err))
		s.Start(t)
	}
	if n := events(t, pool); n != 4 {
		t.Errorf("%d events, want 4", n)
	}
}

// connected gives a pool so many connections that nobody uses.
func connected(t *testing.T, pool *pgxpool.Pool, n int) {
	t.Helper()
	for range n {
		conn, err := pool.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Release()
	}
}

// TestFull has a server refuse a connection for being one too many.
func TestFull(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	limit := `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I CONNECTION LIMIT 0', current_database()); END $$`
	if _, err := pgtest.Pool(t, url).Exec(t.Context(), limit); err != nil {
		t.Fatal(err)
	}
	role := "full_" + strings.ToLower(rand.Text())
	pool := pgtest.Pool(t, url)
	if _, err := pool.Exec(t.Context(), "CREATE ROLE "+role+" LOGIN"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = pool.Exec(context.Background(), "DROP ROLE "+role) })
	err := pg.Write(t.Context(), pgtest.Pool(t, with(t, url, "user", role)), nothing)
	refuses(t, err)
	if f := fault.From(err); !strings.Contains(f.Message, "overloaded") {
		t.Errorf("%v, want that it is overloaded", err)
	}
}
