package claim

import "strconv"

// Label is what a report says, for those who read it to be measured by: of a
// claim what the words entail, and nothing where they do not say.
type Label struct {
	Type      Type
	Severity  Severity // "" where it is not said
	Headcount *Counted // nil where nothing is said of people
	EventTick *int64   // nil where no time is told
	Evidence  []Evidence
	Negations []Negation
}

// Counted is what is said of the people.
type Counted struct {
	Known     bool // a number is said
	Value     int64
	Qualifier Qualifier
}

// Label is that of a report whose claim is there to be read.
func (c *Claim) Label() Label {
	tick := c.EventTime.Tick
	l := Label{Type: c.Type, EventTick: &tick, Evidence: c.Evidence, Negations: c.Negations}
	if s := c.Severity; s != nil {
		l.Severity = s.Value
	}
	if h := c.Headcount; h != nil {
		l.Headcount = &Counted{h.Known, h.Value, h.Qualifier}
	}
	return l
}

// Append appends the label as JSON, in the form of a claim without confidences.
func (l *Label) Append(b []byte) []byte {
	b = appendText(append(b, `{"incident_type":`...), l.Type)
	b = append(b, `,"severity":`...)
	if l.Severity == "" {
		b = append(b, "null"...)
	} else {
		b = append(appendText(append(b, `{"value":`...), l.Severity), '}')
	}
	b = append(b, `,"headcount":`...)
	if h := l.Headcount; h == nil {
		b = append(b, "null"...)
	} else {
		b = append(b, `{"value":`...)
		if h.Known {
			b = strconv.AppendInt(b, h.Value, 10)
		} else {
			b = append(b, "null"...)
		}
		b = append(appendText(append(b, `,"qualifier":`...), h.Qualifier), '}')
	}
	b = append(b, `,"event_time":`...)
	if l.EventTick == nil {
		b = append(b, "null"...)
	} else {
		b = append(strconv.AppendInt(append(b, `{"tick":`...), *l.EventTick, 10), '}')
	}
	b = appendList(append(b, `,"evidence":`...), l.Evidence)
	b = appendList(append(b, `,"negations":`...), l.Negations)
	return append(b, '}')
}
