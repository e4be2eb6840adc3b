package assignment_test

import (
	"bytes"
	"context"
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/assignment"
)

// cut is where connections break: at COMMIT, and how many times.
type cut struct {
	left  atomic.Int64 // how often it happens yet
	after bool         // the server has committed; else it never hears of it
	// dead refuses new connections once one is cut.
	dead bool
	gone atomic.Bool
}

// cutting is a connection that breaks.
type cutting struct {
	net.Conn
	*cut
	replying bool
}

// Write implements net.Conn.
func (c *cutting) Write(b []byte) (int, error) {
	if bytes.Equal(b, []byte("Q\x00\x00\x00\x0bcommit\x00")) && c.left.Add(-1) >= 0 {
		if !c.after {
			return 0, c.end()
		}
		c.replying = true
	}
	return c.Conn.Write(b)
}

// Read implements net.Conn.
func (c *cutting) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.replying {
		return 0, c.end() // the reply is there: it is committed
	}
	return n, err
}

func (c *cutting) end() error {
	c.gone.Store(true)
	_ = c.Close()
	return net.ErrClosed
}

// cutting gives a service whose connections break, as one must before the test
// ends.
func (b table) cutting(c *cut) *assignment.Service {
	b.t.Helper()
	config := b.pool.Config()
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		if c.dead && c.gone.Load() {
			return nil, &net.OpError{Op: "dial", Err: net.ErrClosed}
		}
		conn, err := dial(ctx, network, address)
		return &cutting{Conn: conn, cut: c}, err
	}
	pool, err := pgxpool.NewWithConfig(b.t.Context(), config)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		pool.Close()
		if !c.gone.Load() {
			b.t.Error("no connection broke")
		}
	})
	return b.over(pool)
}

// TestLostAtCommit loses the connection while committing, once or three times:
// it is written once, and by this call.
//
// clause: P-25
func TestLostAtCommit(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]bool{"before the server has it": false, "after the server has done it": true} {
		for _, times := range []int64{1, 3} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				b := newTable(t)
				lose := func() *assignment.Service {
					c := &cut{after: after}
					c.left.Store(times)
					return b.cutting(c)
				}
				one := turn(1)
				r, err := lose().Commit(t.Context(), b.seat, one)
				if err != nil || r.Replayed || r.Version != 2 {
					t.Fatalf("%+v, error %v", r, err)
				}
				f, err := lose().Finish(t.Context(), b.seat, ending(2))
				if err != nil || f.Replayed || f.Version != 3 {
					t.Fatalf("%+v, error %v", f, err)
				}
				d, err := lose().Review(t.Context(), gm, b.id, review(3, r.Consequences[0].ID))
				if err != nil || d.Replayed || d.Version != 4 {
					t.Fatalf("%+v, error %v", d, err)
				}
				again, err := b.Commit(t.Context(), b.seat, one)
				r.Replayed = true
				if err != nil {
					t.Error(err)
				}
				same(t, again, r)
				a, replayed, err := lose().Create(t.Context(), gm, content())
				if err != nil || replayed || a.Version != 1 {
					t.Errorf("%+v, replayed %v, error %v", a, replayed, err)
				}
				token, _, err := lose().GenerateToken(t.Context(), gm, b.id)
				if err != nil {
					t.Error(err)
				}
				b.sits(token, true)
				b.holds()
			})
		}
	}
}

// TestLostForGood loses the connection while committing and gets no other: the
// outcome is unknown, and the same again settles it.
//
// clause: P-25
func TestLostForGood(t *testing.T) {
	t.Parallel()
	// Both at once: each takes as long as a write may.
	var both sync.WaitGroup
	for _, after := range []bool{false, true} {
		b := newTable(t)
		c := &cut{after: after, dead: true}
		c.left.Store(1)
		s, one := b.cutting(c), turn(1)
		both.Go(func() {
			_, err := s.Commit(t.Context(), b.seat, one)
			refused(t, err, fault.Unavailable, "outcome is unknown")
			refused(t, err, fault.Unavailable, "operation_id")
			r, err := b.Commit(t.Context(), b.seat, one)
			if err != nil || r.Version != 2 || r.Replayed != after {
				t.Errorf("committed %v: %+v, error %v", after, r, err)
			}
			if a, _, err := b.Get(t.Context(), gm, b.id); err != nil || a.Version != 2 {
				t.Errorf("committed %v: version %d, error %v", after, a.Version, err)
			}
		})
	}
	both.Wait()
}
