package simulator

import (
	"errors"
	"os"

	"github.com/pharos-mcp/pharos/services/simulator/engine"
	"github.com/pharos-mcp/pharos/services/simulator/runlog"
)

// run is one episode with its log.
type run struct {
	id      string
	episode *engine.Episode
	log     *runlog.Log // nil once it has ended
	failed  bool        // the log could not be written, and the run was given up
	tick    int64       // the last one that is written down
	given   int         // commands of this tick, superseded ones among them
	tokens  tokens
}

// mostCommands bounds the commands of a tick, so that its line in the log can be
// read again.
const mostCommands = 1000

// tokens are what the controller says that its roles have used, for the display
// alone.
type tokens struct{ Intake, Dispatch tokenCount }

type tokenCount struct{ Read, Write, CacheRead int64 }

// lifecycle is that of a run; nil is the lobby.
func (r *run) lifecycle() string {
	switch {
	case r == nil:
		return "lobby"
	case r.failed:
		return "aborted"
	default:
		return r.episode.Lifecycle()
	}
}

// unseen reports whether there is nothing to be seen of a run: in the lobby, and
// where what happened last could not be written down.
func (r *run) unseen() bool { return r == nil || r.failed }

// begin makes the run of an episode and its log.
func (s *Service) begin(scenario engine.Scenario, seed int64) (*run, error) {
	for {
		id := newRunID()
		e, err := engine.New(scenario, seed, id)
		if err != nil {
			return nil, err
		}
		log, err := runlog.Create(s.config.Folder, id, e)
		if errors.Is(err, os.ErrExist) {
			continue // a run of this id was here before
		}
		if err != nil {
			return nil, err
		}
		s.config.Changed(id)
		return &run{id: id, episode: e, log: log}, nil
	}
}

// archive ends the log of the run that is going on, if one is. A log that
// cannot be written is ended by the next start.
func (s *Service) archive(reason string) {
	if s.run == nil || s.run.log == nil {
		return
	}
	if err := s.run.log.End(reason); err != nil {
		s.config.Log.Error("run log", "run", s.run.id, "error", err)
	}
	s.run.log = nil
	s.revision++
	s.config.Changed(s.run.id)
}

// step lives through a tick and writes it down. What cannot be written did not
// happen for anybody: the run is given up.
func (s *Service) step(r *run) (engine.Result, error) {
	result := r.episode.Step()
	r.given = 0
	s.revision++
	err := r.log.Tick(result)
	if err == nil {
		r.tick = r.episode.Tick()
		if r.episode.Lifecycle() != "running" {
			err = r.log.End(r.episode.TerminalReason())
			r.log = nil
			s.config.Changed(r.id)
		}
		if err == nil {
			return result, nil
		}
	}
	r.failed = true
	defer s.config.Changed(r.id)
	if r.log != nil {
		if err := r.log.Abandon(aborted); err != nil {
			s.config.Log.Error("run log", "run", r.id, "error", err)
		}
		r.log = nil
	}
	return engine.Result{}, err
}
