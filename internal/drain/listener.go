package drain

import (
	"context"
	"errors"
	"net"
	"os"
	"sync/atomic"
	"time"
)

// Listen opens a TCP listener that can be closed without loss. It speaks plain
// TCP: the kernel can bar no listener of Multipath TCP, which is what package
// net opens by itself.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	var c net.ListenConfig
	c.SetMultipathTCP(false)
	return c.Listen(ctx, "tcp", address)
}

// listener hands connections on until it is told to finish; then, before it
// closes, those that are waiting to be accepted.
type listener struct {
	net.Listener
	conns     *conns
	finishing atomic.Bool
}

// settle is how long the listener waits for one more connection at its end.
const settle = 20 * time.Millisecond

// deadliner is what the listeners of package net for TCP and Unix can do.
type deadliner interface{ SetDeadline(t time.Time) error }

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err == nil {
			tracked := &conn{Conn: c}
			l.conns.add(tracked)
			return tracked, nil
		}
		if !l.finishing.Load() {
			return nil, err
		}
		if errors.Is(err, os.ErrDeadlineExceeded) && waiting(l.Listener) {
			if d, ok := l.Listener.(deadliner); ok && d.SetDeadline(time.Now().Add(settle)) == nil {
				continue
			}
		}
		_ = l.Listener.Close()
		return nil, net.ErrClosed // a timeout would be tried again
	}
}

// finish makes Accept return the connections that are waiting, then the end.
func (l *listener) finish() {
	l.finishing.Store(true)
	bar(l.Listener)
	if d, ok := l.Listener.(deadliner); ok && d.SetDeadline(time.Now().Add(settle)) == nil {
		return
	}
	_ = l.Listener.Close()
}
