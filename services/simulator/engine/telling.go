package engine

import (
	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/claim"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// The ticks to a collapse, if nobody comes, above which a fire looks small, and
// middling.
const smallAbove, middlingAbove = 40, 20

// grade is how bad a fire looks that has so many ticks left, to a caller who is
// off by a shift.
func grade(left, shift int64) claim.Severity {
	level := int64(2)
	switch {
	case left > smallAbove:
		level = 0
	case left > middlingAbove:
		level = 1
	}
	return severities[min(max(level+shift, 0), 2)]
}

// describe is what a caller says of a fire, or of what they take for one.
// Whether they know of people has nothing to do with whether there are any.
func describe(c *claim.Claim, d *drawn, severity claim.Severity, inside int64) {
	sure := confidence(d.reliability)
	c.Type, c.Evidence = claim.Unknown, []claim.Evidence{claim.Smoke}
	if d.saysFire {
		c.Type, c.Evidence = claim.Fire, evidence(severity, d.more)
	}
	c.Severity = &claim.Graded{Value: severity, Confidence: sure + d.confidence[0]}
	c.Headcount = &claim.Heads{Qualifier: claim.UnknownHeads, Confidence: sure + d.confidence[1]}
	if d.knows == nothing {
		return
	}
	said := inside
	switch {
	case d.contradicts && inside > 0:
		said = 0
	case d.contradicts:
		said = d.invented
	case d.knows == tooMany:
		said += d.over
	case d.knows == tooFew:
		said = max(0, said-1)
	}
	c.Headcount.Known, c.Headcount.Value = true, said
	switch {
	case said == 0:
		c.Headcount.Qualifier = claim.AllOut
	case d.confirmed && !(d.contradicts && inside == 0):
		c.Headcount.Qualifier = claim.ConfirmedTrapped
	default:
		c.Headcount.Qualifier = claim.PossiblyTrapped
	}
}

// evidence is what there is to see of a fire.
func evidence(severity claim.Severity, more bool) []claim.Evidence {
	seen := []claim.Evidence{claim.Smoke}
	if severity != claim.Low || more {
		seen = append(seen, claim.Flames)
	}
	if severity == claim.High && more {
		seen = append(seen, claim.Heat)
	}
	return seen
}

// confidence is the least that a caller of a reliability has, in tenths.
func confidence(r claim.Reliability) int64 {
	switch r {
	case claim.Trusted:
		return 7
	case claim.Usual:
		return 5
	default:
		return 3
	}
}

// maxMistaken is how far a house is that is taken for another.
const maxMistaken = 600

// located is the place that a caller names.
func (e *Episode) located(n int, d *drawn) claim.Location {
	if d.wrong {
		// The first is the house itself.
		near := e.city.Near(nil, e.city.Buildings[n].Point, maxMistaken)
		n = near[min(int(d.nth)+1, len(near)-1)].Building
	}
	if !d.coordinates {
		return claim.Location{Building: n + 1}
	}
	p := e.city.Buildings[n].Point
	return claim.Location{Point: onMap(e.city, geo.Point{X: p.X + d.jitter.X, Y: p.Y + d.jitter.Y})}
}

func onMap(m *city.Map, p geo.Point) geo.Point {
	return geo.Point{X: min(max(p.X, 0), m.Width), Y: min(max(p.Y, 0), m.Height)}
}
