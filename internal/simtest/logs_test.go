package simtest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/simulator/runlog"
)

// logs reads the logs of a folder, by run. Each must be whole: every line what
// the rules give, none torn.
func logs(t *testing.T, folder string) map[string]runlog.Replayed {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*"+runlog.Suffix))
	ok(t, err)
	all := map[string]runlog.Replayed{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		ok(t, err)
		found, err := runlog.Replay(bytes.NewReader(text))
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(name), err)
		}
		if lines := bytes.Count(text, []byte("\n")); lines != found.Lines || !bytes.HasSuffix(text, []byte("\n")) {
			t.Errorf("%s: %d lines can be read of %d", filepath.Base(name), found.Lines, lines)
		}
		if id := strings.TrimSuffix(filepath.Base(name), runlog.Suffix); id != found.Header.RunID {
			t.Errorf("%s is of run %q", filepath.Base(name), found.Header.RunID)
		}
		all[found.Header.RunID] = found
	}
	return all
}

// ends are the reasons of the logs of a folder, each of which must have exactly
// one final record, by run.
func ends(t *testing.T, folder string) map[string]string {
	t.Helper()
	reasons := map[string]string{}
	for id, found := range logs(t, folder) {
		text, err := os.ReadFile(filepath.Join(folder, id+runlog.Suffix))
		ok(t, err)
		if n := bytes.Count(text, []byte("\n{\"type\":\"end\",")); n != 1 {
			t.Errorf("%s has %d final records", id, n)
		}
		reasons[id] = found.Reason
	}
	return reasons
}

// ended reports why a run has ended, or "" while it has not.
func ended(folder, id string) string {
	f, err := os.Open(filepath.Join(folder, id+runlog.Suffix))
	if err != nil {
		return ""
	}
	defer f.Close()
	found, _ := runlog.Replay(f)
	return found.Reason
}
