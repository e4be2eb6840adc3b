// Package claim is what a report says of a fire: a claim, which can be wrong,
// and never the truth.
package claim

import (
	"strconv"

	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// Type is what a report says is there.
type Type string

// The types.
const (
	Fire    Type = "fire"
	None    Type = "none" // nothing, or nothing any more
	Unknown Type = "unknown"
)

// Severity is how bad it is said to be.
type Severity string

// The severities.
const (
	Low    Severity = "low"
	Medium Severity = "medium"
	High   Severity = "high"
)

// Qualifier is how sure it is about the people.
type Qualifier string

// The qualifiers.
const (
	PossiblyTrapped  Qualifier = "possibly_trapped"
	ConfirmedTrapped Qualifier = "confirmed_trapped"
	AllOut           Qualifier = "all_out"
	UnknownHeads     Qualifier = "unknown"
)

// Reliability is how far the source can be trusted, as far as one can tell.
type Reliability string

// The reliabilities.
const (
	Doubtful Reliability = "low"
	Usual    Reliability = "medium"
	Trusted  Reliability = "high"
)

// Evidence is what was seen, heard or smelt.
type Evidence string

// The kinds of evidence.
const (
	Smoke  Evidence = "smoke"
	Flames Evidence = "flames"
	Heat   Evidence = "heat"
	Alarm  Evidence = "automatic_alarm"
)

// Negation is what is said not to be a fire, or none any more.
type Negation string

// The kinds of negations.
const (
	Barbecue  Negation = "barbecue"
	Steam     Negation = "steam"
	FalseBell Negation = "alarm_fault"
	Bonfire   Negation = "bonfire"
	Drill     Negation = "drill"
	Out       Negation = "extinguished"
)

// Claim is what one report says. Confidences are tenths.
type Claim struct {
	Type      Type
	Severity  *Graded // nil where the report says that there is nothing
	Headcount *Heads  // nil there too
	EventTime Moment
	Source    Reliability
	Evidence  []Evidence
	Negations []Negation
}

// Graded is a severity.
type Graded struct {
	Value      Severity
	Confidence int64
}

// Heads is how many people are said to be inside.
type Heads struct {
	Known      bool
	Value      int64
	Qualifier  Qualifier
	Confidence int64
}

// Moment is when it is said to have been.
type Moment struct{ Tick, Confidence int64 }

// Append appends the claim as JSON.
func (c *Claim) Append(b []byte) []byte {
	b = appendText(append(b, `{"incident_type":`...), c.Type)
	b = append(b, `,"severity":`...)
	if s := c.Severity; s == nil {
		b = append(b, "null"...)
	} else {
		b = appendText(append(b, `{"value":`...), s.Value)
		b = append(appendConfidence(b, s.Confidence), '}')
	}
	b = append(b, `,"headcount":`...)
	if h := c.Headcount; h == nil {
		b = append(b, "null"...)
	} else {
		b = append(b, `{"value":`...)
		if h.Known {
			b = strconv.AppendInt(b, h.Value, 10)
		} else {
			b = append(b, "null"...)
		}
		b = appendText(append(b, `,"qualifier":`...), h.Qualifier)
		b = append(appendConfidence(b, h.Confidence), '}')
	}
	b = strconv.AppendInt(append(b, `,"event_time":{"tick":`...), c.EventTime.Tick, 10)
	b = append(appendConfidence(b, c.EventTime.Confidence), '}')
	b = appendText(append(b, `,"source_reliability":`...), c.Source)
	b = appendList(append(b, `,"evidence":`...), c.Evidence)
	b = appendList(append(b, `,"negations":`...), c.Negations)
	return append(b, '}')
}

func appendConfidence(b []byte, tenths int64) []byte {
	return geo.AppendTenths(append(b, `,"confidence":`...), tenths)
}

// appendText appends one of the words of this package, which need no escapes.
func appendText[T ~string](b []byte, word T) []byte {
	return append(append(append(b, '"'), word...), '"')
}

func appendList[T ~string](b []byte, words []T) []byte {
	b = append(b, '[')
	for i, w := range words {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, w)
	}
	return append(b, ']')
}

// Location is the place that a report names: a building, or a point.
type Location struct {
	Building int // its number; 0 for a point
	Point    geo.Point
}

// Append appends the location as JSON.
func (l Location) Append(b []byte) []byte {
	if l.Building > 0 {
		b = strconv.AppendInt(append(b, `{"kind":"building_id","building_id":"l`...), int64(l.Building), 10)
		return append(b, `"}`...)
	}
	return append(geo.AppendPoint(append(b, `{"kind":"coordinates","point":`...), l.Point), '}')
}
