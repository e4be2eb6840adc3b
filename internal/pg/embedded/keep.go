//go:build unix

package embedded

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"
)

// startLimit bounds one start, recovery after a crash included.
const startLimit = 5 * time.Minute

// The pauses between starts of a server that does not stay up; one that ran
// for longer than the last counts as one that does.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = 5 * time.Second
)

// errEnded is a server that ended without being asked.
var errEnded = errors.New("the PostgreSQL server ended by itself")

// keep runs the server until it is closed, from when it is this process's turn.
func (s *Server) keep(lock *os.File) {
	defer close(s.closed)
	defer lock.Close() // and with it the turn
	if !s.turn(lock) {
		return
	}
	s.ours.Store(true)
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		began := time.Now()
		err := s.run()
		if s.closing.Err() != nil {
			return
		}
		if !s.opened.Load() {
			s.failure = err
			return
		}
		if time.Since(began) > lastPause {
			pause = firstPause
		}
		s.log.Error("starting the database again", "error", err, "in", pause.String(), "log", s.cluster.log())
		select {
		case <-time.After(pause):
		case <-s.closing.Done():
			return
		}
	}
}

// turn waits until no other process runs the server. The lock falls to one of
// those that wait when the process that has it ends, in whatever way.
func (s *Server) turn(lock *os.File) bool {
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		select {
		case <-tick.C:
		case <-s.closing.Done():
			return false
		}
	}
	return true
}

// run starts the server and waits until it ends, or stops it when it is closed.
func (s *Server) run() error {
	ctx, cancel := context.WithTimeout(s.closing, startLimit)
	defer cancel()
	// The folder of the socket is there as long as the server is.
	account, err := s.cluster.account()
	if err != nil {
		return err
	}
	if err := private(s.cluster.Socket, account); err != nil {
		return err
	}
	defer os.Remove(s.cluster.Socket)
	if err := s.cluster.Init(ctx); err != nil {
		return err
	}
	p, err := s.cluster.Start(ctx)
	if err != nil {
		return err
	}
	s.process.Store(p)
	s.once.Do(func() { close(s.started) })
	select {
	case <-p.Ended():
		p.Stop() // of what belonged to it
		return errEnded
	case <-s.closing.Done():
		p.Stop()
		return nil
	}
}
