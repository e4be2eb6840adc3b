package pg_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

func TestLook(t *testing.T) {
	t.Parallel()
	t.Run("gives its connection back", func(t *testing.T) {
		t.Parallel()
		pool := pgtest.Database(t)
		want := fault.New(fault.NotFound, "there is none")
		var one int
		err := pg.Look(t.Context(), pool, func(ctx context.Context, conn *pgxpool.Conn) error {
			return conn.QueryRow(ctx, "SELECT 1").Scan(&one)
		})
		refused := pg.Look(t.Context(), pool, func(context.Context, *pgxpool.Conn) error { return want })
		if err != nil || one != 1 || refused != error(want) {
			t.Errorf("%d, errors %v and %v", one, err, refused)
		}
		if n := pool.Stat().AcquiredConns(); n != 0 {
			t.Errorf("%d connections are out", n)
		}
	})
	t.Run("runs again once when its connection is lost", func(t *testing.T) {
		t.Parallel()
		pool := pgtest.Database(t)
		for lost, fails := range map[int]bool{1: false, 2: true} {
			runs := 0
			err := pg.Look(t.Context(), pool, func(ctx context.Context, conn *pgxpool.Conn) error {
				if runs++; runs <= lost {
					_, err := conn.Exec(ctx, "SELECT pg_terminate_backend(pg_backend_pid())")
					return err
				}
				return nil
			})
			if runs != 2 || (err != nil) != fails {
				t.Errorf("%d lost: error %v after %d runs", lost, err, runs)
			}
			if fails {
				refuses(t, err)
			}
		}
	})
	t.Run("says that a statement took too long", func(t *testing.T) {
		t.Parallel()
		pool := pgtest.Database(t)
		err := pg.Look(t.Context(), pool, func(ctx context.Context, conn *pgxpool.Conn) error {
			_, err := conn.Exec(ctx, "SET statement_timeout = 20; SELECT pg_sleep(10)")
			return err
		})
		refuses(t, err)
		if !pg.TimedOut(err) {
			t.Errorf("error %v is no time-out", err)
		}
	})
	t.Run("does not begin without its caller", func(t *testing.T) {
		t.Parallel()
		pool := pgtest.Database(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := pg.Look(ctx, pool, func(context.Context, *pgxpool.Conn) error {
			t.Error("it began")
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}
