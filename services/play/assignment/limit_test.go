package assignment_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/play/assignment"
)

// held runs f while another transaction holds the assignment as a write does.
func (b table) held(f func()) {
	b.t.Helper()
	err := pgx.BeginFunc(b.t.Context(), b.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(b.t.Context(), "SELECT FROM play.assignment WHERE id = $1 FOR NO KEY UPDATE", b.id)
		if err == nil {
			f()
		}
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// within gives a service whose sessions have a limit.
func (b table) within(limit, value string) *assignment.Service {
	b.t.Helper()
	c := b.pool.Config()
	c.ConnConfig.RuntimeParams[limit] = value
	pool, err := pgxpool.NewWithConfig(b.t.Context(), c)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(pool.Close)
	return b.over(pool)
}

// slow makes the database slow where a turn is written, once: at the statement,
// or at COMMIT.
func (b table) slow(when string) {
	b.t.Helper()
	b.exec(`
		CREATE SEQUENCE slow;
		CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN
			IF nextval('slow') = 1 THEN PERFORM pg_sleep(60); END IF;
			RETURN NULL;
		END $$;
		CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON play.event ` + when + ` FOR EACH ROW EXECUTE FUNCTION slow()`)
}

// writes are the operations, each of which waits for the assignment.
func (b table) writes(s *assignment.Service, consequence uuid.UUID, version int64) map[string]func() error {
	return map[string]func() error{
		"commit": func() error { _, err := s.Commit(b.t.Context(), b.seat, turn(version)); return err },
		"finish": func() error { _, err := s.Finish(b.t.Context(), b.seat, ending(version)); return err },
		"review": func() error {
			_, err := s.Review(b.t.Context(), gm, b.id, review(version, consequence))
			return err
		},
	}
}

// TestLockWait waits for an assignment that another write holds.
//
// clause: P-26
func TestLockWait(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	r := b.commit(turn(1))
	s := b.within("lock_timeout", "50")
	b.unchanged(func() {
		b.held(func() {
			for name, write := range b.writes(s, r.Consequences[0].ID, 2) {
				err := write()
				if f := fault.From(err); fault.CodeOf(err) != fault.Unavailable || f.RetryAfter <= 0 {
					t.Errorf("%s: error %v", name, err)
				}
				refused(t, err, fault.Unavailable, "nothing was changed, try again")
			}
			if _, _, err := s.Get(t.Context(), player, b.id); err != nil {
				t.Errorf("a reader waits: %v", err)
			}
		})
	})
	one := turn(2)
	b.held(func() {
		if _, err := s.Commit(t.Context(), b.seat, one); fault.CodeOf(err) != fault.Unavailable {
			t.Errorf("error %v", err)
		}
	})
	b.commit(one)
}

// TestStatementTime runs out of time in a statement.
//
// clause: P-26
func TestStatementTime(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	b.slow("")
	one := turn(1)
	b.unchanged(func() {
		_, err := b.within("statement_timeout", "50").Commit(t.Context(), b.seat, one)
		refused(t, err, fault.Timeout, "nothing was written")
		if f := fault.From(err); f.RetryAfter <= 0 {
			t.Errorf("try again after %s", f.RetryAfter)
		}
	})
	b.commit(one)
}

// TestCommitTime has a COMMIT that the server's limits do not bound: it is given
// up, and the turn is written by the run that asks what became of it.
//
// clause: P-26
func TestCommitTime(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	b.slow("DEFERRABLE INITIALLY DEFERRED")
	began := time.Now()
	b.commit(turn(1))
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %s", took)
	}
	b.holds()
}

// TestNoConnection has a pool that is in use, and a database that is gone.
//
// clause: P-26
func TestNoConnection(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	token := b.token(gm)
	c := b.pool.Config()
	c.ConnConfig.Host, c.ConnConfig.Fallbacks = t.TempDir(), nil
	pool, err := pgxpool.NewWithConfig(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	s := b.over(pool)
	all := b.writes(s, uuid.New(), 1)
	all["create"] = func() error { _, _, err := s.Create(t.Context(), gm, content()); return err }
	all["get"] = func() error { _, _, err := s.Get(t.Context(), gm, b.id); return err }
	all["list"] = func() error { _, err := s.List(t.Context(), gm); return err }
	all["consequences"] = func() error { _, _, err := s.Consequences(t.Context(), gm, b.id, 0, 1); return err }
	all["generate"] = func() error { _, _, err := s.GenerateToken(t.Context(), gm, b.id); return err }
	all["revoke"] = func() error { return s.RevokeToken(t.Context(), gm, b.id) }
	all["seat"] = func() error { _, err := s.Seat(t.Context(), token); return err }
	for name, f := range all {
		if err := f(); fault.CodeOf(err) != fault.Unavailable || fault.From(err).RetryAfter <= 0 {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestCallerGone loses its caller while it waits for the assignment: it goes on,
// and who repeats it gets its receipt.
//
// clause: P-21, P-25
func TestCallerGone(t *testing.T) {
	t.Parallel()
	b := newTable(t)
	one := turn(1)
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	b.held(func() {
		go func() {
			_, err := b.Commit(ctx, b.seat, one)
			gone <- err
		}()
		b.waits()
		cancel()
	})
	if err := <-gone; err != nil {
		t.Errorf("error %v", err)
	}
	r, err := b.Commit(t.Context(), b.seat, one)
	if err != nil || !r.Replayed || r.Version != 2 {
		t.Errorf("%+v, error %v", r, err)
	}
	b.holds()
	b.unchanged(func() { // and one whose caller has gone before does not begin
		if _, err := b.Commit(ctx, b.seat, turn(2)); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}

// waits returns when somebody waits for a lock in the database.
func (b table) waits() {
	b.t.Helper()
	other := pgtest.Pool(b.t, b.pool.Config().ConnString())
	for deadline := time.Now().Add(10 * time.Second); ; {
		var n int
		err := other.QueryRow(b.t.Context(),
			"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&n)
		if err != nil {
			b.t.Fatal(err)
		}
		if n > 0 {
			return
		}
		if time.Now().After(deadline) {
			b.t.Fatal("nobody waits")
		}
	}
}
