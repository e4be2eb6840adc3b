package drain

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// conns are the open connections of a server.
type conns struct {
	next func(net.Conn, http.ConnState)

	mu   sync.Mutex
	open map[*conn]struct{}
	none chan struct{} // closed when the last one is gone; nil until somebody waits
}

func newConns(next func(net.Conn, http.ConnState)) *conns {
	return &conns{next: next, open: map[*conn]struct{}{}}
}

func (cs *conns) add(c *conn) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.open[c] = struct{}{}
}

// changed implements http.Server.ConnState.
func (cs *conns) changed(nc net.Conn, state http.ConnState) {
	if c, ok := nc.(*conn); ok {
		switch state {
		case http.StateIdle:
			c.rest()
		case http.StateClosed, http.StateHijacked:
			cs.remove(c)
		}
	}
	if cs.next != nil {
		cs.next(nc, state)
	}
}

func (cs *conns) remove(c *conn) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	delete(cs.open, c)
	if cs.none != nil && len(cs.open) == 0 {
		close(cs.none)
		cs.none = nil
	}
}

// empty waits until no connection is open; it closes those that bring nothing.
// It reports whether that came about before ctx ended.
func (cs *conns) empty(ctx context.Context) bool {
	cs.mu.Lock()
	if len(cs.open) == 0 {
		cs.mu.Unlock()
		return true
	}
	none := make(chan struct{})
	cs.none = none
	cs.mu.Unlock()
	for wait := linger; ; wait = linger / 10 {
		select {
		case <-none:
			return true
		case <-ctx.Done():
			return false
		case <-time.After(wait):
		}
		cs.closeIdle()
	}
}

func (cs *conns) closeIdle() {
	cs.mu.Lock()
	var all []*conn
	for c := range cs.open {
		all = append(all, c)
	}
	cs.mu.Unlock()
	for _, c := range all {
		c.closeIfIdle()
	}
}

// conn is a connection that knows whether it brings a request. What has been
// read of it is answered: it is closed as idle only while nothing is, and what
// comes after that is never read.
type conn struct {
	net.Conn

	mu     sync.Mutex
	busy   bool
	closed bool
}

// Read implements net.Conn. The first byte makes the connection busy.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.closed {
			return 0, net.ErrClosed
		}
		c.busy = true
	}
	return n, err
}

// begin makes the connection busy for a request that may have been read
// together with the one before. It reports false where that comes too late.
func (c *conn) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy = !c.closed
	return c.busy
}

// CloseWrite is what net/http needs to end a connection without a reset.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// rest makes it idle again, after a reply.
func (c *conn) rest() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy = false
}

func (c *conn) closeIfIdle() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.busy && !c.closed {
		c.closed = true
		_ = c.Conn.Close()
	}
}
