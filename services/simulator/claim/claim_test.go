package claim_test

import (
	"testing"

	"github.com/pharos-mcp/pharos/services/simulator/claim"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// The example of the API, and a report that there is nothing.
func TestAppend(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]claim.Claim{
		`{"incident_type":"fire","severity":{"value":"high","confidence":0.7},"headcount":{"value":2,"qualifier":"possibly_trapped","confidence":0.4},` +
			`"event_time":{"tick":0,"confidence":0.8},"source_reliability":"medium","evidence":["smoke"],"negations":[]}`: {
			Type: claim.Fire, Severity: &claim.Graded{Value: claim.High, Confidence: 7},
			Headcount: &claim.Heads{Known: true, Value: 2, Qualifier: claim.PossiblyTrapped, Confidence: 4},
			EventTime: claim.Moment{Tick: 0, Confidence: 8}, Source: claim.Usual, Evidence: []claim.Evidence{claim.Smoke},
		},
		`{"incident_type":"none","severity":null,"headcount":null,"event_time":{"tick":12,"confidence":1.0},"source_reliability":"low","evidence":[],"negations":["steam","extinguished"]}`: {
			Type: claim.None, EventTime: claim.Moment{Tick: 12, Confidence: 10}, Source: claim.Doubtful, Negations: []claim.Negation{claim.Steam, claim.Out},
		},
		`{"incident_type":"unknown","severity":{"value":"low","confidence":0.3},"headcount":{"value":null,"qualifier":"unknown","confidence":0.1},` +
			`"event_time":{"tick":3,"confidence":0.5},"source_reliability":"high","evidence":["smoke","heat"],"negations":[]}`: {
			Type: claim.Unknown, Severity: &claim.Graded{Value: claim.Low, Confidence: 3}, Headcount: &claim.Heads{Qualifier: claim.UnknownHeads, Confidence: 1},
			EventTime: claim.Moment{Tick: 3, Confidence: 5}, Source: claim.Trusted, Evidence: []claim.Evidence{claim.Smoke, claim.Heat},
		},
	} {
		if got := string(c.Append(nil)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	for want, l := range map[string]claim.Location{
		`{"kind":"building_id","building_id":"l41"}`:          {Building: 41},
		`{"kind":"coordinates","point":{"x":700.0,"y":-0.5}}`: {Point: geo.Point{X: 7000, Y: -5}},
	} {
		if got := string(l.Append(nil)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// A label has the form of a claim, without confidences, and may say nothing.
func TestAppendLabel(t *testing.T) {
	t.Parallel()
	tick := int64(7)
	whole := claim.Claim{
		Type: claim.Fire, Severity: &claim.Graded{Value: claim.High, Confidence: 7},
		Headcount: &claim.Heads{Known: true, Value: 2, Qualifier: claim.PossiblyTrapped, Confidence: 4},
		EventTime: claim.Moment{Tick: tick, Confidence: 8}, Source: claim.Usual, Evidence: []claim.Evidence{claim.Smoke},
	}
	for want, l := range map[string]claim.Label{
		`{"incident_type":"fire","severity":{"value":"high"},"headcount":{"value":2,"qualifier":"possibly_trapped"},` +
			`"event_time":{"tick":7},"evidence":["smoke"],"negations":[]}`: whole.Label(),
		`{"incident_type":"none","severity":null,"headcount":null,"event_time":null,"evidence":[],"negations":["drill"]}`: {
			Type: claim.None, Negations: []claim.Negation{claim.Drill},
		},
		`{"incident_type":"unknown","severity":null,"headcount":{"value":null,"qualifier":"unknown"},"event_time":{"tick":7},"evidence":[],"negations":[]}`: {
			Type: claim.Unknown, Headcount: &claim.Counted{Qualifier: claim.UnknownHeads}, EventTick: &tick,
		},
	} {
		if got := string(l.Append(nil)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
