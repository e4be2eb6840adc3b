package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/pharos-mcp/pharos/internal/observe"
	"github.com/pharos-mcp/pharos/services/simulator/runindex"
)

const simUsage = `usage: pharos sim [-config FILE] COMMAND [FLAGS] …

Works with the simulator's runs. With -json, what a command finds is one JSON
object. pharos sim COMMAND -h says more of each.

  run          play an episode in this process, by a simple policy or a script,
               and write its run log
  baseline     play scenarios by simple policies over a block of seeds
  replay       compute run logs again, and name the first line that differs
  datasets     write the labelled reports that are published
  grade        score what was read out of reports
  mapimport    make a map of a piece of OpenStreetMap
  index        make the index of runs in the database again, from the logs
`

// simContext is what the commands of `pharos sim` work with.
type simContext struct {
	config         config
	file           string // of the configuration, or ""
	stdout, stderr io.Writer
}

// simCommands are all of them, by name.
var simCommands = map[string]func(ctx context.Context, s simContext, args []string) error{
	"run":       runEpisode,
	"baseline":  playBaselines,
	"replay":    replayLogs,
	"datasets":  writeDatasets,
	"grade":     gradePredictions,
	"mapimport": importMap,
	"index":     indexRuns,
}

// sim is `pharos sim`.
func sim(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := newFlags("sim")
	s := simContext{stdout: stdout, stderr: stderr}
	flags.StringVar(&s.file, "config", "", "")
	if err := parseFlags(flags, args, simUsage); err != nil {
		return err
	}
	run, ok := simCommands[flags.Arg(0)]
	if !ok {
		return usageError(fmt.Sprintf("unknown command %q of pharos sim", flags.Arg(0)))
	}
	var err error
	if s.config, err = loadConfig(s.file); err != nil {
		return err
	}
	return run(ctx, s, flags.Args()[1:])
}

// report prints what a command found: a value as JSON where that is asked for,
// or else a text.
func (s simContext) report(asJSON bool, value any, text string) error {
	if !asJSON {
		_, err := io.WriteString(s.stdout, text)
		return err
	}
	return json.NewEncoder(s.stdout).Encode(value)
}

// indexRuns is `pharos sim index`.
func indexRuns(ctx context.Context, s simContext, args []string) error {
	flags := newFlags("sim index")
	asJSON := flags.Bool("json", false, "")
	if err := parseFlags(flags, args, simUsage); err != nil {
		return err
	}
	if err := operands("sim index", flags.Args()); err != nil {
		return err
	}
	folder, err := s.config.runs()
	if err != nil {
		return err
	}
	db, err := openDatabase(ctx, s.file, "simulator")
	if err != nil {
		return err
	}
	defer db.Close()
	runs, failed := runindex.New(db.Pool, folder, observe.ProgramLog(s.stderr)).Rebuild(ctx)
	if runs == 0 && failed != nil {
		return failed
	}
	found := struct {
		Runs int `json:"runs"`
	}{runs}
	if err := s.report(*asJSON, found, fmt.Sprintf("runs in the index: %d\n", runs)); err != nil {
		return err
	}
	return failed
}
