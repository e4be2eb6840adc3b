package journal

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/generated/worlddb"
	"github.com/pharos-mcp/pharos/internal/pg"
)

var queries = worlddb.New()

// Config is what a store needs.
type Config struct {
	Pool  *pgxpool.Pool
	World uuid.UUID        // whose journal it is
	Now   func() time.Time // nil for PostgreSQL's clock
}

// Store is the journal of one world: what belongs to another is not found. It
// is safe for concurrent use.
type Store struct {
	pool  *pgxpool.Pool
	world uuid.UUID
	now   func() time.Time
}

// New returns the store of a world.
func New(c Config) *Store { return &Store{c.Pool, c.World, c.Now} }

// clock is the time that statements are to use, or nil for the server's.
func (s *Store) clock() *time.Time {
	if s.now == nil {
		return nil
	}
	now := pg.Time(s.now())
	return &now
}

// locked is a write that has its world to itself.
type locked struct {
	*Store
	tx   pgx.Tx
	now  time.Time
	last int64 // the number of the newest operation
}

// write runs f, whose world nobody else writes about until it ends. What f
// finds of its own from a run before is what it returns.
func (s *Store) write(ctx context.Context, f func(ctx context.Context, l locked) error) error {
	return pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		row, err := s.lock(ctx, tx)
		if err != nil {
			return err
		}
		return f(ctx, locked{s, tx, row.Now, row.LastNumber})
	})
}

// lock locks the row of the world, and makes it where there is none.
func (s *Store) lock(ctx context.Context, tx pgx.Tx) (worlddb.LockWorldRow, error) {
	p := worlddb.LockWorldParams{ID: s.world, Now: s.clock()}
	row, err := queries.LockWorld(ctx, tx, p)
	if found, err := pg.Found(err); err != nil || found {
		return row, err
	}
	if err := s.putWorld(ctx, tx); err != nil {
		return row, err
	}
	return queries.LockWorld(ctx, tx, p)
}

func (s *Store) putWorld(ctx context.Context, tx pgx.Tx) error {
	return queries.PutWorld(ctx, tx, worlddb.PutWorldParams{ID: s.world, Now: s.clock()})
}

// read runs f in a snapshot.
func (s *Store) read(ctx context.Context, f pg.Work) error { return pg.Read(ctx, s.pool, f) }
