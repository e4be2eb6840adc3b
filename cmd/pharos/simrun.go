package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/pharos-mcp/pharos/services/simulator/baseline"
	"github.com/pharos-mcp/pharos/services/simulator/engine"
	"github.com/pharos-mcp/pharos/services/simulator/runlog"
)

const simRunUsage = `usage: pharos sim run [-json] [FLAGS] SCENARIO

Plays an episode in this process, writes its run log and prints how it ended.

  -seed N          the seed; that of the scenario by default
  -policy NAME     who plays: none (the default), greedy, people, or oracle
  -commands FILE   or a script plays: a JSON object a line, with tick,
                   vehicle_id, incident_id, destination {"x", "y"} and rationale,
                   ticks in order
  -out DIR         the folder of the log, which must be there; . by default
  -run-id ID       the name of the run, and of its log without .jsonl; made of
                   scenario, seed and policy by default
`

// runFlags are how an episode is to be played.
type runFlags struct {
	scenario engine.Scenario
	seed     int64
	policy   string
	commands string
	out      string
	runID    string
	asJSON   bool
}

// runIDForm is what a run may be called, so that a file can be called after it
// and the index of runs takes it.
var runIDForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9@._-]{0,63}$`)

// runEpisode is `pharos sim run`.
func runEpisode(ctx context.Context, s simContext, args []string) error {
	f, err := parseRun(args)
	if err != nil {
		return err
	}
	e, err := engine.New(f.scenario, f.seed, f.runID)
	if err != nil {
		return usageError(err.Error())
	}
	play, left, err := f.player(e)
	if err != nil {
		return err
	}
	log, err := runlog.Create(f.out, f.runID, e)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("there is a log of %s in %s; choose another -run-id", f.runID, f.out)
	}
	if err != nil {
		return err
	}
	if err := playOut(ctx, e, log, play); err != nil {
		return errors.Join(err, log.End("aborted"))
	}
	if err := log.End(e.TerminalReason()); err != nil {
		return err
	}
	return f.tell(s, e, left())
}

// playedRun is how an episode ended.
type playedRun struct {
	RunID          string `json:"run_id"`
	ScenarioID     string `json:"scenario_id"`
	Seed           int64  `json:"seed"`
	Tick           int64  `json:"tick"`
	TerminalReason string `json:"terminal_reason"`
	Casualties     int64  `json:"casualties"`
	BuildingsLost  int64  `json:"buildings_lost"`
	Loss           int64  `json:"loss"`
	Log            string `json:"log"`
	CommandsLeft   int    `json:"commands_left"` // of ticks that the episode did not have
}

// tell prints it.
func (f runFlags) tell(s simContext, e *engine.Episode, left int) error {
	o := e.Outcome()
	found := playedRun{
		RunID: f.runID, ScenarioID: f.scenario.ID, Seed: f.seed, Tick: e.Tick(), TerminalReason: e.TerminalReason(),
		Casualties: o.Casualties, BuildingsLost: o.BuildingsLost, Loss: baseline.Loss(o),
		Log: filepath.Join(f.out, f.runID+runlog.Suffix), CommandsLeft: left,
	}
	text := fmt.Sprintf("%s, seed %d: %s at tick %d\ncasualties: %d\nbuildings lost: %d\nloss: %d\nlog: %s\n",
		found.ScenarioID, found.Seed, found.TerminalReason, found.Tick, o.Casualties, o.BuildingsLost, found.Loss, found.Log)
	if left > 0 {
		text += fmt.Sprintf("commands of ticks that the episode did not have: %d\n", left)
	}
	return s.report(f.asJSON, found, text)
}

// parseRun reads the flags.
func parseRun(args []string) (f runFlags, err error) {
	flags := newFlags("sim run")
	flags.BoolVar(&f.asJSON, "json", false, "")
	flags.Int64Var(&f.seed, "seed", -1, "")
	flags.StringVar(&f.policy, "policy", "", "")
	flags.StringVar(&f.commands, "commands", "", "")
	flags.StringVar(&f.out, "out", ".", "")
	flags.StringVar(&f.runID, "run-id", "", "")
	if err := parseFlags(flags, args, simRunUsage); err != nil {
		return f, err
	}
	if err := operands("sim run", flags.Args(), "SCENARIO"); err != nil {
		return f, err
	}
	var ok bool
	if f.scenario, ok = engine.Find(flags.Arg(0)); !ok {
		return f, usageError(fmt.Sprintf("there is no scenario %q; the first is %s", flags.Arg(0), engine.Scenarios()[0].ID))
	}
	if f.policy != "" && f.commands != "" {
		return f, usageError("-policy and -commands exclude each other")
	}
	if !isGiven(flags, "seed") {
		f.seed = f.scenario.Template.Seed
	}
	player := f.policy
	if f.commands != "" {
		player = "script"
	} else if player == "" {
		player, f.policy = "none", "none"
	}
	if f.runID == "" {
		f.runID = fmt.Sprintf("%s-%d-%s", f.scenario.ID, f.seed, player)
	}
	if !runIDForm.MatchString(f.runID) {
		return f, usageError("-run-id is not 1 to 64 of A-Z, a-z, 0-9, @, ., _ and -, and no sign first")
	}
	return f, nil
}

// player is what gives the commands of a tick, and what tells how many it has
// left.
func (f runFlags) player(e *engine.Episode) (play func() error, left func() int, err error) {
	if f.commands != "" {
		s, err := readScript(f.commands)
		if err != nil {
			return nil, nil, err
		}
		return func() error { return s.give(e) }, func() int { return len(s.lines) }, nil
	}
	p, err := baseline.New(f.policy, e)
	if err != nil {
		return nil, nil, usageError(err.Error())
	}
	play = func() error {
		p.Tick()
		return nil
	}
	return play, func() int { return 0 }, nil
}

// playOut plays an episode to its end.
func playOut(ctx context.Context, e *engine.Episode, log *runlog.Log, play func() error) error {
	for e.Lifecycle() == "running" {
		if err := errors.Join(ctx.Err(), play()); err != nil {
			return err
		}
		if err := log.Tick(e.Step()); err != nil {
			return err
		}
	}
	return nil
}
