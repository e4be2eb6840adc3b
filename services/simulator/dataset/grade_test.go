package dataset_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/simulator/dataset"
)

// The gold lines of the tests: two fires, one that nobody is sure of, and none.
const gold = `{"contact_id":"a","language":"en","source_type":"public_call","difficulty_stage":2,"label":{"incident_type":"fire","severity":{"value":"high"},"headcount":{"value":2,"qualifier":"confirmed_trapped"},"event_time":{"tick":4},"evidence":["smoke","flames"],"negations":[]}}
{"contact_id":"b","language":"pl","source_type":"public_call","difficulty_stage":5,"label":{"incident_type":"fire","severity":null,"headcount":{"value":0,"qualifier":"all_out"},"event_time":null,"evidence":[],"negations":[]}}
{"contact_id":"c","language":"pl","source_type":"automatic_alarm","difficulty_stage":5,"label":{"incident_type":"unknown","severity":{"value":"low"},"headcount":null,"event_time":null,"evidence":["smoke"],"negations":[]}}
{"contact_id":"d","language":"en","source_type":"public_call","difficulty_stage":2,"label":{"incident_type":"none","severity":null,"headcount":null,"event_time":null,"evidence":[],"negations":["steam"]}}
`

const predictions = `{"contact_id":"d","incident_type":"fire","severity":null,"headcount":null,"event_time":null,"evidence":[],"negations":[]}
{"contact_id":"a","incident_type":"fire","severity":{"value":"high","confidence":0.9},"headcount":{"value":3,"qualifier":"confirmed_trapped","confidence":0.5},"event_time":{"tick":4},"evidence":["flames","smoke"],"negations":[]}
{"contact_id":"b","incident_type":"fire","severity":{"value":"low","confidence":0.2},"headcount":{"value":0,"qualifier":"all_out","confidence":1},"event_time":null,"evidence":["heat"],"negations":[]}
{"contact_id":"c","incident_type":"unknown","severity":{"value":"low","confidence":0.85},"source_reliability":"high"}
`

