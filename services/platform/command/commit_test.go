package command_test

import (
	"bytes"
	"context"
	"net"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/services/platform/command"
)

// breaking is a connection that breaks at the first commit of all.
type breaking struct {
	net.Conn
	broken *atomic.Bool
	after  bool // the server has committed; else it never hears of it

	replying bool
}

func (c *breaking) Write(b []byte) (int, error) {
	if bytes.Equal(b, []byte("Q\x00\x00\x00\x0bcommit\x00")) && c.broken.CompareAndSwap(false, true) {
		if !c.after {
			_ = c.Close()
			return 0, net.ErrClosed
		}
		c.replying = true
	}
	return c.Conn.Write(b)
}

func (c *breaking) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.replying {
		_ = c.Close()
		return 0, net.ErrClosed
	}
	return n, err
}

// TestUnknownCommit loses the connection while committing: the command is
// applied once, and its caller gets the answer.
// clause: E-41
func TestUnknownCommit(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]bool{"before the server has it": false, "after the server has done it": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			var broken atomic.Bool
			config := f.pool.Config()
			dial := config.ConnConfig.DialFunc
			config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
				conn, err := dial(ctx, network, address)
				return &breaking{Conn: conn, broken: &broken, after: after}, err
			}
			pool, err := pgxpool.NewWithConfig(t.Context(), config)
			if err != nil {
				t.Fatal(err)
			}
			defer pool.Close()
			f.door = command.NewDoor(pool, f.now)
			ctx, c := as(t.Context(), thing), newCommand()
			for range 2 {
				r, err := f.make(ctx, c, "content")
				if err != nil || r.Status != 201 || r.Rejection != "" {
					t.Errorf("%+v, %v", r, err)
				}
			}
			if n, kept := f.count(t, "thing"), f.count(t, "platform.receipt"); !broken.Load() || n != 1 || kept != 1 {
				t.Errorf("%d rows, %d receipts; broken: %v", n, kept, broken.Load())
			}
		})
	}
}
