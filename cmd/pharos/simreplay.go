package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/pharos-mcp/pharos/services/simulator/runlog"
)

const simReplayUsage = `usage: pharos sim replay [-json] FILE…

Computes run logs again, line by line, and names the first line of each that is
not what the rules make of those before it. It fails where a log has one, or
cannot be read. A log without an end, or with a torn last line, is right as far
as it goes.
`

// replayedLog is what was found of one log.
type replayedLog struct {
	File       string        `json:"file"`
	RunID      string        `json:"run_id,omitempty"`
	ScenarioID string        `json:"scenario_id,omitempty"`
	Seed       int64         `json:"seed"`
	Lines      int           `json:"lines"` // that are right
	Reason     string        `json:"reason,omitempty"`
	Difference *differentLog `json:"difference"`
	Error      string        `json:"error,omitempty"`
}

type differentLog struct {
	Line int    `json:"line"`
	Why  string `json:"why"`
}

// replayLogs is `pharos sim replay`.
func replayLogs(ctx context.Context, s simContext, args []string) error {
	flags := newFlags("sim replay")
	asJSON := flags.Bool("json", false, "")
	if err := parseFlags(flags, args, simReplayUsage); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return usageError("sim replay needs FILE…")
	}
	found := struct {
		Logs []replayedLog `json:"logs"`
	}{}
	var text strings.Builder
	p, wrong := newProgress(s.stderr, flags.NArg()), 0
	defer p.end()
	for _, name := range flags.Args() {
		if err := ctx.Err(); err != nil {
			return err
		}
		log := replayLog(name)
		p.step(name)
		found.Logs = append(found.Logs, log)
		if log.Difference != nil || log.Error != "" {
			wrong++
		}
		fmt.Fprintln(&text, log)
	}
	p.end()
	if err := s.report(*asJSON, found, text.String()); err != nil {
		return err
	}
	if wrong > 0 {
		return fmt.Errorf("logs that are wrong: %d of %d", wrong, flags.NArg())
	}
	return nil
}

// replayLog computes one log again.
func replayLog(name string) replayedLog {
	log := replayedLog{File: name}
	file, err := os.Open(name)
	if err != nil {
		log.Error = err.Error()
		return log
	}
	defer file.Close()
	found, err := runlog.Replay(file)
	log.RunID, log.ScenarioID, log.Seed = found.Header.RunID, found.Header.ScenarioID, found.Header.Seed
	log.Lines, log.Reason = found.Lines, found.Reason
	switch differs, ok := errors.AsType[*runlog.Difference](err); {
	case ok:
		log.Difference = &differentLog{differs.Line, differs.Why}
	case err != nil:
		log.Error = err.Error()
	case found.Lines == 0:
		log.Error = "it has no header"
	}
	return log
}

// String says it for people.
func (l replayedLog) String() string {
	switch {
	case l.Error != "":
		return fmt.Sprintf("%s: %s", l.File, l.Error)
	case l.Difference != nil:
		return fmt.Sprintf("%s: line %d: %s", l.File, l.Difference.Line, l.Difference.Why)
	case l.Reason == "":
		return fmt.Sprintf("%s: the same, %d lines and no end", l.File, l.Lines)
	default:
		return fmt.Sprintf("%s: the same, %d lines, %s", l.File, l.Lines, l.Reason)
	}
}
