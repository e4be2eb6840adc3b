package pg_test

import (
	"context"
	"errors"
	"net"
	"net/url"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// nothing is work that does none.
func nothing(context.Context, pgx.Tx) error { return nil }

// run makes work of a statement.
func run(sql string) pg.Work {
	return func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, sql)
		return err
	}
}

// refuses checks that an error is a fault that says when to try again.
func refuses(t *testing.T, err error) {
	t.Helper()
	if f := fault.From(err); f == nil || f.Code != fault.Unavailable || f.RetryAfter <= 0 || errors.Is(err, pg.ErrUnsettled) {
		t.Errorf("error %v, want a fault that says when to try again", err)
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	t.Run("leaves nothing of work that fails", func(t *testing.T) {
		t.Parallel()
		pool := pgtest.Database(t)
		ledger(t, pool)
		want := fault.New(fault.Conflict, "not now")
		err := pg.Write(t.Context(), pool, func(ctx context.Context, tx pgx.Tx) error {
			if err := record("k")(ctx, tx); err != nil {
				t.Error(err)
			}
			return want
		})
		if err != error(want) || events(t, pool) != 0 {
			t.Errorf("error %v and %d events, want %v and none", err, events(t, pool), want)
		}
	})
	t.Run("goes on without its caller", func(t *testing.T) {
		t.Parallel()
		pool := pgtest.Database(t)
		ledger(t, pool)
		ctx, cancel := context.WithCancel(t.Context())
		err := pg.Write(ctx, pool, func(ctx context.Context, tx pgx.Tx) error {
			cancel()
			return record("k")(ctx, tx)
		})
		if err != nil || events(t, pool) != 1 {
			t.Errorf("error %v and %d events, want none and one", err, events(t, pool))
		}
	})
	t.Run("does not begin without its caller", func(t *testing.T) {
		t.Parallel()
		pool := pgtest.Database(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		runs := 0
		if err := pg.Write(ctx, pool, counted(nothing, &runs)); !errors.Is(err, context.Canceled) || runs != 0 {
			t.Errorf("error %v after %d runs, want the caller's after none", err, runs)
		}
	})
	t.Run("runs again when it collides", func(t *testing.T) {
		t.Parallel()
		pool := pgtest.Database(t)
		for code, want := range map[string]int{"40001": 4, "40P01": 4, "23505": 1} {
			runs := 0
			err := pg.Write(t.Context(), pool, counted(raise(code), &runs))
			if err == nil || runs != want {
				t.Errorf("%s: error %v after %d runs, want one after %d", code, err, runs, want)
			}
		}
		runs := 0
		err := pg.Write(t.Context(), pool, func(ctx context.Context, tx pgx.Tx) error {
			if runs++; runs < 4 {
				return raise("40P01")(ctx, tx)
			}
			return nil
		})
		if err != nil || runs != 4 {
			t.Errorf("error %v after %d runs, want none after 4", err, runs)
		}
	})
	t.Run("runs again once when its connection is lost", func(t *testing.T) {
		t.Parallel()
		pool := pgtest.Database(t)
		runs := 0
		end := run("SELECT pg_terminate_backend(pg_backend_pid())")
		refuses(t, pg.Write(t.Context(), pool, counted(end, &runs)))
		if runs != 2 {
			t.Errorf("%d runs, want 2", runs)
		}
		runs = 0
		err := pg.Write(t.Context(), pool, func(ctx context.Context, tx pgx.Tx) error {
			if runs++; runs < 2 {
				return end(ctx, tx)
			}
			return nil
		})
		if err != nil || runs != 2 {
			t.Errorf("error %v after %d runs, want none after 2", err, runs)
		}
	})
	t.Run("gives its connection back when the work panics", func(t *testing.T) {
		t.Parallel()
		pool := pgtest.Database(t)
		func() {
			defer func() { _ = recover() }()
			_ = pg.Write(t.Context(), pool, func(context.Context, pgx.Tx) error { panic("on purpose") })
		}()
		if n := pool.Stat().AcquiredConns(); n != 0 {
			t.Errorf("%d connections are out, want none", n)
		}
	})
}

func TestRead(t *testing.T) {
	t.Parallel()
	t.Run("sees one state", func(t *testing.T) {
		t.Parallel()
		pool := pgtest.Database(t)
		ledger(t, pool)
		err := pg.Read(t.Context(), pool, func(ctx context.Context, tx pgx.Tx) error {
			for _, key := range []string{"a", "b"} {
				var n int
				if err := tx.QueryRow(ctx, "SELECT count(*) FROM event").Scan(&n); err != nil {
					return err
				}
				if n != 0 {
					t.Errorf("%d events, want none", n)
				}
				if err := pg.Write(ctx, pool, record(key)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || events(t, pool) != 2 {
			t.Errorf("error %v and %d events, want none and two", err, events(t, pool))
		}
	})
	t.Run("does not write", func(t *testing.T) {
		t.Parallel()
		pool := pgtest.Database(t)
		ledger(t, pool)
		if err := pg.Read(t.Context(), pool, record("k")); err == nil || fault.CodeOf(err) != fault.Internal {
			t.Errorf("error %v, want an internal one", err)
		}
	})
	t.Run("ends with its caller", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		err := pg.Read(ctx, pgtest.Database(t), func(ctx context.Context, tx pgx.Tx) error {
			cancel()
			return run("SELECT pg_sleep(60)")(ctx, tx)
		})
		if !errors.Is(err, context.Canceled) || fault.CodeOf(err) != fault.Internal {
			t.Errorf("error %v, want the caller's", err)
		}
	})
}

func TestLimits(t *testing.T) {
	t.Parallel()
	t.Run("of a lock", func(t *testing.T) {
		t.Parallel()
		pool := pgtest.Database(t)
		ledger(t, pool)
		err := pg.Write(t.Context(), pool, func(ctx context.Context, tx pgx.Tx) error {
			if err := run("LOCK TABLE event")(ctx, tx); err != nil {
				return err
			}
			refuses(t, pg.Write(ctx, pool, record("k")))
			return nil
		})
		if err != nil || events(t, pool) != 0 {
			t.Errorf("error %v and %d events, want neither", err, events(t, pool))
		}
	})
	t.Run("of a statement", func(t *testing.T) {
		t.Parallel()
		refuses(t, pg.Write(t.Context(), limited(t, "statement_timeout", "50"), run("SELECT pg_sleep(60)")))
	})
	t.Run("of doing nothing", func(t *testing.T) {
		t.Parallel()
		pool := limited(t, "idle_in_transaction_session_timeout", "50")
		err := pg.Write(t.Context(), pool, func(ctx context.Context, tx pgx.Tx) error {
			const there = "SELECT count(*) FROM pg_stat_activity WHERE pid = $1"
			for pid, n := tx.Conn().PgConn().PID(), 1; n > 0; { // until the server hangs up
				if err := pool.QueryRow(ctx, there, pid).Scan(&n); err != nil {
					return err
				}
			}
			return run("SELECT 1")(ctx, tx)
		})
		refuses(t, err)
	})
	t.Run("of a transaction", func(t *testing.T) {
		t.Parallel()
		pool := pgtest.Database(t)
		for name, within := range map[string]func(context.Context, *pgxpool.Pool, time.Duration, pg.Work) error{
			"read": pg.ReadWithin, "write": pg.WriteWithin,
		} {
			t.Log(name)
			refuses(t, within(t.Context(), pool, 100*time.Millisecond, run("SELECT pg_sleep(60)")))
		}
	})
	t.Run("of a transaction that waits for another connection", func(t *testing.T) {
		t.Parallel()
		for name, within := range map[string]func(context.Context, *pgxpool.Pool, time.Duration, pg.Work) error{
			"read": pg.ReadWithin, "write": pg.WriteWithin,
		} {
			c := pgtest.Database(t).Config()
			dial, dialled := c.ConnConfig.DialFunc, false
			c.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
				if dialled {
					<-ctx.Done() // nobody answers any more
					return nil, ctx.Err()
				}
				dialled = true
				return dial(ctx, network, address)
			}
			c.ConnConfig.ConnectTimeout, c.MinConns, c.MaxConns = time.Second, 0, 1
			pool, err := pgxpool.NewWithConfig(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(pool.Close)
			err = within(t.Context(), pool, 300*time.Millisecond, run("SELECT pg_terminate_backend(pg_backend_pid())"))
			if refuses(t, err); !pg.TimedOut(err) {
				t.Errorf("%s: error %v, want that it took too long", name, err)
			}
		}
	})
	t.Run("of a pool", func(t *testing.T) {
		t.Parallel()
		pool := limited(t, "pool_max_conns", "1")
		err := pg.Write(t.Context(), pool, func(ctx context.Context, tx pgx.Tx) error {
			refuses(t, pg.Write(ctx, pool, nothing))
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	t.Run("as every session has them", func(t *testing.T) {
		t.Parallel()
		pool := pgtest.Database(t)
		for name, want := range map[string]string{
			"lock_timeout": "2s", "statement_timeout": "5s", "idle_in_transaction_session_timeout": "10s",
			"client_connection_check_interval": "1s", "application_name": "pharos", "timezone": "UTC",
		} {
			var got string
			if err := pool.QueryRow(t.Context(), "SHOW "+name).Scan(&got); err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("%s is %s, want %s", name, got, want)
			}
		}
		if got := pool.Config().MaxConns; got != 16 {
			t.Errorf("a pool of %d connections, want 16", got)
		}
	})
}

// limited gives a pool with a setting in its URL.
func limited(t *testing.T, name, value string) *pgxpool.Pool {
	t.Helper()
	return pgtest.Pool(t, with(t, pgtest.URL(t), name, value))
}

// with gives a URL with one more setting.
func with(t *testing.T, at, name, value string) string {
	t.Helper()
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set(name, value)
	u.RawQuery = q.Encode()
	return u.String()
}

// raise makes the server raise an error.
func raise(code string) pg.Work {
	return run("DO $$ BEGIN RAISE EXCEPTION 'on purpose' USING ERRCODE = '" + code + "'; END $$")
}
