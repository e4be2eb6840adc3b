package runlog_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The last line has every contact of the lines before it again, each with its
// claim, its label and what is behind it, and the truth.
//
// clause: S-30
func TestEndTellsEverything(t *testing.T) {
	t.Parallel()
	name, _ := play(t, t.TempDir(), "run-1", "stage5-babel@londone", 1000, "")
	type line struct {
		Type     string
		Contacts []map[string]any
		Truth    map[string]any
	}
	var all []map[string]any
	var last line
	for text := range bytes.Lines(read(t, name)) {
		last = line{}
		if err := json.Unmarshal(text, &last); err != nil {
			t.Fatal(err)
		}
		if last.Type == "tick" {
			all = append(all, last.Contacts...)
		}
	}
	if len(all) < 20 || last.Type != "end" || last.Truth["buildings"] == nil {
		t.Fatalf("%d contacts, and the last line is %q with %v", len(all), last.Type, last.Truth)
	}
	if diff := cmp.Diff(all, last.Contacts); diff != "" {
		t.Error(diff)
	}
	for _, c := range last.Contacts {
		for _, member := range []string{"claim", "label", "truth"} {
			if _, ok := c[member].(map[string]any); !ok {
				t.Errorf("%v has no %s", c["contact_id"], member)
			}
		}
	}
}
