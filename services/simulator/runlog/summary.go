package runlog

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Summary is what the first and the last line of a log say.
type Summary struct {
	Header
	End *Ending // nil while there is none
}

// Ending is what the last line says of how a run ended.
type Ending struct {
	Reason string `json:"reason"`
	Tick   int64  `json:"tick"`
	// Casualties and BuildingsLost are nil where the log is of other rules.
	Casualties    *int64 `json:"casualties"`
	BuildingsLost *int64 `json:"buildings_lost"`
}

// errNoLog is about a file that is none, whatever its name says.
var errNoLog = errors.New("it is no run log")

// Summarise reads the first and the last line of a run's log in a folder.
func Summarise(folder, runID string) (s Summary, err error) {
	file, err := os.Open(filepath.Join(folder, runID+Suffix))
	if err != nil {
		return s, err
	}
	defer func() { _ = file.Close() }()
	first, err := bufio.NewReaderSize(file, maxHeader).ReadSlice('\n')
	if err != nil || json.Unmarshal(first, &s.Header) != nil || s.Type != "header" || s.RunID != runID ||
		!plain(s.RunID, s.ScenarioID, s.MapID, s.MapSHA256, s.Constants) {
		return s, fmt.Errorf("%s%s: %w", runID, Suffix, errNoLog)
	}
	whole, last, err := tail(file)
	if err != nil || !strings.HasPrefix(last, endBegins) {
		return s, err
	}
	begin, err := lastBreak(file, whole-1)
	if err != nil {
		return s, err
	}
	line := make([]byte, whole-1-begin-1)
	if _, err := file.ReadAt(line, begin+1); err != nil {
		return s, err
	}
	s.End = &Ending{}
	if json.Unmarshal(line, s.End) != nil || !plain(s.End.Reason) || (s.End.Casualties == nil) != (s.End.BuildingsLost == nil) {
		return s, fmt.Errorf("%s%s: %w", runID, Suffix, errNoLog)
	}
	return s, nil
}

// plain reports whether texts are names as this program gives them, which can be
// kept anywhere.
func plain(texts ...string) bool {
	for _, text := range texts {
		if len(text) == 0 || len(text) > 64 || strings.ContainsFunc(text, func(r rune) bool { return r < '!' || r > '~' }) {
			return false
		}
	}
	return true
}

// maxHeader bounds a header, in bytes.
const maxHeader = 4 << 10

// headerBegins is how the first line begins.
const headerBegins = `{"type":"header",`

// endBegins is how the last line begins.
const endBegins = `{"type":"end",`

// Runs are the runs that have a log in a folder, in the order of their ids.
func Runs(folder string) (ids []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		id, isLog := strings.CutSuffix(entry.Name(), Suffix)
		if isLog && id != "" && !strings.HasPrefix(id, ".") && entry.Type().IsRegular() {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
