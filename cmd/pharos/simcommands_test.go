package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// simulated runs `pharos sim` and gives its status and what it printed.
func simulated(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, problems bytes.Buffer
	status = run(t.Context(), append([]string{"sim"}, args...), strings.NewReader(""), &out, &problems)
	return status, out.String(), problems.String()
}

// written writes a file into a folder of the test.
func written(t *testing.T, name, text string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// An episode that is played here has a log that is computed again, by a policy
// and by a script alike; and a log that was changed differs where it was.
//
// clause: S-31
func TestSimRunAndReplay(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	const script = `{"tick":0,"vehicle_id":"truck-1","incident_id":"a","destination":{"x":715,"y":303.25},"rationale":"go"}

{"tick":3,"vehicle_id":"truck-2","incident_id":"b","destination":{"x":7.2e2,"y":300},"rationale":"to the west"}
{"tick":100,"vehicle_id":"truck-2","incident_id":"b","destination":{"x":7.2e2,"y":300},"rationale":"too late"}
`
	for _, args := range [][]string{
		{"-policy", "people", "stage5-babel@oldtown"}, {"-seed", "9", "stage1-basic@portside"},
		{"-commands", written(t, "script.jsonl", script), "-run-id", "mine", "stage1-basic@londone"},
	} {
		status, out, problems := simulated(t, append([]string{"run", "-json", "-out", folder}, args...)...)
		var found struct {
			Log  string `json:"log"`
			Left int    `json:"commands_left"`
		}
		if err := json.Unmarshal([]byte(out), &found); err != nil || status != 0 {
			t.Fatalf("%v: status %d, %s%s", args, status, out, problems)
		}
		if late := slices.Contains(args, "-commands"); (found.Left == 1) != late {
			t.Errorf("%v: %s", args, out)
		}
		if status, out, problems := simulated(t, "replay", found.Log); status != 0 || !strings.Contains(out, "the same, ") {
			t.Errorf("%v: status %d, %s%s", args, status, out, problems)
		}
	}
	mine := filepath.Join(folder, "mine.jsonl")
	log, err := os.ReadFile(mine)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(log, []byte(`"destination":{"requested":{"x":715.0,"y":303.3}`)) {
		t.Error("the script was not followed")
	}
	longest := strings.Repeat("x", 64)
	if status, _, problems := simulated(t, "run", "-out", folder, "-run-id", longest, "stage1-basic@londone"); status != 0 {
		t.Errorf("a name of 64 bytes: status %d, %s", status, problems)
	}
	if status, _, problems := simulated(t, "run", "-out", folder, "-run-id", "mine", "stage1-basic@londone"); status != 1 ||
		!strings.Contains(problems, "there is a log of mine") {
		t.Errorf("a second log: %d, %s", status, problems)
	}
	changed := written(t, "changed.jsonl", strings.Replace(string(log), `"tick":7,`, `"tick":8,`, 1))
	status, out, _ := simulated(t, "replay", "-json", mine, changed, filepath.Join(folder, "none.jsonl"))
	var found struct{ Logs []replayedLog }
	if err := json.Unmarshal([]byte(out), &found); err != nil || status != 1 || len(found.Logs) != 3 {
		t.Fatalf("status %d, %s", status, out)
	}
	if l := found.Logs; l[0].Difference != nil || l[1].Difference == nil || l[1].Difference.Line != 9 || l[2].Error == "" {
		t.Errorf("%s", out)
	}
}

// What cannot be played is a clear error, with the status of a mistake.
func TestSimCommandsRefuse(t *testing.T) {
	t.Parallel()
	const right = `{"tick":4,"vehicle_id":"truck-1","incident_id":"a","destination":{"x":715,"y":303},"rationale":"go"}` + "\n"
	folder := t.TempDir()
	for _, c := range []struct {
		status int
		want   string
		args   []string
	}{
		{2, "unknown command", nil},
		{2, "unknown command", []string{"play"}},
		{2, "needs SCENARIO", []string{"run"}},
		{2, `no scenario "x"`, []string{"run", "x"}},
		{2, "seed is not from 0", []string{"run", "-seed", "-1", "stage1-basic@londone"}},
		{2, "no baseline", []string{"run", "-policy", "best", "stage1-basic@londone"}},
		{2, "exclude each other", []string{"run", "-policy", "none", "-commands", "x", "stage1-basic@londone"}},
		{2, "-run-id is not", []string{"run", "-run-id", "../x", "stage1-basic@londone"}},
		{2, "-run-id is not", []string{"run", "-run-id", strings.Repeat("x", 65), "stage1-basic@londone"}},
		{1, "no such file", []string{"run", "-commands", filepath.Join(folder, "none"), "stage1-basic@londone"}},
		{1, "no such file", []string{"run", "-out", filepath.Join(folder, "none"), "stage1-basic@londone"}},
		{2, "needs a POLICY", []string{"baseline"}},
		{2, "no baseline", []string{"baseline", "best"}},
		{2, "-seeds is 0", []string{"baseline", "-seeds", "0", "none"}},
		{2, "-seed-base is -1", []string{"baseline", "-seed-base", "-1", "none"}},
		{2, "-seed-base is 9007199254740991", []string{"baseline", "-seed-base", "9007199254740991", "-seeds", "2", "none"}},
		{2, "no scenario has", []string{"baseline", "-scenarios", "stage9", "none"}},
		{2, "needs FILE", []string{"replay"}},
		{2, "needs DIR", []string{"datasets"}},
		{2, "needs GOLD, PRED", []string{"grade", "x"}},
		{1, "no such file", []string{"grade", "x", "y"}},
		{2, "needs FILE.osm", []string{"mapimport", "-out", "x"}},
		{2, "needs -out", []string{"mapimport", "x"}},
		{1, "no OpenStreetMap", []string{"mapimport", "-id", "x", "-out", filepath.Join(folder, "m.json"), written(t, "a.osm", "hello")}},
		{1, "line 1: tick is not there", playing(t, strings.Replace(right, `"tick":4,`, "", 1))},
		{1, "line 3: tick 3 stands behind tick 4", playing(t, right+"\n"+strings.Replace(right, ":4,", ":3,", 1))},
		{1, "line 1", playing(t, strings.Replace(right, `"tick"`, `"when"`, 1))},
		{1, "line 1: incident_id", playing(t, strings.Replace(right, `"a"`, `" "`, 1))},
		{1, "line 1: rationale", playing(t, strings.Replace(right, `"go"`, `"`+strings.Repeat("x", 1001)+`"`, 1))},
		{1, "line 1: destination", playing(t, strings.Replace(right, `"x":715,`, "", 1))},
		{1, "line 1: not a number between", playing(t, strings.Replace(right, `715`, "1e7", 1))},
		{1, "line 1: UNKNOWN_VEHICLE", playing(t, strings.Replace(right, "truck-1", "truck-3", 1))},
		{1, "line 1: OUT_OF_BOUNDS", playing(t, strings.Replace(right, "715", "-1", 1))},
	} {
		status, out, problems := simulated(t, c.args...)
		if status != c.status || !strings.Contains(problems, c.want) || out != "" {
			t.Errorf("%v: status %d, %q, want %d, %q", c.args, status, out+problems, c.status, c.want)
		}
	}
}

// playing are the arguments that play one.
func playing(t *testing.T, text string) []string {
	t.Helper()
	return []string{"run", "-out", t.TempDir(), "-commands", written(t, "script.jsonl", text), "stage1-basic@londone"}
}

// Baselines are summed up by policy and scenario, and help is no error.
//
// clause: S-34
func TestSimBaseline(t *testing.T) {
	t.Parallel()
	status, out, problems := simulated(t, "baseline", "--json", "--seed-base", "7", "--seeds", "3", "--scenarios", "stage1", "none", "people")
	var found struct {
		Summaries []struct {
			Policy     string                            `json:"policy"`
			ScenarioID string                            `json:"scenario_id"`
			FirstSeed  int64                             `json:"first_seed"`
			Loss       struct{ Mean, Deviation float64 } `json:"loss"`
		} `json:"summaries"`
	}
	if err := json.Unmarshal([]byte(out), &found); err != nil || status != 0 || problems != "" {
		t.Fatalf("status %d, %s%s", status, out, problems)
	}
	if n := len(found.Summaries); n != 6 {
		t.Fatalf("%d summaries", n)
	}
	if s := found.Summaries[1]; s.Policy != "people" || s.ScenarioID != "stage1-basic@londone" || s.FirstSeed != 7 {
		t.Errorf("%+v", s)
	}
	if status, out, _ := simulated(t, "baseline", "-seeds", "1", "-scenarios", "stage1-basic@londone", "none"); status != 0 ||
		!strings.Contains(out, "stage1-basic@londone") || strings.Count(out, "\n") != 2 {
		t.Errorf("status %d, %s", status, out)
	}
	for name := range simCommands {
		if status, out, _ := simulated(t, name, "-h"); status != 0 || !strings.HasPrefix(out, "usage: pharos sim") {
			t.Errorf("%s: status %d, %s", name, status, out)
		}
	}
}

// Data sets are written, and predictions of them graded.
//
// clause: S-32
func TestSimDatasetsAndGrade(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "sets")
	if status, out, problems := simulated(t, "datasets", folder); status != 0 || !strings.Contains(out, folder) {
		t.Fatalf("status %d, %s%s", status, out, problems)
	}
	gold := filepath.Join(folder, "dev.jsonl")
	data, err := os.ReadFile(gold)
	if err != nil {
		t.Fatal(err)
	}
	var predictions strings.Builder
	for line := range strings.Lines(string(data)) {
		var c struct {
			ID    string          `json:"contact_id"`
			Label json.RawMessage `json:"label"`
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&predictions, "{\"contact_id\":%q,%s\n", c.ID, c.Label[1:])
	}
	predicted := written(t, "predicted.jsonl", predictions.String())
	if status, out, problems := simulated(t, "grade", gold, predicted); status != 0 || !strings.Contains(out, "1.0000 of them right") {
		t.Errorf("status %d, %s%s", status, out, problems)
	}
	short := written(t, "short.jsonl", predictions.String()[:strings.LastIndexByte(strings.TrimSpace(predictions.String()), '\n')+1])
	if status, _, problems := simulated(t, "grade", "-json", gold, short); status != 1 || !strings.Contains(problems, "nothing is graded") {
		t.Errorf("status %d, %s", status, problems)
	}
}

// A map is made of a piece of the earth.
func TestSimMapImport(t *testing.T) {
	t.Parallel()
	const village = "../../services/simulator/city/osm/testdata/village.osm"
	to := filepath.Join(t.TempDir(), "village.json")
	status, out, problems := simulated(t, "mapimport", "-out", to, village)
	if status != 0 || !strings.Contains(out, "7 roads, 7 buildings") {
		t.Fatalf("status %d, %s%s", status, out, problems)
	}
	if data, err := os.ReadFile(to); err != nil || !bytes.Contains(data, []byte(`"id": "village"`)) {
		t.Error(err)
	}
	if status, _, problems := simulated(t, "mapimport", "-json", "-out", to, village); status != 1 || !strings.Contains(problems, "exists") {
		t.Errorf("over a file that is there: %d, %s", status, problems)
	}
}
