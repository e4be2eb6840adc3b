package runlog_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/simulator/engine"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
	"github.com/pharos-mcp/pharos/services/simulator/runlog"
)

// play plays an episode with a few commands, one of them superseded, and ends
// its log after so many ticks, or with the episode.
func play(t *testing.T, folder, runID, scenario string, ticks int64, reason string) (name string, e *engine.Episode) {
	t.Helper()
	s, ok := engine.Find(scenario)
	if !ok {
		t.Fatal(scenario)
	}
	e, err := engine.New(s, 7, runID)
	if err != nil {
		t.Fatal(err)
	}
	l, err := runlog.Create(folder, runID, e)
	if err != nil {
		t.Fatal(err)
	}
	for e.Lifecycle() == "running" && e.Tick() < ticks {
		if e.Tick()%5 == 1 {
			for _, x := range []int64{2000, 7305} {
				if _, _, err := e.Dispatch("truck-1", "my incident \"1\"", "go <there> żółw", geo.Point{X: x, Y: 3000}); err != nil {
					if err, ok := err.(*engine.Error); !ok || err.Code != engine.SnapTooFar {
						t.Fatal(err)
					}
				}
			}
		}
		if err := l.Tick(e.Step()); err != nil {
			t.Fatal(err)
		}
	}
	if reason == "" {
		reason = e.TerminalReason()
	}
	if reason == "none" {
		return filepath.Join(folder, runID+runlog.Suffix), e
	}
	if err := l.End(reason); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, runID+runlog.Suffix), e
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A log is computed again to the byte, whatever its run is called, and each
// change of it is found at its line.
//
// clause: S-30, S-31
func TestReplay(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	name, e := play(t, folder, "run-1", "stage4-surge@oldtown", 1000, "")
	other, _ := play(t, folder, "run-22", "stage4-surge@oldtown", 1000, "")
	log := read(t, name)
	if renamed := bytes.Replace(log, []byte("run-1"), []byte("run-22"), 1); !bytes.Equal(renamed, read(t, other)) {
		t.Error("two runs of one episode have other lines than the header's")
	}
	found, err := runlog.Replay(bytes.NewReader(log))
	lines := bytes.SplitAfter(log, []byte("\n"))
	lines = lines[:len(lines)-1]
	if err != nil || found.Reason != e.TerminalReason() || found.Lines != len(lines) || found.Episode.Outcome() != e.Outcome() {
		t.Fatalf("%v: %q after %d lines of %d", err, found.Reason, found.Lines, len(lines))
	}
	for i, line := range lines {
		if !json.Valid(line) {
			t.Fatalf("line %d is no JSON: %s", i+1, line)
		}
		changed := bytes.Clone(log)
		at := len(bytes.Join(lines[:i], nil)) + len(line) - 4 // the last digits of a digest, or of a number
		changed[at] ^= 1
		var d *runlog.Difference
		if _, err := runlog.Replay(bytes.NewReader(changed)); !errors.As(err, &d) || d.Line != i+1 {
			t.Errorf("line %d was changed: %v", i+1, err)
		}
		var missing []byte
		missing = append(append(missing, bytes.Join(lines[:i], nil)...), bytes.Join(lines[i+1:], nil)...)
		if found, err := runlog.Replay(bytes.NewReader(missing)); err == nil && found.Reason != "" {
			t.Errorf("line %d is missing, and nobody sees it", i+1)
		}
	}
	for why, text := range map[string]string{
		"a line after the end": string(log) + string(lines[1]), "two ends": string(log) + string(lines[len(lines)-1]),
		"no header": string(bytes.Join(lines[1:], nil)), "no log at all": "hello\n", "another end": strings.Replace(string(log), `{"type":"end","reason":"`, `{"type":"end","reason":"aborted:x`, 1),
		"a line that never ends": string(lines[0]) + strings.Repeat("x", runlog.MaxLine+1) + "\n",
	} {
		if _, err := runlog.Replay(strings.NewReader(text)); err == nil {
			t.Errorf("%s: nobody sees it", why)
		}
	}
}

