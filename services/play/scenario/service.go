package scenario

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/play/check"
)

// Config is what a Service needs.
type Config struct {
	Pool *pgxpool.Pool    // with play's schema
	Now  func() time.Time // time.Now if nil
}

// Service is the scenarios of all authors. It is safe for concurrent use.
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

// List gives a part of an owner's scenarios, the oldest first, so that it stays
// as it is when others are created, and how many there are. A part has 1 to
// MaxPage of them.
func (s *Service) List(ctx context.Context, owner uuid.UUID, offset, limit int) (total int, list []Scenario, err error) {
	if err := check.Page(offset, limit, MaxPage); err != nil {
		return 0, nil, err
	}
	err = pg.Read(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) (err error) {
		if total, err = countOf(ctx, tx, owner); err != nil {
			return err
		}
		list, err = listOf(ctx, tx, owner, offset, limit)
		return err
	})
	return total, list, err
}

// Get gives a scenario of an owner with all its versions.
func (s *Service) Get(ctx context.Context, owner, id uuid.UUID) (out Scenario, err error) {
	err = pg.Read(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) (err error) {
		out, err = load(ctx, tx, owner, id)
		return err
	})
	return out, err
}

// writing is a change of a scenario that is under way.
type writing struct {
	tx       pgx.Tx
	scenario Scenario // locked, without its versions
	now      time.Time
	// repeated says that the change was made before, and that nobody knows
	// whether it was committed: what it would have left is no conflict.
	repeated bool
}

// change runs f while nobody else changes the owner's scenario.
func (s *Service) change(ctx context.Context, owner, id uuid.UUID, f func(context.Context, writing) error) error {
	w := writing{now: pg.Time(s.now())}
	return pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) (err error) {
		w.tx = tx
		if w.scenario, err = lock(ctx, tx, owner, id); err != nil {
			return err
		}
		err = f(ctx, w)
		w.repeated = w.repeated || err == nil
		return err
	})
}

// touch notes that the scenario changes.
func (w writing) touch(ctx context.Context) error {
	return save(ctx, w.tx, w.scenario.ID, w.scenario.Latest, w.now)
}

// draft finds a version that may change.
func (w writing) draft(ctx context.Context, number int64) error {
	v, err := findVersion(ctx, w.tx, w.scenario.ID, number)
	if err == nil && v.Status == Published {
		err = fault.Newf(fault.Conflict, "version %d is published and never changes; make a new version", number)
	}
	return err
}

// expect holds a revision against the one that a caller has read.
func expect(revision, expected int64) error {
	if revision != expected {
		return fault.Newf(fault.Conflict, "revision is %d, not %d; read it again", revision, expected)
	}
	return nil
}

// What does not exist is told in these words, also where it is another owner's.
func noScenario() error { return fault.New(fault.NotFound, "there is no such scenario") }
func noVersion() error  { return fault.New(fault.NotFound, "the scenario has no such version") }
func noNode() error     { return fault.New(fault.NotFound, "the version has no such node") }
