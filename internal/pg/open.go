package pg

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// startLimit is how long Open waits for a server that does not answer yet.
const startLimit = 30 * time.Second

// Config says which database.
type Config struct {
	URL   string // of a server that runs already; "": a private one
	State string // the folder of the private server
}

// DB is an open database.
type DB struct {
	*pgxpool.Pool
	Folder string // the private server's; "" where a URL was given
}

// Open connects to the database and migrates the schemas of owners.
func Open(ctx context.Context, c Config, owners ...string) (*DB, error) {
	if err := Migrate(ctx, c.URL, owners...); err != nil {
		return nil, err
	}
	pool, err := Pool(ctx, c.URL)
	if err != nil {
		return nil, err
	}
	return &DB{Pool: pool}, nil
}

// Close waits for what uses the database, and ends the private server.
func (d *DB) Close() error {
	d.Pool.Close()
	return nil
}
