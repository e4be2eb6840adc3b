package dataset_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/pharos-mcp/pharos/services/simulator/dataset"
	"github.com/pharos-mcp/pharos/services/simulator/speech"
)

var update = flag.Bool("update", false, "write the digests of the data sets that are made now")

var files = sync.OnceValue(func() map[string][]byte {
	found := map[string][]byte{}
	for _, f := range dataset.Files() {
		found[f.Name] = f.Data
	}
	return found
})

// The files are those that they were, to the byte, and the same when they are
// made again. Where a rule or a phrase changes, so does the version of the
// mechanics, and the digests are written with -update.
//
// clause: S-32, S-35
func TestReproducible(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := dataset.Write(folder); err != nil {
		t.Fatal(err)
	}
	for name, data := range files() {
		written, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil || !bytes.Equal(written, data) {
			t.Errorf("%s is another when it is made again: %v", name, err)
		}
	}
	golden := filepath.Join("testdata", "SHA256SUMS")
	if *update {
		if err := os.WriteFile(golden, files()["SHA256SUMS"], 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(files()["SHA256SUMS"])); diff != "" {
		t.Error(diff)
	}
}

type line struct {
	ID        string `json:"contact_id"`
	Split     string
	Seed      int64
	Stage     int   `json:"difficulty_stage"`
	Delivered int64 `json:"delivered_at"`
	Language  string
	Text      string
	Label     json.RawMessage
}

// lines are those of a file, each checked against the published schema.
func lines(t *testing.T, split string) (found []line) {
	t.Helper()
	schema := compiled(t, "contact.schema.json")
	for text := range bytes.Lines(files()[split+".jsonl"]) {
		var any any
		var l line
		if err := json.Unmarshal(text, &any); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(any); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if err := json.Unmarshal(text, &l); err != nil {
			t.Fatal(err)
		}
		found = append(found, l)
	}
	return found
}

func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, bytes.NewReader(files()[name])); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every line is as the schema says, its label is what its text says, and no
// text, seed or identifier is in two splits.
//
// clause: S-32
func TestLines(t *testing.T) {
	t.Parallel()
	ids, seeds := map[string]bool{}, map[int64]string{}
	for _, split := range []struct {
		name  string
		count int
		book  speech.Book
	}{{"train", 8000, speech.A}, {"dev", 2000, speech.A}, {"test", 2000, speech.B}} {
		all := lines(t, split.name)
		if len(all) != split.count {
			t.Errorf("%s has %d lines, and is to have %d", split.name, len(all), split.count)
		}
		languages, stages := map[string]int{}, map[int]int{}
		for _, l := range all {
			label, err := speech.Parse(l.Text, l.Language, split.book, l.Delivered)
			if err != nil || string(label.Append(nil)) != string(l.Label) {
				t.Fatalf("%v: %s\n%s", err, l.Text, l.Label)
			}
			if ids[l.ID] || l.Split != split.name || seeds[l.Seed] != "" && seeds[l.Seed] != split.name {
				t.Fatalf("%s of seed %d is there already", l.ID, l.Seed)
			}
			ids[l.ID], seeds[l.Seed] = true, split.name
			languages[l.Language]++
			stages[l.Stage]++
		}
		if languages["pl"]*100 < len(all)*15 || len(stages) != 4 {
			t.Errorf("%s: %v, stages %v", split.name, languages, stages)
		}
	}
}

// The data card tells the figures, and the digests are of all the others.
func TestCard(t *testing.T) {
	t.Parallel()
	card := string(files()["README.md"])
	for _, want := range []string{"\n| train | A | 8000 | ", "\n| dev | A | 2000 | ", "\n| test | B | 2000 | ", "license: cc0-1.0"} {
		if !strings.Contains(card, want) {
			t.Errorf("the card lacks %q:\n%s", want, card)
		}
	}
	if strings.Contains(card, "<no value>") || strings.Count(string(files()["SHA256SUMS"]), "\n") != len(files())-1 {
		t.Errorf("%s\n%s", card, files()["SHA256SUMS"])
	}
}

// What the schema of predictions allows is graded, and what it refuses is not.
func TestPredictionSchema(t *testing.T) {
	t.Parallel()
	schema := compiled(t, "prediction.schema.json")
	const of = `{"contact_id":"a","language":"en","source_type":"public_call","difficulty_stage":2,"label":{"incident_type":"fire"}}`
	for text, right := range map[string]bool{
		`{"contact_id":"a","incident_type":"fire"}`: true,
		`{"contact_id":"a","incident_type":"none","severity":null,"headcount":null,"event_time":null,"evidence":null,"negations":["drill"]}`: true,
		`{"contact_id":"a","incident_type":"fire","headcount":{"value":null,"qualifier":"unknown","confidence":null}}`:                       true,
		`{"contact_id":"a","incident_type":"fire","event_time":{"tick":-1,"confidence":1},"source_reliability":null}`:                        true,
		`{"contact_id":"a"}`:                                                                       false,
		`{"contact_id":"","incident_type":"fire"}`:                                                 false,
		`{"contact_id":"a","incident_type":"fire","x":1}`:                                          false,
		`{"contact_id":"a","incident_type":"fire","severity":{"value":"low","confidence":2}}`:      false,
		`{"contact_id":"a","incident_type":"fire","severity":{"confidence":1}}`:                    false,
		`{"contact_id":"a","incident_type":"fire","headcount":{"value":1}}`:                        false,
		`{"contact_id":"a","incident_type":"fire","headcount":{"value":-1,"qualifier":"unknown"}}`: false,
		`{"contact_id":"a","incident_type":"fire","event_time":{"confidence":1}}`:                  false,
		`{"contact_id":"a","incident_type":"fire","evidence":["drill"]}`:                           false,
		`{"contact_id":"a","incident_type":"fire","negations":["drill","drill"]}`:                  false,
		`{"contact_id":"a","incident_type":"fire","source_reliability":"none"}`:                    false,
	} {
		var any any
		if err := json.Unmarshal([]byte(text), &any); err != nil {
			t.Fatal(err)
		}
		_, err := dataset.Grade(strings.NewReader(of), strings.NewReader(text))
		if invalid := schema.Validate(any); (invalid == nil) != right || (err == nil) != right {
			t.Errorf("%s: the schema says %v, the grader %v", text, invalid, err)
		}
	}
}

// The test set is graded in a moment.
func BenchmarkGrade(b *testing.B) {
	gold := files()["test.jsonl"]
	var predictions bytes.Buffer
	for text := range bytes.Lines(gold) {
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			b.Fatal(err)
		}
		predictions.WriteString(`{"contact_id":"` + l.ID + `",` + string(l.Label[1:]) + "\n")
	}
	b.ResetTimer()
	for b.Loop() {
		r, err := dataset.Grade(bytes.NewReader(gold), bytes.NewReader(predictions.Bytes()))
		if err != nil || r.Scores.ExactMatch != 1 {
			b.Fatal(err)
		}
	}
}
