package runlog_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/pharos-mcp/pharos/services/simulator/engine"
	"github.com/pharos-mcp/pharos/services/simulator/runlog"
)

func published(t *testing.T) *jsonschema.Schema {
	t.Helper()
	const name = "../../../docs/simulator/run-log.schema.json"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func valid(s *jsonschema.Schema, line string) error {
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return err
	}
	return s.Validate(v)
}

// Every line of a log has the form that is published, also of one that was given
// up, or that this program cannot compute; and other lines have not.
//
// clause: S-31
func TestSchema(t *testing.T) {
	t.Parallel()
	schema, folder := published(t), t.TempDir()
	var logs []string
	for _, s := range engine.Scenarios() {
		name, _ := play(t, folder, "run-"+s.MapID+s.Template.ID, s.ID, 1000, "")
		logs = append(logs, string(read(t, name)))
	}
	name, _ := play(t, folder, "run-a", "stage2-voices@londone", 9, "aborted:displaced")
	logs = append(logs, string(read(t, name)))
	foreign := filepath.Join(folder, "foreign.jsonl")
	whole := strings.Replace(logs[0], `"mechanics_version":1`, `"mechanics_version":2`, 1)
	if err := os.WriteFile(foreign, []byte(whole[:strings.LastIndex(whole, `{"type":"end"`)]), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := runlog.Finalise(folder); err != nil {
		t.Fatal(err)
	}
	kept := strings.SplitAfter(string(read(t, foreign)), "\n")
	logs = append(logs, kept[len(kept)-2])
	seen := map[string]bool{}
	for _, log := range logs {
		for line := range strings.Lines(log) {
			if err := valid(schema, line); err != nil {
				t.Fatalf("%v\n%s", err, line)
			}
			for _, what := range []string{`"human_text"`, `"structured_report"`, `"superseded_by":"cmd-`, `"arrival"`, `"casualty"`, `"skipped"`, `"route":{`} {
				seen[what] = seen[what] || strings.Contains(line, what)
			}
			if again := strings.Replace(line, `{"type":`, `{"more":0,"type":`, 1); valid(schema, again) == nil {
				t.Fatalf("an unknown member is valid: %s", again)
			}
		}
	}
	for what, found := range seen {
		if !found && what != `"skipped"` { // which few episodes have
			t.Errorf("no line has %s", what)
		}
	}
	for _, line := range []string{`{"type":"tick"}`, `{"type":"end","reason":"bored"}`, `{}`, `[]`} {
		if valid(schema, line) == nil {
			t.Errorf("%s is valid", line)
		}
	}
}
