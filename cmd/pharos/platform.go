package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform"
)

// openedPlatform is the platform's API with what it has open.
type openedPlatform struct {
	api             *platform.Service
	db              *pg.DB
	public, private net.Listener
	tokenFile       string // of the development user, "" where there is none
}

// openPlatform opens the database, which may start a private server, and the
// listeners.
func openPlatform(ctx context.Context, c platformConfig, log *slog.Logger) (*openedPlatform, error) {
	p := &openedPlatform{}
	if err := p.open(ctx, c, log); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *openedPlatform) open(ctx context.Context, c platformConfig, log *slog.Logger) error {
	database, err := c.Database.config(log)
	if err != nil {
		return err
	}
	if p.db, err = pg.Open(ctx, database, "platform"); err != nil {
		return err
	}
	p.api, err = platform.New(platform.Config{Pool: p.db.Pool, Log: log, Origin: c.Origin, Slots: c.Slots})
	if err != nil {
		return err
	}
	if p.db.Folder != "" {
		if p.tokenFile, err = developmentToken(ctx, p.db); err != nil {
			return fmt.Errorf("development user: %w", err)
		}
	}
	if p.public, err = net.Listen("tcp", c.Listen); err != nil {
		return err
	}
	p.private, err = net.Listen("tcp", c.PrivateListen)
	return err
}

// close gives up what is open, the database last.
func (p *openedPlatform) close() {
	for _, l := range []net.Listener{p.public, p.private} {
		if l != nil {
			_ = l.Close()
		}
	}
	if p.db != nil {
		p.db.Close()
	}
}

func (p *openedPlatform) service() service {
	return service{listener: p.public, announce: p.announce, run: p.run, close: p.close}
}

// announce prints what listens where, and where the data is.
func (p *openedPlatform) announce(w io.Writer) error {
	_, err := fmt.Fprintf(w, "platform API: http://%s\nplatform API, private part: http://%s\n",
		p.public.Addr(), p.private.Addr())
	if err == nil && p.db.Folder != "" {
		_, err = fmt.Fprintf(w, "platform data: %s\n", p.db.Folder)
	}
	return err
}

// run serves both listeners and does the work beside them until ctx ends or
// one of them fails.
func (p *openedPlatform) run(ctx context.Context, public net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var results [2]error
	var all sync.WaitGroup
	all.Go(func() { p.api.Run(ctx) })
	all.Go(func() {
		defer cancel()
		results[0] = edge.ServeHTTP(ctx, public, p.api.Handler())
	})
	all.Go(func() {
		defer cancel()
		results[1] = edge.ServeHTTP(ctx, p.private, p.api.PrivateHandler())
	})
	all.Wait()
	return errors.Join(results[:]...)
}
