package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/services/platform"
)

// openPlatform opens the platform's listeners. A private database gets its
// development user first, and the people of the development provider where
// that is served too.
func (a *assembly) openPlatform(ctx context.Context) error {
	if a.developing() {
		if _, err := developmentToken(ctx, a.database); err != nil {
			return fmt.Errorf("development user: %w", err)
		}
	}
	public, err := listen("platform.listen", a.config.Platform.Listen, a.config.Platform.Origin == "")
	if err != nil {
		return err
	}
	private, err := listen("platform.private_listen", a.config.Platform.PrivateListen, true)
	if err != nil {
		_ = public.Close()
		return err
	}
	a.config.Platform.Listen, a.config.Platform.PrivateListen = public.Addr().String(), private.Addr().String()
	p := &openedPlatform{assembly: a, private: private}
	a.services = append(a.services, service{
		listener: public, announce: p.announce, run: p.run, close: func() { _ = private.Close() },
	})
	return nil
}

// openedPlatform is the platform's API with its listeners.
type openedPlatform struct {
	assembly *assembly
	private  net.Listener
}

// announce prints what listens where.
func (p *openedPlatform) announce(w io.Writer) error {
	c := p.assembly.config.Platform
	_, err := fmt.Fprintf(w, "platform API: http://%s\nplatform API, private part: http://%s\n", c.Listen, c.PrivateListen)
	return err
}

// make makes the service, once every address is known.
func (p *openedPlatform) make() (*platform.Service, error) {
	c, err := p.assembly.config.completed(p.assembly.names)
	if err != nil {
		return nil, err
	}
	delegation, err := c.Platform.Delegation.open()
	if err != nil {
		return nil, err
	}
	return platform.New(platform.Config{
		Pool: p.assembly.database.Pool, Log: p.assembly.log, Origin: c.Platform.Origin, Delegation: delegation, Slots: c.Platform.Slots,
	})
}

// run serves both listeners and does the work beside them until ctx ends or
// one of them fails.
func (p *openedPlatform) run(ctx context.Context, public net.Listener) error {
	api, err := p.make()
	if err != nil {
		return errors.Join(err, public.Close())
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var results [2]error
	var all sync.WaitGroup
	all.Go(func() { api.Run(ctx) })
	all.Go(func() {
		defer cancel()
		results[0] = edge.ServeHTTP(ctx, public, api.Handler())
	})
	all.Go(func() {
		defer cancel()
		results[1] = edge.ServeHTTP(ctx, p.private, api.PrivateHandler())
	})
	all.Wait()
	return errors.Join(results[:]...)
}

// openDevidp opens the login service for development, which knows the broker
// by its address; where the database is private, the platform gets to know its
// people.
func (a *assembly) openDevidp(ctx context.Context) error {
	l, err := listen("devidp.listen", a.config.Devidp.Listen, true)
	if err != nil {
		return err
	}
	a.config.Devidp.Listen = l.Addr().String()
	if a.serves("platform") && a.developing() {
		if err := developmentPeople(ctx, a.database, a.config.Devidp.issuer()); err != nil {
			_ = l.Close()
			return err
		}
	}
	a.services = append(a.services, a.devidp(l))
	return nil
}
