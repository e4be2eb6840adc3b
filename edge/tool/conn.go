package tool

import (
	"context"
	"crypto/tls"
	"net"
	"sync"
)

// quietConn is a connection that knows whether its reader waits for bytes.
//
// A server may send more than the reply to a request. If the connection were
// used for another call before net/http has seen what follows, that call would
// be answered with it. Only when the reader of HTTP/1 waits for bytes is
// nothing left of what was received: neither its buffer nor that of TLS has any.
type quietConn struct {
	net.Conn
	mu      sync.Mutex
	reading bool
	closed  bool
	changed chan struct{} // nil unless somebody waits
}

// Read implements net.Conn.
func (c *quietConn) Read(p []byte) (int, error) {
	c.set(&c.reading, true)
	n, err := c.Conn.Read(p)
	c.set(&c.reading, false)
	return n, err
}

// Close implements net.Conn.
func (c *quietConn) Close() error {
	err := c.Conn.Close()
	c.set(&c.closed, true)
	return err
}

func (c *quietConn) set(state *bool, value bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*state = value
	if value && c.changed != nil {
		close(c.changed)
		c.changed = nil
	}
}

// quiet waits until the reader does, and reports whether the connection can
// be used: whether it is not closed.
func (c *quietConn) quiet(ctx context.Context) bool {
	c.mu.Lock()
	for !c.reading && !c.closed && ctx.Err() == nil {
		if c.changed == nil {
			c.changed = make(chan struct{})
		}
		changed := c.changed
		c.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
		}
		c.mu.Lock()
	}
	defer c.mu.Unlock()
	return !c.closed
}

// quietDial makes every connection one that knows.
func quietDial(dial func(ctx context.Context, network, address string) (net.Conn, error)) func(
	ctx context.Context, network, address string,
) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &quietConn{Conn: c}, nil
	}
}

// quietOf is the connection below a connection of HTTP/1, or nil.
func quietOf(c net.Conn) *quietConn {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	q, _ := c.(*quietConn)
	return q
}
