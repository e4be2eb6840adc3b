package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/services/simulator"
	"github.com/pharos-mcp/pharos/services/simulator/runindex"
)

// openSimulator opens the simulator's listener, after it has ended the logs of
// runs that another process left.
func (a *assembly) openSimulator() (err error) {
	s := &openedSimulator{}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if s.runs, err = a.config.runs(); err != nil {
		return err
	}
	if err := os.MkdirAll(s.runs, 0o700); err != nil {
		return err
	}
	if s.unlock, err = holdFolder(s.runs, ".lock"); err != nil {
		return fmt.Errorf("run logs in %s: %w", s.runs, err)
	}
	c := simulator.Config{Folder: s.runs, Log: a.log}
	if a.indexes() {
		s.keeper = runindex.NewKeeper(runindex.New(a.database.Pool, s.runs, a.log))
		c.Changed = s.keeper.Changed
	}
	if s.service, err = simulator.New(c); err != nil {
		return err
	}
	if s.listener, err = net.Listen("tcp", a.config.Simulator.Listen); err != nil {
		return err
	}
	a.config.Simulator.Listen = s.listener.Addr().String()
	if s.front, err = newSimulatorFront(a.config.Simulator, s.service, a.log); err != nil {
		return err
	}
	a.services = append(a.services, service{
		listener: s.listener, announce: s.announce, run: s.run, close: s.close,
	})
	return nil
}

// openedSimulator is the simulator with its listener.
type openedSimulator struct {
	runs     string
	unlock   func()
	service  *simulator.Service
	listener net.Listener
	front    *edge.Server
	keeper   *runindex.Keeper // nil without a database
}

// indexes reports whether the runs are indexed: where there is a database, for
// other services of this process or by its URL.
func (a *assembly) indexes() bool {
	return a.serves("simulator") && (a.config.Database.url() != "" || a.serves("platform") || a.serves("broker") || a.serves("play") || a.serves("world"))
}

// run serves until ctx ends. What the last runs come to is indexed, too.
func (s *openedSimulator) run(ctx context.Context, l net.Listener) error {
	if s.keeper == nil {
		return s.front.Serve(ctx, l)
	}
	own, end := context.WithCancel(context.WithoutCancel(ctx))
	var beside sync.WaitGroup
	beside.Go(func() { s.keeper.Run(own) })
	err := s.front.Serve(ctx, l)
	s.service.Close()
	end()
	beside.Wait()
	return err
}

// announce prints what is where.
func (s *openedSimulator) announce(w io.Writer) error {
	_, err := fmt.Fprintf(w, "simulator, display: http://%s/\nsimulator, run logs: %s\n", s.listener.Addr(), s.runs)
	return errors.Join(err, s.front.Announce(w, s.listener.Addr()))
}

// close gives up what does not run, or does not run any more.
func (s *openedSimulator) close() {
	if s.listener != nil {
		_ = s.listener.Close()
	}
	if s.service != nil {
		s.service.Close()
	}
	if s.unlock != nil {
		s.unlock()
	}
}

// problems are all mistakes of the simulator's part.
func (c simulatorConfig) problems() error {
	judged := simulatorConfig{Listen: "127.0.0.1:0"} // by the edge alone
	_, err := newSimulatorFront(judged, nil, nil)
	return errors.Join(c.check(), err)
}
