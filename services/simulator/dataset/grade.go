package dataset

import (
	"io"
	"math"
	"slices"

	"github.com/pharos-mcp/pharos/services/simulator/stream"
)

// Part are the scores of the contacts that have something in common.
type Part struct {
	By     string `json:"by"` // "language", "source_type" or "difficulty_stage"
	Value  string `json:"value"`
	Scores Scores `json:"scores"`
}

// Interval is where a measure lies in 95 of 100 samples of as many contacts,
// drawn from these with repetition. Samples that have none of a measure are
// left out.
type Interval struct {
	Measure string `json:"measure"`
	Value   Rate   `json:"value"`
	Low     Rate   `json:"low"`
	High    Rate   `json:"high"`
}

// Report is what predictions are worth.
type Report struct {
	Scores    Scores     `json:"scores"`
	Intervals []Interval `json:"intervals"`
	Samples   int        `json:"samples"`
	Parts     []Part     `json:"parts"`
}

// samples are drawn for the intervals.
const samples = 1000

// Grade compares predictions with a data set. Both have a JSON object a line;
// every contact of one must be in the other, once. Its error joins a *Problem
// for each line that is wrong, up to 50, or is that of a reader.
func Grade(gold, predictions io.Reader) (*Report, error) {
	g, err := read(Gold, gold, goldLine)
	if err != nil {
		return nil, err
	}
	p, err := read(Predictions, predictions, predictionLine)
	if err != nil {
		return nil, err
	}
	if err := pair(g, p); err != nil {
		return nil, err
	}
	each := make([]*counts, len(g.ids))
	var all counts
	for i, id := range g.ids {
		each[i] = compare(g.answers[id], p.answers[id])
		all.add(each[i])
	}
	return &Report{Scores: all.scores(), Intervals: intervals(&all, each), Samples: samples, Parts: parts(g, each)}, nil
}

// parts are the scores by what gold says of a contact.
func parts(g *reader, each []*counts) []Part {
	found := []Part{}
	for _, by := range []struct {
		name string
		of   func(*answer) string
	}{
		{"language", func(a *answer) string { return a.language }},
		{"source_type", func(a *answer) string { return a.source }},
		{"difficulty_stage", func(a *answer) string { return a.stage }},
	} {
		of := map[string]*counts{}
		var values []string
		for i, id := range g.ids {
			value := by.of(g.answers[id])
			if of[value] == nil {
				of[value] = &counts{}
				values = append(values, value)
			}
			of[value].add(each[i])
		}
		slices.Sort(values)
		for _, value := range values {
			found = append(found, Part{by.name, value, of[value].scores()})
		}
	}
	return found
}

// measures have intervals.
var measures = []struct {
	name string
	of   func(*counts) Rate
}{
	{"f1", (*counts).f1},
	{"macro_f1", (*counts).macroF1},
	{"exact_match", func(c *counts) Rate { return rate(c.exact, c.contacts) }},
	{"incident_type.macro_f1", func(c *counts) Rate { return c.macro(incidentType) }},
	{"severity.macro_f1", func(c *counts) Rate { return c.macro(severity) }},
	{"headcount.qualifier.macro_f1", func(c *counts) Rate { return c.macro(qualifier) }},
}

// intervals draws the samples from a stream of its own, so that the same inputs
// have the same intervals.
func intervals(all *counts, each []*counts) []Interval {
	s := stream.New(0, "bootstrap", int64(len(each)), 0)
	drawn := make([][]Rate, len(measures))
	for range samples {
		var c counts
		for range each {
			c.add(each[s.N(int64(len(each)))])
		}
		for i, m := range measures {
			if r := m.of(&c); !math.IsNaN(float64(r)) {
				drawn[i] = append(drawn[i], r)
			}
		}
	}
	found := make([]Interval, len(measures))
	for i, m := range measures {
		found[i] = Interval{m.name, m.of(all), Rate(math.NaN()), Rate(math.NaN())}
		if n := len(drawn[i]); n > 0 {
			slices.Sort(drawn[i])
			found[i].Low, found[i].High = drawn[i][n*25/1000], drawn[i][(n*975-1)/1000]
		}
	}
	return found
}
