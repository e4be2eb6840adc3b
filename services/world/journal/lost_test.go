package journal_test

import (
	"bytes"
	"context"
	"net"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// cut breaks the connection at COMMIT while it is armed: before the server hears
// of it, or after.
type cut struct {
	armed atomic.Bool
	after bool
	dead  atomic.Bool // no new connection is made
	stays bool        // it is dead once it is cut
}

type cutting struct {
	net.Conn
	*cut
	replying bool
}

// Write implements net.Conn.
func (c *cutting) Write(b []byte) (int, error) {
	if bytes.Equal(b, []byte("Q\x00\x00\x00\x0bcommit\x00")) && c.armed.CompareAndSwap(true, false) {
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
		return 0, c.end()
	}
	return n, err
}

func (c *cutting) end() error {
	c.dead.Store(c.stays)
	_ = c.Close()
	return net.ErrClosed
}

// through is the same journal over connections that break.
func (d desk) through(c *cut) desk {
	d.t.Helper()
	config := d.pool.Config()
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		if c.dead.Load() {
			return nil, &net.OpError{Op: "dial", Err: net.ErrClosed}
		}
		conn, err := dial(ctx, network, address)
		return &cutting{Conn: conn, cut: c}, err
	}
	pool, err := pgxpool.NewWithConfig(d.t.Context(), config)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(pool.Close)
	d.Store = journal.New(journal.Config{Pool: pool, World: d.world, Now: d.clock})
	return d
}

// A connection that is lost at any commit of an operation's life, before or
// after the server has done it, makes no difference: each step is done once.
//
// clause: W-15, W-20, W-24
func TestLostAtCommit(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]bool{"before": false, "after": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &cut{after: after}
			d := newDesk(t).through(c)
			step := func(what string) {
				t.Helper()
				if c.armed.Swap(true) {
					t.Errorf("no connection broke before: %s", what)
				}
			}
			step("put")
			p := d.put(plan(3))
			step("begin")
			o := d.begin(p)
			step("intent")
			slice := journal.Slice{Operation: o.ID, Index: 0, Intent: []int{0, 1}, Written: []int{0, 1}, Conflicts: []int{}, Confirmed: true}
			must[journal.Operation](t)(d.Intent(t.Context(), slice))
			step("confirm")
			if got := must[journal.Operation](t)(d.Confirm(t.Context(), slice, nil)); got.Written != 2 {
				t.Errorf("%d written", got.Written)
			}
			step("cancel")
			must[journal.Operation](t)(d.Cancel(t.Context(), o.ID))
			step("finish")
			d.finish(o, journal.Cancelled)
			step("another plan")
			done := d.built(plan(1))
			step("part")
			part := must[journal.Part](t)(d.PutPart(t.Context(), journal.Part{
				ID: uuid.New(), Project: "default", Player: player, Name: "part", Operation: done.ID,
			}))
			lost := d.begin(d.put(plan(1)))
			step("mark")
			if list := must[[]journal.Operation](t)(d.MarkUnfinished(t.Context(), "")); len(list) != 1 {
				t.Errorf("%+v", list)
			}
			step("abandon")
			must[journal.Operation](t)(d.Abandon(t.Context(), lost.ID, digest, ""))
			step("end")
			if diff := cmp.Diff([]journal.Slice{slice}, must[[]journal.Slice](t)(d.Slices(t.Context(), o.ID))); diff != "" {
				t.Error(diff)
			}
			if list := must[[]journal.Operation](t)(d.Recent(t.Context(), "default", 9)); len(list) != 3 {
				t.Errorf("%d operations", len(list))
			}
			if parts := must[[]journal.Part](t)(d.Parts(t.Context(), "default", 9)); len(parts) != 1 || parts[0].ID != part.ID {
				t.Errorf("%+v", parts)
			}
		})
	}
}

// Where the database is gone after a commit, the caller is told that it may have
// been done, and the same call finds out once the database is back.
//
// clause: W-15, W-24
func TestLostForAWhile(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it waits 20 s for a database that is gone")
	}
	for name, after := range map[string]bool{"before": false, "after": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &cut{after: after, stays: true}
			d := newDesk(t).through(c)
			r := request(d.put(plan(1)))
			c.armed.Store(true)
			_, _, err := d.Begin(t.Context(), r)
			refused(t, err, fault.Unavailable, "lost before it said whether this was done")
			c.dead.Store(false)
			o, created, err := d.Begin(t.Context(), r)
			if err != nil || !created || o.ID != r.ID || o.Number != 1 {
				t.Errorf("%+v, created %v, %v", o, created, err)
			}
		})
	}
}
