package main

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg"
)

// openPlay opens play's listener. A private database gets its demonstration
// first.
func (a *assembly) openPlay(ctx context.Context) (err error) {
	p := &openedPlay{}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	if p.pool, err = a.playPool(p); err != nil {
		return err
	}
	if a.developing() && !a.config.Play.forOthers() {
		if p.demo, err = developmentPlay(ctx, a.database); err != nil {
			return err
		}
	}
	if p.listener, err = listen("play.listen", a.config.Play.Listen, !a.config.Play.secure()); err != nil {
		return err
	}
	a.config.Play.Listen = p.listener.Addr().String()
	p.config = a.config.Play
	if p.front, err = newPlayFront(p.config, p.config.service(p.pool, a.log), a.log); err != nil {
		return err
	}
	encryption, err := p.config.TLS.open()
	if err != nil {
		return err
	}
	if encryption != nil {
		p.listener = tls.NewListener(p.listener, encryption)
	}
	a.services = append(a.services, service{
		listener: p.listener, announce: p.announce, run: p.front.serve, close: p.close,
	})
	return nil
}

// playPool is the pool of play's connections: that of all services unless play
// has limits of its own.
func (a *assembly) playPool(p *openedPlay) (*pgxpool.Pool, error) {
	c := a.config.Play
	if c.StatementTimeout == 0 && c.LockTimeout == 0 {
		return a.database.Pool, nil
	}
	limits := pg.Limits{Statement: time.Duration(c.StatementTimeout), Lock: time.Duration(c.LockTimeout)}
	pool, err := pg.LimitedPool(a.database.URL, limits)
	p.own = pool
	return pool, err
}

// openedPlay is play with its listener.
type openedPlay struct {
	config   playConfig
	pool     *pgxpool.Pool
	own      *pgxpool.Pool // nil where the pool is that of all services
	listener net.Listener
	front    *playFront
	demo     *playDemo // nil where there is none
}

// announce prints what is where.
func (p *openedPlay) announce(w io.Writer) error {
	return errors.Join(p.front.announce(w, p.config.url()), p.demo.announce(w, p.config.url()))
}

// close gives up what does not run, or does not run any more.
func (p *openedPlay) close() {
	if p.listener != nil {
		_ = p.listener.Close()
	}
	if p.front != nil {
		_ = p.front.gate.Close()
	}
	if p.own != nil {
		p.own.Close()
	}
}

// problems are all mistakes of play's part.
func (c playConfig) problems() error {
	judged := playConfig{Listen: "127.0.0.1:0", Hosts: c.Hosts, RedisFile: c.RedisFile} // by the edges alone
	front, err := newPlayFront(judged, judged.service(nil, nil), nil)
	if err == nil {
		err = front.gate.Close()
	}
	return errors.Join(c.check(), err)
}
