package pg

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"github.com/pharos-mcp/pharos/queries"
)

// migrationLockLimit bounds each wait of a migration for a lock, so that it
// fails rather than make everything that queues behind it fail.
const migrationLockLimit = 5 * time.Second

// Migrate brings the schemas of owners up to date, each from its own folder
// and with its own table of versions. Instances that start at once wait for
// each other. A database that is ahead of this program is left as it is: while
// instances are replaced one by one, an old one may still start.
func Migrate(ctx context.Context, url string, owners ...string) error {
	c, err := poolConfig(url)
	if err != nil {
		return err
	}
	return migrate(ctx, c.ConnConfig, queries.Migrations, owners)
}

// migrate runs what source holds in the owners' folders.
func migrate(ctx context.Context, c *pgx.ConnConfig, source fs.FS, owners []string) error {
	c = c.Copy()
	c.RuntimeParams["lock_timeout"] = "0"
	c.RuntimeParams["statement_timeout"] = "0"
	c.RuntimeParams["idle_in_transaction_session_timeout"] = "0"
	turn, err := pgx.ConnectConfig(ctx, c)
	if err != nil {
		return err
	}
	defer turn.Close(context.WithoutCancel(ctx)) // and with it the lock
	if _, err := turn.Exec(ctx, "SELECT pg_advisory_lock(hashtext('pharos migrations'))"); err != nil {
		return err
	}
	c.RuntimeParams["lock_timeout"] = milliseconds(migrationLockLimit)
	db := stdlib.OpenDB(*c)
	defer db.Close()
	for _, owner := range owners {
		if err := migrateOwner(ctx, db, source, owner); err != nil {
			return fmt.Errorf("migrate %s: %w", owner, err)
		}
	}
	return nil
}

// migrateOwner runs the migrations of one owner that have not run yet, each in
// a transaction of its own.
func migrateOwner(ctx context.Context, db *sql.DB, source fs.FS, owner string) error {
	folder, err := fs.Sub(source, owner+"/migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, folder,
		goose.WithTableName("public."+owner+"_migration"), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	if partial, ok := errors.AsType[*goose.PartialError](err); ok {
		return fmt.Errorf("%s: %w", partial.Failed.Source.Path, partial.Err)
	}
	return err
}
