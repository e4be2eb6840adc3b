// Package drain serves HTTP until it is told to stop and then stops without
// losing a reply: a request is answered whole, or no byte of it was read.
//
// net/http's own Shutdown loses some. It closes a connection as idle that a
// request has just come in on, which is then carried out and cannot be
// answered; and closing a listener resets the connections that the kernel has
// completed but nobody has accepted.
package drain

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// Options say how a server stops.
type Options struct {
	// Stopping, if it is not nil, is called first.
	Stopping func()
	// Notice is how long the server goes on accepting after that, for whoever
	// balances the load to find out.
	Notice time.Duration
	// Patience bounds the time for requests under way; what is not done then is
	// cut off.
	Patience time.Duration
}

// linger is how long a connection that is kept alive may still bring a request
// after the listener is closed. The reply to it says that it is the last.
const linger = 250 * time.Millisecond

// ErrImpatient says that requests were cut off.
var ErrImpatient = errors.New("requests that took too long were cut off")

type connKey struct{}

// Serve serves the listener until ctx ends, and closes it in any case. It
// returns nil once everything is answered. The server must be new and without a
// ConnContext; its Handler and ConnState are put inside others.
func Serve(ctx context.Context, l net.Listener, server *http.Server, o Options) error {
	var last atomic.Bool // each reply is its connection's last
	next := server.Handler
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(connKey{}).(*conn); ok && !c.begin() {
			panic(http.ErrAbortHandler) // nobody would get the reply
		}
		if last.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
	server.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, c)
	}
	open := newConns(server.ConnState)
	server.ConnState = open.changed
	door := &listener{Listener: l, conns: open}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(door) }()
	select {
	case err := <-ended:
		return err // it stopped without being asked to
	case <-ctx.Done():
	}
	if o.Stopping != nil {
		o.Stopping()
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(o.Notice):
	}
	last.Store(true)
	door.finish()
	<-ended
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.Patience)
	defer cancel()
	quiet := open.empty(patience)
	_ = server.Close() // with nothing open unless patience has run out
	if !quiet {
		return ErrImpatient
	}
	return nil
}
