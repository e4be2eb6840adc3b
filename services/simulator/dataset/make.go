package dataset

import (
	"fmt"
	"strconv"

	"github.com/pharos-mcp/pharos/services/simulator/engine"
	"github.com/pharos-mcp/pharos/services/simulator/speech"
	"github.com/pharos-mcp/pharos/services/simulator/stream"
)

// split is one file of labelled reports.
type split struct {
	name  string
	book  speech.Book
	count int
	seed  int64 // the first; none of them is a published one of a scenario
}

var splits = []split{
	{"train", speech.A, 8000, 10_000_000},
	{"dev", speech.A, 2000, 20_000_000},
	{"test", speech.B, 2000, 30_000_000},
}

// tally counts the lines of a split.
type tally struct {
	Split, Book string
	Lines       int
	Episodes    int
	Type        map[string]int
	Language    map[string]int
	Stage       map[string]int
	Origin      map[string]int
	Said        map[string]int // how many say something of a field
}

// lines makes the lines of a split: every scenario in turn, and then again with
// the next seed.
func (s split) lines() (data []byte, t tally) {
	t = tally{
		Split: s.name, Book: [...]string{speech.A: "A", speech.B: "B"}[s.book], Type: map[string]int{}, Language: map[string]int{},
		Stage: map[string]int{}, Origin: map[string]int{}, Said: map[string]int{},
	}
	scenarios := spoken()
	for ; t.Lines < s.count; t.Episodes++ {
		scenario, seed := scenarios[t.Episodes%len(scenarios)], s.seed+int64(t.Episodes/len(scenarios))
		for i, c := range reports(scenario, seed) {
			if c.Language == "" || t.Lines == s.count {
				continue
			}
			t.Lines++
			told := *c
			told.ID = fmt.Sprintf("%s-%05d", s.name, t.Lines)
			if s.book != speech.B {
				drawn := stream.New(seed, "dataset", int64(t.Episodes), int64(i))
				told.Text, told.Label = speech.Render(drawn, c.Language, s.book, speech.Call{
					Claim: &told.Claim, Location: told.Location, Delivered: told.Delivered,
				})
			}
			data = appendLine(data, s.name, scenario, seed, &told)
			t.count(scenario, &told)
		}
	}
	return data, t
}

// spoken are the scenarios in which people call in words.
func spoken() (found []engine.Scenario) {
	for _, s := range engine.Scenarios() {
		if s.Template.Text {
			found = append(found, s)
		}
	}
	return found
}

// reports are those of an episode in which nobody does anything.
func reports(s engine.Scenario, seed int64) []*engine.Contact {
	e, err := engine.New(s, seed, "dataset")
	if err != nil {
		panic(err) // scenario and seed are ours
	}
	for e.Lifecycle() == "running" {
		e.Step()
	}
	return e.Told()
}

// appendLine appends a report in the form that it has in the logs of runs, after
// where it comes from.
func appendLine(b []byte, split string, s engine.Scenario, seed int64, c *engine.Contact) []byte {
	b = append(append(b, `{"split":"`...), split...)
	b = append(append(b, `","scenario_id":"`...), s.ID...)
	b = strconv.AppendInt(append(b, `","difficulty_stage":`...), int64(s.Template.Stage), 10)
	b = strconv.AppendInt(append(b, `,"seed":`...), seed, 10)
	b = append(b, ',')
	begin := len(b)
	b = engine.AppendContact(b, c)
	b = append(b[:begin], b[begin+1:]...) // its brace
	return append(b, '\n')
}

func (t *tally) count(s engine.Scenario, c *engine.Contact) {
	t.Type[string(c.Label.Type)]++
	t.Language[c.Language]++
	t.Stage[strconv.Itoa(s.Template.Stage)]++
	t.Origin[c.Origin]++
	l := &c.Label
	for field, says := range map[string]bool{
		"severity": l.Severity != "", "headcount": l.Headcount != nil, "event_time": l.EventTick != nil,
		"evidence": len(l.Evidence) > 0, "negations": len(l.Negations) > 0,
	} {
		if says {
			t.Said[field]++
		}
	}
}