// Wherever a log was cut, it is whole after a restart, with one end.
//
// clause: S-05
func TestFinalise(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	name, _ := play(t, folder, "run-1", "stage2-voices@londone", 20, "none")
	whole := read(t, name)
	over, e := play(t, folder, "run-2", "stage1-basic@londone", 1000, "none") // over, and its end is not written
	done, _ := play(t, folder, "run-3", "stage1-basic@londone", 3, "aborted:displaced")
	finished := read(t, done)
	if err := os.WriteFile(filepath.Join(folder, ".begin-run-9"), []byte(`{"type":"hea`), 0o600); err != nil {
		t.Fatal(err)
	}
	first := bytes.IndexByte(whole, '\n') + 1
	first += bytes.IndexByte(whole[first:], '\n') + 1 // what Create leaves, whole
	for _, cut := range []int{first, first + 1, first + 500, len(whole) / 2, len(whole) - 1, len(whole)} {
		if err := os.WriteFile(name, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := runlog.Finalise(folder); err != nil {
			t.Fatal(err)
		}
		found, err := runlog.Replay(bytes.NewReader(read(t, name)))
		if err != nil || found.Reason != runlog.ByRestart {
			t.Errorf("cut at %d: %q, %v", cut, found.Reason, err)
		}
		kept := whole[:bytes.LastIndexByte(whole[:cut], '\n')+1]
		if !bytes.HasPrefix(read(t, name), kept) {
			t.Errorf("cut at %d: whole lines are lost", cut)
		}
	}
	found, err := runlog.Replay(bytes.NewReader(read(t, over)))
	if err != nil || found.Reason != e.TerminalReason() {
		t.Errorf("an episode that was over: %q, %v", found.Reason, err)
	}
	if !bytes.Equal(read(t, done), finished) {
		t.Error("a finished log was changed")
	}
	if n, err := runlog.Finalise(folder); n != 0 || err != nil {
		t.Errorf("once more: %d, %v", n, err)
	}
	if _, err := os.Stat(filepath.Join(folder, ".begin-run-9")); !os.IsNotExist(err) {
		t.Errorf("a run that never began is still there: %v", err)
	}
}

// A log of other rules ends too, without a truth that these rules would make up.
//
// clause: S-05
func TestFinaliseForeign(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	name := filepath.Join(folder, "old.jsonl")
	text := `{"type":"header","log_version":1,"run_id":"old","mechanics_version":0}` + "\n" + `{"type":"tick","tick":4,"commands":[]}` + "\n" + `{"type":"ti`
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := runlog.Finalise(folder); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	want := strings.TrimSuffix(text, `{"type":"ti`) + `{"type":"end","reason":"aborted:process_restart","tick":4,"casualties":null,"buildings_lost":null,"truth":null,"contacts":null}` + "\n"
	if got := string(read(t, name)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// What is in the folder and does not begin as a log is somebody else's, whatever
// its name: nothing is cut off it or added.
//
// clause: S-05
func TestFinaliseOthers(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	texts := map[string]string{
		"notes.jsonl": "hello", "table.jsonl": "{\"a\":1}\n{\"a\":2}\n{\"a\"", "empty.jsonl": "",
		"short.jsonl": "{}\n", "torn.jsonl": `{"type":"header","log_version":1`,
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := runlog.Finalise(folder); n != 0 || err != nil {
		t.Fatal(n, err)
	}
	for name, text := range texts {
		if got := string(read(t, filepath.Join(folder, name))); got != text {
			t.Errorf("%s is now %q", name, got)
		}
	}
}

// A log whose last tick could not be written ends with the tick before, also
// where half a line is there.
//
// clause: S-30
func TestAbandon(t *testing.T) {
	t.Parallel()
	for name, torn := range map[string]string{"nothing was written": "", "half was": `{"type":"tick","tick":4,"comm`} {
		folder := t.TempDir()
		s, _ := engine.Find("stage2-voices@londone")
		e, err := engine.New(s, 7, "run-1")
		if err != nil {
			t.Fatal(err)
		}
		l, err := runlog.Create(folder, "run-1", e)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if err := l.Tick(e.Step()); err != nil {
				t.Fatal(err)
			}
		}
		e.Step() // which is not written
		file := filepath.Join(folder, "run-1"+runlog.Suffix)
		if err := os.WriteFile(file, append(read(t, file), torn...), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := l.Abandon("aborted"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		found, err := runlog.Replay(bytes.NewReader(read(t, file)))
		if err != nil || found.Reason != "aborted" || found.Episode.Tick() != 3 || found.Lines != 6 {
			t.Errorf("%s: %q at tick %d, %d lines, %v", name, found.Reason, found.Episode.Tick(), found.Lines, err)
		}
	}
}

// A run id is used once.
func TestCreateTwice(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	name, e := play(t, folder, "run-1", "stage1-basic@londone", 2, "aborted")
	before := read(t, name)
	if _, err := runlog.Create(folder, "run-1", e); err == nil {
		t.Error("a second log of one run")
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 || !bytes.Equal(read(t, name), before) {
		t.Errorf("%v, %v", entries, err)
	}
}

// The first tick has the fires that burn from the start among its changes.
//
// clause: S-31
func TestFirstTick(t *testing.T) {
	t.Parallel()
	name, _ := play(t, t.TempDir(), "run-1", "stage1-basic@londone", 3, "aborted")
	first := strings.Split(string(read(t, name)), "\n")[1]
	if !strings.Contains(first, `"changes":[{"type":"ignited",`) {
		t.Errorf("the first tick: %s", first)
	}
}
