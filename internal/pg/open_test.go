package pg_test

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

func TestOpen(t *testing.T) {
	t.Parallel()
	t.Run("a private database", func(t *testing.T) {
		t.Parallel()
		place, err := os.MkdirTemp("", "open")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(place) })
		folder := filepath.Join(place, "database")
		for i := range 2 {
			began := time.Now()
			db, err := pg.Open(t.Context(), pg.Config{State: folder}, "platform")
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("start %d: %v", i+1, time.Since(began))
			if db.Folder != folder {
				t.Errorf("its folder is %s, want %s", db.Folder, folder)
			}
			if i == 0 {
				ledger(t, db.Pool)
			}
			if err := pg.Write(t.Context(), db.Pool, record("k")); err != nil {
				t.Error(err)
			}
			if n := events(t, db.Pool); n != 1 {
				t.Errorf("%d events, want 1", n)
			}
			db.Close()
		}
	})
	t.Run("at a URL, by many at once", func(t *testing.T) {
		t.Parallel()
		url := pgtest.URL(t)
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				db, err := pg.Open(t.Context(), pg.Config{URL: url}, "platform")
				if err != nil {
					t.Error(err)
					return
				}
				if db.Folder != "" {
					t.Errorf("its folder is %s, want none", db.Folder)
				}
				db.Close()
			})
		}
		all.Wait()
	})
	t.Run("at a URL, as a role that owns its database and no more", func(t *testing.T) {
		t.Parallel()
		url := pgtest.URL(t)
		role := "owner_" + strings.ToLower(rand.Text())
		pool := pgtest.Pool(t, url)
		_, err := pool.Exec(t.Context(), `CREATE ROLE `+role+` LOGIN;
			DO $$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO `+role+`', current_database()); END $$`)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_, err := pool.Exec(context.Background(), `REASSIGN OWNED BY `+role+` TO CURRENT_USER; DROP OWNED BY `+role+`; DROP ROLE `+role)
			if err != nil {
				t.Error(err)
			}
		})
		db, err := pg.Open(t.Context(), pg.Config{URL: with(t, url, "user", role)}, "platform")
		if err != nil {
			t.Fatal(err)
		}
		db.Close()
	})
	t.Run("at a URL, before its server", func(t *testing.T) {
		t.Parallel()
		s := pgtest.Server(t)
		s.Stop()
		var all sync.WaitGroup
		all.Go(func() {
			db, err := pg.Open(t.Context(), pg.Config{URL: s.URL})
			if err != nil {
				t.Error(err)
				return
			}
			if err := db.Ping(t.Context()); err != nil {
				t.Error(err)
			}
			db.Close()
		})
		all.Go(func() { s.Start(t) })
		all.Wait()
	})
	t.Run("at a URL without a server", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		_, err := pg.Open(ctx, pg.Config{URL: "postgres://someone:secret@127.0.0.1:1/none"})
		if err == nil || !strings.Contains(err.Error(), "connection refused") || strings.Contains(err.Error(), "secret") {
			t.Errorf("error %v, want one that says what is wrong and no password", err)
		}
	})
	t.Run("at a URL without such a database", func(t *testing.T) {
		t.Parallel()
		url := with(t, pgtest.URL(t), "dbname", "not_there")
		_, err := pg.Open(t.Context(), pg.Config{URL: url})
		if err == nil || !strings.Contains(err.Error(), "not_there") {
			t.Errorf("error %v, want one that names the database", err)
		}
	})
	t.Run("at what is no URL", func(t *testing.T) {
		t.Parallel()
		_, err := pg.Open(t.Context(), pg.Config{URL: "postgres://someone:secret@host:port/"})
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("error %v, want one without the password", err)
		}
	})
}
