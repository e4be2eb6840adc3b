package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"

	"github.com/pharos-mcp/pharos/internal/ballast"
	"github.com/pharos-mcp/pharos/internal/observe"
)

// services are what can be served, in the order in which they start.
var services = []string{"platform", "devidp", "broker", "edge", "play", "simulator", "camera", "world", "world-mcp", "world-bridge"}

// serve serves the named services until ctx ends or one of them fails or, over
// stdio, the input ends.
func serve(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	c, names, stdio, err := parse("serve", args)
	if err != nil {
		return err
	}
	var client *streams
	if stdio {
		client = &streams{stdin, stdout}
		stdout = stderr // messages alone are for the client
		c = c.forStdio()
	}
	ballast.Load()
	running, err := open(ctx, c, names, client, observe.ProgramLog(stderr))
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

// checkConfig finds every mistake of a configuration, and opens nothing.
func checkConfig(args []string, stdout io.Writer) error {
	c, names, _, err := parse("check-config", args)
	if err != nil {
		return err
	}
	a := assembly{config: c, names: names}
	if err := a.check(); err != nil {
		return err
	}
	_, err = io.WriteString(stdout, "configuration: ok\n")
	return err
}

// parse reads the flags, the configuration and the names of services.
func parse(command string, args []string) (c config, names []string, stdio bool, err error) {
	flags := newFlags(command)
	file := flags.String("config", "", "")
	if command == "serve" {
		flags.BoolVar(&stdio, "stdio", false, "")
	}
	if err := parseFlags(flags, args, usage); err != nil {
		return config{}, nil, false, err
	}
	names = flags.Args()
	for _, name := range names {
		if !slices.Contains(services, name) {
			return config{}, nil, false, usageError(fmt.Sprintf("unknown service %q", name))
		}
	}
	switch {
	case len(names) == 0 && stdio:
		names = []string{"platform", "edge"} // the client is who started the program
	case len(names) == 0:
		names = services
	case stdio && slices.Contains(names, "edge") == slices.Contains(names, "world-mcp"):
		return config{}, nil, false, usageError("-stdio serves the edge or world-mcp, and one of them has to be among the services")
	}
	c, err = loadConfig(*file)
	return c, names, stdio, err
}

// streams are what a client that started the program talks over.
type streams struct {
	in  io.Reader
	out io.Writer
}

// service is one listener, or none, with what is served on it.
type service struct {
	listener net.Listener
	announce func(io.Writer) error
	run      func(context.Context, net.Listener) error
	close    func() // what else it has open, once it does not run; nil for nothing
}

// running are the services of one process.
type running []service

// close gives up what is open where nothing runs, the last first.
func (rs running) close() {
	for _, s := range slices.Backward(rs) {
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

// silent announces nothing.
func silent(io.Writer) error { return nil }
