package wiki_test

import (
	"bytes"
	"context"
	"net"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
)

// forgetful is a connection that breaks when the server has committed, each time
// that it is armed.
type forgetful struct {
	net.Conn
	armed    *atomic.Bool
	replying bool
}

func (c *forgetful) Write(b []byte) (int, error) {
	if bytes.Equal(b, []byte("Q\x00\x00\x00\x0bcommit\x00")) && c.armed.CompareAndSwap(true, false) {
		c.replying = true
	}
	return c.Conn.Write(b)
}

func (c *forgetful) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.replying {
		_ = c.Close()
		return 0, net.ErrClosed
	}
	return n, err
}

// TestLostCommits loses the answer to every commit: each change is made once,
// and its caller gets the answer.
func TestLostCommits(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var armed atomic.Bool
	config := f.pool.Config()
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return &forgetful{Conn: conn, armed: &armed}, err
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	f.Service = service(pool)
	lost := func(name string, revision int64, do func() error) {
		t.Helper()
		armed.Store(true)
		if err := do(); err != nil || armed.Load() {
			t.Errorf("%s: %v; lost: %v", name, err, !armed.Load())
		}
		if p, err := f.Read(f.ctx(), ada, "wolf"); p.Revision != revision || (err == nil) != (revision > 0) {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
	lost("Create", 1, func() error { _, err := f.Create(f.ctx(), ada, "wolf", "The wolf", ""); return err })
	lost("Update", 2, func() error {
		p, err := f.Update(f.ctx(), ada, "wolf", 1, "The wolf", "Grey.")
		if p.Revision != 2 || p.Body != "Grey." {
			t.Errorf("%+v", p)
		}
		return err
	})
	lost("Delete", 0, func() error { return f.Delete(f.ctx(), ada, "wolf", 2) })
}