func graded(t *testing.T, gold, predictions string) *dataset.Report {
	t.Helper()
	r, err := dataset.Grade(strings.NewReader(gold), strings.NewReader(predictions))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A case that was counted by hand.
//
// clause: S-32
func TestGrade(t *testing.T) {
	t.Parallel()
	r := graded(t, gold, predictions)
	s := r.Scores
	var got []string
	for _, f := range s.Fields {
		got = append(got, fmt.Sprint(f.Name, " ", f.Support, " ", f.Precision, " ", f.Recall, " ", f.F1, " ", f.ExactMatch, " ", f.MacroF1))
	}
	want := []string{
		// Of the classes fire has 2 of 3 and 2 of 2, unknown is right, and none has nothing.
		"incident_type 4 0.7500 0.7500 0.7500 0.7500 0.6000",
		// high is right; low is right once and once where nothing is said.
		"severity 2 0.6667 1.0000 0.8000 0.7500 0.8333",
		"headcount.value 2 0.5000 0.5000 0.5000 0.7500 –",
		"headcount.qualifier 2 1.0000 1.0000 1.0000 1.0000 1.0000",
		"event_time.tick 1 1.0000 1.0000 1.0000 1.0000 –",
		// smoke is found in one of two, flames is right, heat is made up.
		"evidence 3 0.6667 0.6667 0.6667 0.5000 0.5556",
		"negations 1 – 0.0000 0.0000 0.7500 0.0000",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([3][3]int{{2, 0, 0}, {1, 0, 0}, {0, 0, 1}}, s.Confusion.Rows); diff != "" {
		t.Error(diff)
	}
	if s.Contacts != 4 || s.ExactMatch.String() != "0.0000" || s.F1.String() != "0.6738" || s.MacroF1.String() != "0.5978" {
		t.Errorf("%d contacts, %v whole, F1 %v and %v", s.Contacts, s.ExactMatch, s.F1, s.MacroF1)
	}
	var trust []string
	for _, c := range s.Calibration {
		trust = append(trust, fmt.Sprint(c.Field, " ", c.Predictions, " ", c.Brier, " ", c.ECE))
	}
	want = []string{
		"severity 3 0.0242 0.1500", // (0.1² + 0.2² + 0.15²)/3 and (0.1 + 0.2 + 0.15)/3
		"headcount 2 0.1250 0.2500",
		"event_time 0 – –",
	}
	if diff := cmp.Diff(want, trust); diff != "" {
		t.Error(diff)
	}
	var parts []string
	for _, p := range r.Parts {
		parts = append(parts, fmt.Sprint(p.By, " ", p.Value, " ", p.Scores.Contacts, " ", p.Scores.ExactMatch))
	}
	want = []string{
		"language en 2 0.0000", "language pl 2 0.0000", "source_type automatic_alarm 1 0.0000", "source_type public_call 3 0.0000",
		"difficulty_stage 2 2 0.0000", "difficulty_stage 5 2 0.0000",
	}
	if diff := cmp.Diff(want, parts); diff != "" {
		t.Error(diff)
	}
}

// What is all right has ones everywhere, and intervals of no width.
func TestGradePerfect(t *testing.T) {
	t.Parallel()
	var right strings.Builder
	for line := range strings.Lines(gold) {
		var l struct {
			ID    string         `json:"contact_id"`
			Label map[string]any `json:"label"`
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		l.Label["contact_id"] = l.ID
		text, err := json.Marshal(l.Label)
		if err != nil {
			t.Fatal(err)
		}
		right.Write(append(text, '\n'))
	}
	r := graded(t, gold, right.String())
	if r.Scores.F1 != 1 || r.Scores.MacroF1 != 1 || r.Scores.ExactMatch != 1 {
		t.Errorf("%+v", r.Scores)
	}
	if i := r.Intervals[2]; i.Measure != "exact_match" || i.Low != 1 || i.High != 1 {
		t.Errorf("%+v", i)
	}
}

// Intervals hold their value, and are the same again.
func TestIntervals(t *testing.T) {
	t.Parallel()
	one, other := graded(t, gold, predictions), graded(t, gold, predictions)
	if diff := cmp.Diff(fmt.Sprint(one.Intervals), fmt.Sprint(other.Intervals)); diff != "" {
		t.Error(diff)
	}
	for _, i := range one.Intervals {
		if !(0 <= i.Low && i.Low <= i.Value && i.Value <= i.High && i.High <= 1) || i.Low == i.High && i.Value > 0 && i.Value < 1 {
			t.Errorf("%+v", i)
		}
	}
}

// Lines that cannot be graded are told with their numbers, all at once.
//
// clause: S-32
func TestGradeProblems(t *testing.T) {
	t.Parallel()
	lines := strings.SplitAfter(strings.TrimSuffix(predictions, "\n"), "\n")
	for name, c := range map[string]struct {
		gold, predictions string
		want              []string
	}{
		"missing and unknown": {gold, strings.Replace(predictions, `"a"`, `"z"`, 1), []string{
			`predictions, line 2: "z" is not in the gold file`, `gold, line 1: nothing is predicted for "a"`,
		}},
		"duplicates": {gold + gold[:strings.Index(gold, "\n")+1], predictions + lines[1], []string{
			`predictions, line 5: "a" is there already, in line 2`, `gold, line 5: "a" is there already, in line 1`,
		}},
		"no JSON": {gold, predictions + "{\n\n", []string{
			`predictions, line 5: not one object and nothing else`, `predictions, line 6: not one object and nothing else`,
		}},
		"unknown member":    {gold, strings.Replace(predictions, `"severity":null`, `"sevrity":null`, 1), nil},
		"member twice":      {gold, strings.Replace(predictions, `"severity":null`, `"event_time":null`, 1), nil},
		"no type":           {gold, strings.Replace(predictions, `"incident_type":"fire",`, ``, 1), nil},
		"wrong type":        {gold, strings.Replace(predictions, `"fire"`, `"smoke"`, 1), nil},
		"wrong severity":    {gold, strings.Replace(predictions, `"value":"high"`, `"value":"huge"`, 1), nil},
		"wrong qualifier":   {gold, strings.Replace(predictions, `"all_out"`, `"out"`, 1), nil},
		"wrong evidence":    {gold, strings.Replace(predictions, `"heat"`, `"sound"`, 1), nil},
		"evidence twice":    {gold, strings.Replace(predictions, `["flames","smoke"]`, `["smoke","smoke"]`, 1), nil},
		"negative":          {gold, strings.Replace(predictions, `"value":3`, `"value":-1`, 1), nil},
		"no integer":        {gold, strings.Replace(predictions, `"value":3`, `"value":3.5`, 1), nil},
		"confidence":        {gold, strings.Replace(predictions, `0.85`, `1.01`, 1), nil},
		"below zero":        {gold, strings.Replace(predictions, `0.85`, `-0.01`, 1), nil},
		"reliability":       {gold, strings.Replace(predictions, `"high"}`, `"great"}`, 1), nil},
		"time without tick": {gold, strings.Replace(predictions, `{"tick":4}`, `{}`, 1), nil},
		"empty id":          {gold, strings.Replace(predictions, `"contact_id":"d"`, `"contact_id":""`, 1), nil},
		"gold without label": {strings.Replace(gold, `"label"`, `"labels"`, 1), predictions, []string{
			"gold, line 1: it has no label",
		}},
		"too long": {gold, predictions + strings.Repeat(" ", 1<<20) + "\n", []string{
			"predictions, line 5: it is longer than 1048576 bytes",
		}},
		"empty": {"", "", []string{"the gold file has no line"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := dataset.Grade(strings.NewReader(c.gold), strings.NewReader(c.predictions))
			if err == nil || r != nil {
				t.Fatal(err)
			}
			got := err.Error()
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
			}
			var p *dataset.Problem
			if c.want == nil && (!errors.As(err, &p) || p.Input != dataset.Predictions || p.Line < 1 || p.Line > 4) {
				t.Errorf("%v", err)
			}
		})
	}
}

// At most fifty problems are told, and how many more there are.
func TestManyProblems(t *testing.T) {
	t.Parallel()
	for _, n := range []int{50, 51} {
		_, err := dataset.Grade(strings.NewReader(gold), strings.NewReader(predictions+strings.Repeat("{\n", n)))
		if got := strings.Count(err.Error(), "\n") + 1; got != n || strings.Contains(err.Error(), "and 1 more") != (n == 51) {
			t.Errorf("%d lines for %d problems: %v", got, n, err)
		}
	}
}

// The report as a table and as JSON.
func TestTable(t *testing.T) {
	t.Parallel()
	r := graded(t, gold, predictions)
	var b bytes.Buffer
	if err := r.Table(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"contacts  4\n", "\nseverity             2      0.6667     1.0000  0.8000  0.7500  0.8333\n", "\nis \\ taken for  fire  none  unknown\n",
		"\nlanguage pl                  2         ", "\nheadcount      2            0.1250  0.2500\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, b.String())
		}
	}
	text, err := json.Marshal(r)
	if err != nil || !bytes.Contains(text, []byte(`"name":"severity","support":2,"precision":0.6667,`)) || !bytes.Contains(text, []byte(`"brier":null`)) {
		t.Errorf("%v: %s", err, text)
	}
}
