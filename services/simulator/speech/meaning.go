package speech

import (
	"slices"

	"github.com/pharos-mcp/pharos/services/simulator/claim"
)

// mask is a set of kinds of evidence.
type mask uint8

// kinds are the evidence of people, in the order of labels.
var kinds = [...]claim.Evidence{claim.Smoke, claim.Flames, claim.Heat}

func maskOf(evidence []claim.Evidence) (m mask) {
	for i, k := range kinds {
		if slices.Contains(evidence, k) {
			m |= 1 << i
		}
	}
	return m
}

var (
	severities = [...]claim.Severity{claim.Low, claim.Medium, claim.High}
	qualifiers = [...]claim.Qualifier{claim.PossiblyTrapped, claim.ConfirmedTrapped, claim.AllOut, claim.UnknownHeads}
	negations  = [...]claim.Negation{claim.Barbecue, claim.Steam, claim.FalseBell, claim.Bonfire, claim.Drill, claim.Out}
)

func severityIndex(s claim.Severity) int   { return slices.Index(severities[:], s) }
func qualifierIndex(q claim.Qualifier) int { return slices.Index(qualifiers[:], q) }

// meaning is what words say; what is empty they do not say.
type meaning struct {
	kind      claim.Type
	severity  claim.Severity
	qualifier claim.Qualifier
	counted   bool
	count     int64
	timed     bool
	ago       int64
	evidence  mask
	negation  claim.Negation
}

// add adds what further words say, and reports whether they say nothing that
// was said before.
func (m *meaning) add(o meaning) bool {
	if m.kind != "" && o.kind != "" || m.severity != "" && o.severity != "" ||
		m.qualifier != "" && o.qualifier != "" || m.timed && o.timed {
		return false
	}
	if o.kind != "" {
		m.kind, m.negation = o.kind, o.negation
	}
	if o.severity != "" {
		m.severity = o.severity
	}
	if o.qualifier != "" {
		m.qualifier, m.counted, m.count = o.qualifier, o.counted, o.count
	}
	if o.timed {
		m.timed, m.ago = true, o.ago
	}
	m.evidence |= o.evidence
	return true
}

// label is the meaning of what was said at a tick.
func (m meaning) label(delivered int64) claim.Label {
	l := claim.Label{Type: m.kind, Severity: m.severity}
	if m.qualifier != "" {
		l.Headcount = &claim.Counted{Known: m.counted, Value: m.count, Qualifier: m.qualifier}
	}
	if m.timed {
		tick := delivered - m.ago
		l.EventTick = &tick
	}
	for i, k := range kinds {
		if m.evidence&(1<<i) != 0 {
			l.Evidence = append(l.Evidence, k)
		}
	}
	if m.negation != "" {
		l.Negations = []claim.Negation{m.negation}
	}
	return l
}
