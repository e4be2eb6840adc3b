package wiki

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/play/check"
	"github.com/pharos-mcp/pharos/services/play/fold"
)

// Config is what a Service needs.
type Config struct {
	Pool *pgxpool.Pool    // with play's schema
	Now  func() time.Time // time.Now if nil
}

// Service is the wikis of all authors. It is safe for concurrent use.
type Service struct {
	pool *pgxpool.Pool
	now  func() time.Time
}

// New makes a Service.
func New(c Config) *Service {
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Service{c.Pool, c.Now}
}

// List gives a part of an owner's pages by identifier, without their bodies, and
// how many there are. A part has 1 to MaxPage of them.
func (s *Service) List(ctx context.Context, owner uuid.UUID, offset, limit int) (total int, list []Page, err error) {
	if err := check.Page(offset, limit, MaxPage); err != nil {
		return 0, nil, err
	}
	err = pg.Read(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) (err error) {
		if total, err = count(ctx, tx, owner); err != nil {
			return err
		}
		list, err = listOf(ctx, tx, owner, offset, limit)
		return err
	})
	return total, list, err
}

// Read gives a page of an owner.
func (s *Service) Read(ctx context.Context, owner uuid.UUID, id string) (out Page, err error) {
	err = pg.Read(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		p, err := find(ctx, tx, owner, id)
		if err != nil {
			return err
		}
		if p == nil {
			return noPage()
		}
		out = *p
		return nil
	})
	return out, err
}

// Search gives the owner's pages that contain a text, by identifier, at most
// MaxHits. The text has 1 to MaxQuery characters and is not blank. One of which
// nothing is left when it is folded stands nowhere.
func (s *Service) Search(ctx context.Context, owner uuid.UUID, query string) (hits []Hit, err error) {
	if err := check.Text("query", query, 1, MaxQuery); err != nil {
		return nil, err
	}
	folded := fold.Text(query)
	if folded == "" {
		return []Hit{}, nil
	}
	var pages []Page
	err = pg.Read(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) (err error) {
		pages, err = containing(ctx, tx, owner, folded)
		return err
	})
	hits = make([]Hit, len(pages))
	for i, p := range pages {
		hits[i] = Hit{p.ID, p.Title, fold.Excerpt(p.Body, query, MaxExcerpt)}
	}
	return hits, err
}

// What does not exist is told in these words, also where another owner has it.
func noPage() error { return fault.New(fault.NotFound, "there is no such wiki page") }
