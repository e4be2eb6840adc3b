package pg_test

import (
	"context"
	"io/fs"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/queries"
)

// files makes migrations of their names and statements.
func files(of ...string) fstest.MapFS {
	out := fstest.MapFS{}
	for i := 0; i < len(of); i += 2 {
		out[of[i]] = &fstest.MapFile{Data: []byte("-- +goose Up\n" + of[i+1] + "\n")}
	}
	return out
}

// texts gives the rows of one text column.
func texts(t *testing.T, pool *pgxpool.Pool, sql string) []string {
	t.Helper()
	rows, err := pool.Query(t.Context(), sql)
	if err != nil {
		t.Fatal(err)
	}
	out, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return out
}

const ran = "SELECT version_id::text FROM public.shop_migration WHERE version_id > 0 ORDER BY id"

func TestMigrate(t *testing.T) {
	t.Parallel()
	first := []string{
		"shop/migrations/00001_schema.sql", "CREATE SCHEMA shop; CREATE TABLE shop.a (n int);",
		"shop/migrations/00002_more.sql", "CREATE TABLE shop.b (n int); INSERT INTO shop.b VALUES (1); SELECT pg_sleep(0.1);",
	}
	t.Run("runs each once, however many start at once", func(t *testing.T) {
		t.Parallel()
		url := pgtest.URL(t)
		var all sync.WaitGroup
		for range 12 {
			all.Go(func() {
				if err := pg.MigrateFrom(t.Context(), url, files(first...), "shop"); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		pool := pgtest.Pool(t, url)
		if diff := cmp.Diff([]string{"1", "2"}, texts(t, pool, ran)); diff != "" {
			t.Error("versions (-want +got):\n" + diff)
		}
		if diff := cmp.Diff([]string{"1"}, texts(t, pool, "SELECT n::text FROM shop.b")); diff != "" {
			t.Error("rows (-want +got):\n" + diff)
		}
	})
	t.Run("goes on where it was", func(t *testing.T) {
		t.Parallel()
		url := pgtest.URL(t)
		more := append(first, "shop/migrations/00003_most.sql", "INSERT INTO shop.b VALUES (2);")
		for _, source := range []fs.FS{files(first...), files(more...), files(more...), files(first...)} {
			if err := pg.MigrateFrom(t.Context(), url, source, "shop"); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff([]string{"1", "2", "3"}, texts(t, pgtest.Pool(t, url), ran)); diff != "" {
			t.Error("versions (-want +got):\n" + diff)
		}
	})
	t.Run("leaves nothing of one that fails, and names it", func(t *testing.T) {
		t.Parallel()
		url := pgtest.URL(t)
		wrong := append(first, "shop/migrations/00003_wrong.sql", "CREATE TABLE shop.c (n int); INSERT INTO shop.d VALUES (1);")
		err := pg.MigrateFrom(t.Context(), url, files(wrong...), "shop")
		if err == nil || !strings.Contains(err.Error(), "00003_wrong.sql") || !strings.Contains(err.Error(), "shop.d") {
			t.Errorf("error %v, want one that names the file and the reason", err)
		}
		pool := pgtest.Pool(t, url)
		if diff := cmp.Diff([]string{"1", "2"}, texts(t, pool, ran)); diff != "" {
			t.Error("versions (-want +got):\n" + diff)
		}
		if got := texts(t, pool, "SELECT 'there' FROM pg_tables WHERE schemaname = 'shop' AND tablename = 'c'"); len(got) != 0 {
			t.Error("a table of the failed migration is there")
		}
	})
	t.Run("keeps its owners apart", func(t *testing.T) {
		t.Parallel()
		url := pgtest.URL(t)
		both := append(first, "bank/migrations/00001_schema.sql", "CREATE SCHEMA bank;")
		if err := pg.MigrateFrom(t.Context(), url, files(both...), "shop", "bank"); err != nil {
			t.Fatal(err)
		}
		got := texts(t, pgtest.Pool(t, url), "SELECT version_id::text FROM public.bank_migration WHERE version_id > 0")
		if diff := cmp.Diff([]string{"1"}, got); diff != "" {
			t.Error("versions (-want +got):\n" + diff)
		}
	})
	t.Run("waits for no lock for ever", func(t *testing.T) {
		t.Parallel()
		url := pgtest.URL(t)
		pool := pgtest.Pool(t, url)
		ledger(t, pool)
		source := files("shop/migrations/00001_wait.sql", "SHOW lock_timeout; ALTER TABLE event ADD COLUMN more text;")
		err := pg.Write(t.Context(), pool, func(ctx context.Context, tx pgx.Tx) error {
			if err := run("LOCK TABLE event")(ctx, tx); err != nil {
				return err
			}
			return pg.MigrateFrom(ctx, with(t, url, "application_name", "migration"), source, "shop")
		})
		refuses(t, err)
	})
}

// TestMigrations holds the migrations of all owners to the rules of the
// package.
func TestMigrations(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`^[a-z]+/migrations/([0-9]{5})_[a-z0-9_]+\.sql$`)
	last := map[string]string{}
	err := fs.WalkDir(queries.Migrations, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		m := name.FindStringSubmatch(path)
		if m == nil {
			t.Errorf("%s is not <owner>/migrations/<five digits>_<concept>.sql", path)
			return nil
		}
		owner, _, _ := strings.Cut(path, "/")
		if m[1] == last[owner] {
			t.Errorf("%s: there are two of that number", path)
		}
		last[owner] = m[1]
		content, err := fs.ReadFile(queries.Migrations, path)
		if strings.Contains(string(content), "+goose Down") {
			t.Errorf("%s: migrations only go forward", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(last) == 0 {
		t.Error("there are no migrations")
	}
}
