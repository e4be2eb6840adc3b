package runlog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pharos-mcp/pharos/services/simulator/engine"
)

// Log is the file of a run that is going on. It is not safe for concurrent use.
type Log struct {
	file    *os.File
	runID   string
	episode *engine.Episode
	name    string
}

// Suffix ends the names of the files; before it stands the id of the run.
const Suffix = ".jsonl"

// Create begins the log of an episode at its first tick in a folder. When it
// returns the log is on the disk under its name, with the header and the tick.
func Create(folder, runID string, e *engine.Episode) (l *Log, err error) {
	begun, name := filepath.Join(folder, beginning+runID), filepath.Join(folder, runID+Suffix)
	file, err := os.OpenFile(begun, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = file.Close()
			_ = os.Remove(begun)
		}
	}()
	l = &Log{file: file, runID: runID, episode: e, name: name}
	if err := l.write(append(HeaderOf(runID, e).line(), tickLine(runID, e, e.Last())...)); err != nil {
		return nil, err
	}
	if err := os.Link(begun, name); err != nil { // which replaces nothing
		return nil, err
	}
	if err := os.Remove(begun); err != nil {
		return nil, err
	}
	return l, syncFolder(folder)
}

// Tick writes what the last step of the episode did.
func (l *Log) Tick(r engine.Result) error { return l.write(tickLine(l.runID, l.episode, r)) }

// End writes the last line and closes the file. Nothing may be written after.
func (l *Log) End(reason string) error {
	err := l.write(endLine(l.episode, reason))
	if failed := l.file.Close(); err == nil {
		err = failed
	}
	return err
}

// Abandon ends a log after a tick that could not be written: with what the lines
// that are there say, and this reason. Nothing may be written after. Where that
// cannot be written either, Finalise does it another time.
func (l *Log) Abandon(reason string) error {
	err := l.file.Close()
	_, unfinished := finalise(l.name, reason)
	return errors.Join(err, unfinished)
}

// write writes whole lines and waits for the disk. Where they do not fit, half of
// one may be there, which Abandon takes away.
func (l *Log) write(lines []byte) error {
	if _, err := l.file.Write(lines); err != nil {
		return fmt.Errorf("run log: %w", err)
	}
	if err := l.file.Sync(); err != nil {
		return fmt.Errorf("run log: %w", err)
	}
	return nil
}

// syncFolder waits until the names in a folder are on the disk.
func syncFolder(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
