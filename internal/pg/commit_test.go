package pg_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// commit is the message of a COMMIT.
var commit = []byte("Q\x00\x00\x00\x0bcommit\x00")

// breaking is a connection that breaks once, at a commit.
type breaking struct {
	net.Conn
	on *breakage
	// replying is set from when the commit was sent.
	replying bool
}

// breakage says where connections break, and how often they have.
type breakage struct {
	after  bool        // the server has committed; else it never hears of it
	then   func()      // done once the connection is broken
	broken atomic.Bool // it happens once
	once   sync.Once
}

var errBroken = &net.OpError{Op: "test", Err: errors.New("broken")}

func (c *breaking) Write(b []byte) (int, error) {
	if bytes.Equal(b, commit) && c.on.broken.CompareAndSwap(false, true) {
		if !c.on.after {
			return 0, c.cut()
		}
		c.replying = true
	}
	return c.Conn.Write(b)
}

func (c *breaking) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.replying {
		return 0, c.cut() // the reply is there: the commit is done
	}
	return n, err
}

func (c *breaking) cut() error {
	_ = c.Conn.Close()
	c.on.once.Do(func() {
		if c.on.then != nil {
			c.on.then()
		}
	})
	return errBroken
}

// poolThat gives a pool whose connections break.
func poolThat(t *testing.T, url string, breaks *breakage) *pgxpool.Pool {
	t.Helper()
	c, err := pgxpool.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	dial := c.ConnConfig.DialFunc
	c.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &breaking{Conn: conn, on: breaks}, nil
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// ledger makes the tables that record writes: a receipt for each key, and an
// event for each time that one was not there.
func ledger(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	_, err := pool.Exec(t.Context(), `
		CREATE TABLE receipt (key text CONSTRAINT receipt_pkey PRIMARY KEY);
		CREATE TABLE event (key text)`)
	if err != nil {
		t.Fatal(err)
	}
}

// record writes an event under a key, once.
func record(key string) pg.Work {
	return func(ctx context.Context, tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, "INSERT INTO receipt VALUES ($1) ON CONFLICT DO NOTHING", key)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO event VALUES ($1)", key)
		return err
	}
}

func events(t *testing.T, pool *pgxpool.Pool) (n int) {
	t.Helper()
	if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM event").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// counted counts the runs of a function.
func counted(f pg.Work, runs *int) pg.Work {
	return func(ctx context.Context, tx pgx.Tx) error {
		*runs++
		return f(ctx, tx)
	}
}

func TestUnknownCommit(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		t.Run(map[bool]string{false: "lost before", true: "lost after"}[after], func(t *testing.T) {
			t.Parallel()
			url := pgtest.URL(t)
			ledger(t, pgtest.Pool(t, url))
			pool := poolThat(t, url, &breakage{after: after})
			runs := 0
			if err := pg.Write(t.Context(), pool, counted(record("k"), &runs)); err != nil {
				t.Fatal(err)
			}
			if n := events(t, pool); n != 1 || runs != 2 {
				t.Errorf("%d events after %d runs, want 1 after 2", n, runs)
			}
		})
	}
	t.Run("killed after and started again", func(t *testing.T) {
		t.Parallel()
		s := pgtest.Server(t)
		ledger(t, pgtest.Pool(t, s.URL))
		started := make(chan struct{})
		pool := poolThat(t, s.URL, &breakage{after: true, then: func() {
			s.Kill()
			go func() {
				defer close(started)
				s.Start(t)
			}()
		}})
		runs := 0
		if err := pg.Write(t.Context(), pool, counted(record("k"), &runs)); err != nil {
			t.Fatal(err)
		}
		<-started
		if n := events(t, pool); n != 1 || runs != 2 {
			t.Errorf("%d events after %d runs, want 1 after 2", n, runs)
		}
	})
	t.Run("stopped after and not started again", func(t *testing.T) {
		t.Parallel()
		s := pgtest.Server(t)
		ledger(t, pgtest.Pool(t, s.URL))
		pool := poolThat(t, s.URL, &breakage{after: true, then: s.Stop})
		err := pg.WriteWithin(t.Context(), pool, 300*time.Millisecond, record("k"))
		f := fault.From(err)
		if !errors.Is(err, pg.ErrUnsettled) || pg.TimedOut(err) || f.Code != fault.Unavailable || f.RetryAfter <= 0 {
			t.Fatalf("error %v, want ErrUnsettled as a fault that says when to try again", err)
		}
		s.Start(t)
		if err := pg.Write(t.Context(), pool, record("k")); err != nil {
			t.Fatal(err)
		}
		if n := events(t, pool); n != 1 {
			t.Errorf("%d events, want 1", n)
		}
	})
	t.Run("that takes too long", func(t *testing.T) {
		t.Parallel()
		pool := pgtest.Database(t)
		ledger(t, pool)
		_, err := pool.Exec(t.Context(), `
			CREATE SEQUENCE run;
			CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN
				IF nextval('run') = 1 THEN PERFORM pg_sleep(60); END IF;
				RETURN NULL;
			END $$;
			CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON event DEFERRABLE INITIALLY DEFERRED
				FOR EACH ROW EXECUTE FUNCTION wait()`)
		if err != nil {
			t.Fatal(err)
		}
		runs := 0
		err = pg.WriteCommittingWithin(t.Context(), pool, 500*time.Millisecond, counted(record("k"), &runs))
		if n := events(t, pool); err != nil || n != 1 || runs < 2 {
			t.Errorf("error %v, %d events after %d runs, want none, 1 after 2 or more", err, n, runs)
		}
	})
	t.Run("whose repetition fails for a reason of its own", func(t *testing.T) {
		t.Parallel()
		url := pgtest.URL(t)
		ledger(t, pgtest.Pool(t, url))
		pool := poolThat(t, url, &breakage{})
		want := fault.New(fault.Conflict, "it is another's by now")
		runs := 0
		err := pg.Write(t.Context(), pool, func(ctx context.Context, tx pgx.Tx) error {
			if runs++; runs > 1 {
				return want
			}
			return record("k")(ctx, tx)
		})
		if err != error(want) || events(t, pool) != 0 {
			t.Errorf("error %v and %d events, want %v and none", err, events(t, pool), want)
		}
	})
	t.Run("refused by the server is known", func(t *testing.T) {
		t.Parallel()
		pool := pgtest.Database(t)
		_, err := pool.Exec(t.Context(), `
			CREATE TABLE parent (id int CONSTRAINT parent_pkey PRIMARY KEY);
			CREATE TABLE child (id int CONSTRAINT child_parent REFERENCES parent DEFERRABLE INITIALLY DEFERRED)`)
		if err != nil {
			t.Fatal(err)
		}
		runs := 0
		err = pg.Write(t.Context(), pool, counted(func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, "INSERT INTO child VALUES (1)")
			return err
		}, &runs))
		if err == nil || errors.Is(err, pg.ErrUnsettled) || runs != 1 || fault.CodeOf(err) != fault.Internal {
			t.Errorf("error %v after %d runs, want the constraint's after 1", err, runs)
		}
	})
}
