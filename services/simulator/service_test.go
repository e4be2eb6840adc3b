package simulator_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/edge/tool"
	catalog "github.com/pharos-mcp/pharos/generated/simulator"
	"github.com/pharos-mcp/pharos/services/simulator"
	"github.com/pharos-mcp/pharos/services/simulator/runlog"
)

// desk is a simulator with its folder.
type desk struct {
	*simulator.Service
	catalog tool.Catalog
	folder  string
}

func open(t *testing.T) *desk {
	t.Helper()
	folder := t.TempDir()
	s, err := simulator.New(simulator.Config{Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return &desk{s, catalog.Catalog(s), folder}
}

// call calls a tool for a controller: its result, or its code.
func (d *desk) call(t *testing.T, controller, name, arguments string) (result string, code fault.Code) {
	t.Helper()
	for i := range d.catalog.Operations {
		op := &d.catalog.Operations[i]
		if op.Tool != name {
			continue
		}
		r, err := d.catalog.Dispatch(simulator.WithController(t.Context(), controller), nil, op, []byte(arguments))
		if err != nil {
			return "", fault.CodeOf(err)
		}
		if !json.Valid(r.Body) {
			t.Fatalf("%s gives what is no JSON: %s", name, r.Body)
		}
		return string(r.Body), ""
	}
	t.Fatalf("no tool %s", name)
	return "", ""
}

// must is call for what must succeed, and be decoded.
func (d *desk) must(t *testing.T, controller, name, arguments string) map[string]any {
	t.Helper()
	text, code := d.call(t, controller, name, arguments)
	if code != "" {
		t.Fatalf("%s %s: %s", name, arguments, code)
	}
	var v map[string]any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// refused is call for what must get a code.
func (d *desk) refused(t *testing.T, controller, name, arguments string, want fault.Code) {
	t.Helper()
	if text, code := d.call(t, controller, name, arguments); code != want {
		t.Errorf("%s %s: %s%s, want %s", name, arguments, text, code, want)
	}
}

// ends are the reasons of the logs in the folder, by run.
func (d *desk) ends(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(d.folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		found, err := runlog.Replay(f)
		_ = f.Close()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		all[found.Header.RunID] = found.Reason
	}
	return all
}

// A whole episode by hand: what each tool gives, and what is the same.
//
// clause: S-06, S-13, S-14, S-20, S-21, S-22, S-26, S-28
func TestEpisode(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.Begin("ann")
	list := d.must(t, "ann", "list_scenarios", `{}`)
	if n := len(list["scenarios"].([]any)); n != 15 || list["lifecycle"] != "lobby" || list["run_id"] != nil || list["tick"] != nil {
		t.Errorf("%d scenarios: %v", n, list)
	}
	if lobby, _ := d.call(t, "ann", "status", `{}`); lobby != `{"api_version":1,"lifecycle":"lobby","run_id":null,"tick":null,"pending":[]}` {
		t.Errorf("the lobby: %s", lobby)
	}
	for _, name := range []string{"dispatch", "next_tick", "travel_time", "building_to_coords"} {
		d.refused(t, "ann", name, `{"expected_tick":0,"building_id":"l1","from":{"vehicle_id":"truck-1"},"to":{"vehicle_id":"truck-1"},
			"vehicle_id":"truck-1","incident_id":"i","rationale":"r","destination":{"x":1,"y":1}}`, "WRONG_LIFECYCLE")
	}
	d.refused(t, "ann", "start_episode", `{"scenario_id":"stage9@londone"}`, "UNKNOWN_SCENARIO")
	first, _ := d.call(t, "ann", "start_episode", `{"scenario_id":"stage1-basic@londone"}`)
	same := d.must(t, "ann", "start_episode", `{"scenario_id":"stage1-basic@londone","seed":51001}`)
	run := same["run_id"].(string)
	again := strings.ReplaceAll(first, first[strings.Index(first, "run-"):][:len(run)], run)
	text, _ := d.call(t, "ann", "status", `{}`)
	observation := func(text string) string { return text[strings.Index(text, `"observation":`)+len(`"observation":`):] }
	if !strings.HasPrefix(observation(text), strings.TrimSuffix(observation(again), "}")) {
		t.Errorf("another observation:\n%s\n%s", observation(text), observation(again))
	}
	frozen, _ := d.call(t, "ann", "status", `{}`)
	d.must(t, "ann", "dispatch", `{"expected_tick":0,"vehicle_id":"truck-1","incident_id":"i","rationale":"r <l1>","destination":{"x":640.04,"y":500}}`)
	pending, _ := d.call(t, "ann", "status", `{}`)
	if observation(frozen) != observation(pending) {
		t.Error("a pending command changes the observation")
	}
	if !strings.Contains(pending, `"requested":{"x":640.0,"y":500.0}`) || !strings.Contains(pending, `r <l1>`) {
		t.Errorf("pending: %s", pending)
	}
	d.refused(t, "ann", "next_tick", `{"expected_tick":1}`, "TICK_MISMATCH")
	var last map[string]any
	for tick := 0; ; tick++ {
		last = d.must(t, "ann", "next_tick", `{"expected_tick":`+itoa(tick)+`}`)
		if last["lifecycle"] == "terminal" {
			break
		}
		if last["outcome"] != nil || last["terminal_reason"] != nil {
			t.Fatalf("an outcome before the end: %v", last)
		}
		if s, _ := d.call(t, "ann", "status", `{}`); strings.Contains(s, "casualties") {
			t.Fatalf("a score before the end: %s", s)
		}
	}
	d.refused(t, "ann", "next_tick", `{"expected_tick":`+itoa(int(last["tick"].(float64)))+`}`, "WRONG_LIFECYCLE")
	status := d.must(t, "ann", "status", `{}`)
	if diff := cmp.Diff(last["outcome"], status["outcome"]); diff != "" || status["terminal_reason"] == nil {
		t.Errorf("outcome: %s", diff)
	}
	if o := status["outcome"].(map[string]any); o["tokens"] != nil || o["tokens_note"] != "participant-reported; the engine never measures tokens" {
		t.Errorf("tokens: %v", o)
	}
	d.must(t, "ann", "travel_time", `{"from":{"vehicle_id":"truck-1"},"to":{"point":{"x":640,"y":500}}}`)
	want := map[string]string{run: status["terminal_reason"].(string), first[strings.Index(first, "run-"):][:len(run)]: "aborted:replaced"}
	if diff := cmp.Diff(want, d.ends(t)); diff != "" {
		t.Error(diff)
	}
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

// The newest controller has the lease, whatever the others do.
//
// clause: S-02, S-03, S-04
func TestLease(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.refused(t, "ann", "status", `{}`, "CONTROLLER_DISPLACED")
	d.Begin("ann")
	ann := d.must(t, "ann", "start_episode", `{"scenario_id":"stage1-basic@oldtown"}`)["run_id"].(string)
	d.must(t, "ann", "next_tick", `{"expected_tick":0}`)
	d.Begin("bob")
	for _, op := range d.catalog.Operations {
		d.refused(t, "ann", op.Tool, `{}`, "CONTROLLER_DISPLACED")
	}
	if v := d.must(t, "bob", "status", `{}`); v["lifecycle"] != "lobby" || v["run_id"] != nil {
		t.Errorf("bob inherits %v", v)
	}
	bob := d.must(t, "bob", "start_episode", `{"scenario_id":"stage1-basic@oldtown"}`)["run_id"].(string)
	d.End("ann") // who has no lease any more
	d.must(t, "bob", "next_tick", `{"expected_tick":0}`)
	d.End("bob")
	d.refused(t, "bob", "status", `{}`, "CONTROLLER_DISPLACED")
	if diff := cmp.Diff(map[string]string{ann: "aborted:displaced", bob: "aborted"}, d.ends(t)); diff != "" {
		t.Error(diff)
	}
	d.Begin("ann")
	if v := d.must(t, "ann", "status", `{}`); v["lifecycle"] != "lobby" {
		t.Errorf("ann resumes %v", v)
	}
}

// A tick takes a bounded number of commands, however many of them are taken back,
// and the line of the most can be read again.
//
// clause: S-12
func TestManyCommands(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.Begin("ann")
	run := d.must(t, "ann", "start_episode", `{"scenario_id":"stage1-basic@londone"}`)["run_id"].(string)
	rationale, _ := json.Marshal(strings.Repeat("\u2028", 1000)) // six bytes each
	order := func(tick int) string {
		return `{"expected_tick":` + itoa(tick) + `,"vehicle_id":"truck-1","incident_id":"` + strings.Repeat("i", 64) +
			`","rationale":` + string(rationale) + `,"destination":{"x":640.04,"y":500}}`
	}
	for range 1000 {
		d.must(t, "ann", "dispatch", order(0))
	}
	d.refused(t, "ann", "dispatch", order(0), "INVALID_ARGUMENT")
	d.must(t, "ann", "next_tick", `{"expected_tick":0}`)
	d.must(t, "ann", "dispatch", order(1))
	d.End("ann")
	if got := d.ends(t)[run]; got != "aborted" {
		t.Errorf("the log ends %q", got)
	}
}

// Nobody learns of a building that no report has named.
//
// clause: S-23
func TestBuildings(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.Begin("ann")
	text, _ := d.call(t, "ann", "start_episode", `{"scenario_id":"stage1-basic@londone"}`)
	known := 0
	for n := 1; n <= 760; n++ {
		id := "l" + itoa(n)
		got, code := d.call(t, "ann", "building_to_coords", `{"building_id":"`+id+`"}`)
		if named := strings.Contains(text, `"`+id+`"`); named != (code == "") || (!named && code != "UNKNOWN_BUILDING") {
			t.Errorf("%s, named %v: %s%s", id, named, got, code)
		} else if named {
			known++
		}
	}
	if known < 2 {
		t.Errorf("only %d are known", known)
	}
	for _, id := range []string{"l0", "l01", "L1", "1", "l", "l-1", "l999999999999999999999", "l1 "} {
		d.refused(t, "ann", "building_to_coords", `{"building_id":"`+id+`"}`, "UNKNOWN_BUILDING")
	}
}
