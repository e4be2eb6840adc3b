package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/edge"
	catalog "github.com/pharos-mcp/pharos/generated/platform"
	"github.com/pharos-mcp/pharos/internal/ballast"
	"github.com/pharos-mcp/pharos/internal/observe"
)

// services are what can be served, in the order in which they start.
var services = []string{"platform", "edge"}

// serve serves the named services until ctx ends or one of them fails or, over
// stdio, the input ends.
func serve(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	c, names, stdio, err := parse(args)
	if err != nil {
		return err
	}
	var client *streams
	if stdio {
		client = &streams{stdin, stdout}
		stdout = stderr // messages alone are for the client
		c = c.forStdio()
	}
	log := observe.ProgramLog(stderr)
	ballast.Load()
	running, err := open(ctx, c, names, client, log)
	if err != nil {
		return err
	}
	for _, s := range running {
		if err := s.announce(stdout); err != nil {
			running.close()
			return err
		}
	}
	return running.serve(ctx)
}

// parse reads the flags, the configuration and the names of services.
func parse(args []string) (c config, names []string, stdio bool, err error) {
	flags := newFlags("serve")
	file := flags.String("config", "", "")
	flags.BoolVar(&stdio, "stdio", false, "")
	if err := parseFlags(flags, args, usage); err != nil {
		return config{}, nil, false, err
	}
	names = flags.Args()
	for _, name := range names {
		if !slices.Contains(services, name) {
			return config{}, nil, false, usageError(fmt.Sprintf("unknown service %q", name))
		}
	}
	if len(names) == 0 {
		names = services
	}
	if stdio && !slices.Contains(names, "edge") {
		return config{}, nil, false, usageError("-stdio serves the edge, which is not among the services")
	}
	c, err = loadConfig(*file)
	return c, names, stdio, err
}

// streams are what a client that started the program talks over.
type streams struct {
	in  io.Reader
	out io.Writer
}

// service is one listener, or none over stdio, with what is served on it.
type service struct {
	listener net.Listener
	announce func(io.Writer) error
	run      func(context.Context, net.Listener) error
	close    func() // what else it has open, once it does not run; nil for nothing
}

// running are the services of one process.
type running []service

// open checks everything, then opens the database and the listeners. The edge
// has none where it serves a client over stdio.
func open(ctx context.Context, c config, names []string, client *streams, log *slog.Logger) (rs running, err error) {
	var front *edge.Server
	serves := func(name string) bool { return slices.Contains(names, name) }
	build := func(address, tokenFile string) error {
		front, err = edge.New(c.connected(address, tokenFile), catalog.Catalog(), edge.Options{Log: log})
		if ps, ok := errors.AsType[edge.Problems](err); ok {
			err = errors.New("edge." + strings.Join(ps, "\nedge."))
		}
		return err
	}
	var problems []error
	if serves("platform") {
		problems = append(problems, c.Platform.check())
	}
	if serves("edge") {
		token := ""
		if !serves("platform") {
			token = c.Platform.Database.knownToken() // of one that another process serves
		}
		problems = append(problems, build(c.Platform.Listen, token))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			rs.close()
		}
	}()
	if serves("platform") {
		p, err := openPlatform(ctx, c.Platform, log)
		if err != nil {
			return rs, err
		}
		rs = append(rs, p.service())
		if serves("edge") { // the address and the token may be new
			if err := build(p.public.Addr().String(), p.tokenFile); err != nil {
				return rs, err
			}
		}
	}
	none := func(io.Writer) error { return nil }
	switch {
	case client != nil:
		rs = append(rs, service{announce: none, run: func(ctx context.Context, _ net.Listener) error {
			return front.ServeStdio(ctx, client.in, client.out)
		}})
	case serves("edge"):
		l, err := front.Listen()
		if err != nil {
			return rs, err
		}
		announce := func(w io.Writer) error { return front.Announce(w, l.Addr()) }
		rs = append(rs, service{listener: l, announce: announce, run: front.Serve})
	}
	return rs, nil
}

// close gives up what is open where nothing runs.
func (rs running) close() {
	for _, s := range rs {
		if s.listener != nil {
			_ = s.listener.Close()
		}
		if s.close != nil {
			s.close()
		}
	}
}

// serve serves all until ctx ends. When one of them fails, the others stop too.
// They stop one after the other, the last first: each may need those that
// started before it to answer what it has under way.
func (rs running) serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make([]error, len(rs))
	stops := make([]func(), len(rs)) // each returns when its service has stopped
	for i, s := range rs {
		own, end := context.WithCancel(context.WithoutCancel(ctx))
		stopped := make(chan struct{})
		stops[i] = func() { end(); <-stopped }
		go func() {
			defer close(stopped)
			results[i] = s.run(own, s.listener)
			cancel()
			if s.close != nil {
				s.close()
			}
		}()
	}
	<-ctx.Done()
	for _, stop := range slices.Backward(stops) {
		stop()
	}
	return errors.Join(results...)
}
