package pg

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg/embedded"
)

// Config says which database.
type Config struct {
	URL   string       // of a server that runs already; "" for a private one
	State string       // the folder of the private server, made where it does not exist
	Log   *slog.Logger // what the private server does by itself; nil for nowhere
}

// DB is an open database.
type DB struct {
	*pgxpool.Pool
	URL    string // where others may connect; of a given one it holds its password
	Folder string // the private server's, "" where there is none

	server *embedded.Server
}

// openLimit is how long Open waits for a server that does not answer yet; the
// first start of a private one makes its data.
const openLimit = time.Minute

// Open connects to the database, starting the private server where no URL
// names one, and migrates the schemas of owners.
func Open(ctx context.Context, c Config, owners ...string) (*DB, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, openLimit, fmt.Errorf("waited for %s", openLimit))
	defer cancel()
	db := &DB{URL: c.URL}
	if c.URL == "" {
		log := c.Log
		if log == nil {
			log = slog.New(slog.DiscardHandler)
		}
		server, err := embedded.Open(ctx, c.State, log)
		if err != nil {
			return nil, err
		}
		db.server, db.URL, db.Folder = server, server.URL(), server.Folder()
	}
	if err := db.connect(ctx, owners); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// connect migrates and makes the pool. Of several programs that are started at
// once the database is not always the first, so it waits for one that cannot be
// reached yet.
func (d *DB) connect(ctx context.Context, owners []string) error {
	for {
		err := Migrate(ctx, d.URL, owners...)
		if err == nil {
			break
		}
		if !passing(err) {
			return err
		}
		select {
		case <-time.After(lastPause):
		case <-ctx.Done():
			return fmt.Errorf("database: %w: %w", context.Cause(ctx), err)
		}
	}
	pool, err := Pool(d.URL)
	d.Pool = pool
	return err
}

// Close waits for what uses the database, and gives up the private server.
func (d *DB) Close() {
	if d.Pool != nil {
		d.Pool.Close()
	}
	if d.server != nil {
		d.server.Close()
	}
}
