package scenario_test

import (
	"bytes"
	"context"
	"net"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/services/play/scenario"
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
	lost := func(name string, do func() error) {
		t.Helper()
		armed.Store(true)
		if err := do(); err != nil || armed.Load() {
			t.Errorf("%s: %v; lost: %v", name, err, !armed.Load())
		}
	}
	lost("Create", func() error { _, err := f.Create(f.ctx(), ada, a(tale)); return err })
	lost("CreateNode", func() error { _, err := f.CreateNode(f.ctx(), ada, tale, 1, scene("yard")); return err })
	lost("CreateNode", func() error { _, err := f.CreateNode(f.ctx(), ada, tale, 1, scene("mill")); return err })
	lost("UpdateNode", func() error {
		n, err := f.UpdateNode(f.ctx(), ada, tale, 1, "yard", 1, scenario.NodeContent{Kind: "scene", Title: "T"})
		if n.Revision != 2 || n.Title != "T" {
			t.Errorf("%+v", n)
		}
		return err
	})
	lost("DeleteNode", func() error { return f.DeleteNode(f.ctx(), ada, tale, 1, "mill", 1) })
	lost("Publish", func() error { _, err := f.Publish(f.ctx(), ada, tale, 1, 5); return err })
	lost("NewVersion", func() error {
		s, err := f.NewVersion(f.ctx(), ada, tale, 1)
		if s.Latest != 2 || len(s.Versions) != 2 || s.Versions[0].Revision != 5 {
			t.Errorf("%+v", s)
		}
		return err
	})
}
