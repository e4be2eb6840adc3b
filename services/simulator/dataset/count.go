package dataset

import (
	"math"
	"slices"
)

// The values of the fields, in the order of reports.
var (
	types      = []string{"fire", "none", "unknown"}
	severities = []string{"low", "medium", "high"}
	qualifiers = []string{"possibly_trapped", "confirmed_trapped", "all_out", "unknown"}
	evidence   = []string{"smoke", "flames", "heat", "automatic_alarm"}
	negations  = []string{"barbecue", "steam", "alarm_fault", "bonfire", "drill", "extinguished"}
)

// field is one that is graded.
type field int

const (
	incidentType field = iota
	severity
	headcountValue
	qualifier
	eventTime
	evidenceKinds
	negationKinds
	fieldCount
)

var fieldNames = [fieldCount]string{
	"incident_type", "severity", "headcount.value", "headcount.qualifier", "event_time.tick", "evidence", "negations",
}

// classesOf are the classes of a field that has a few of them.
var classesOf = [fieldCount][]string{
	incidentType: types, severity: severities, qualifier: qualifiers, evidenceKinds: evidence, negationKinds: negations,
}

const maxClasses = 6

// The fields whose predictions can have a confidence.
const (
	ofSeverity = iota
	ofHeadcount
	ofEventTime
	calibrated
)

var calibratedNames = [calibrated]string{"severity", "headcount", "event_time"}

// hits are the values that were found, those that were predicted, and those
// that are there.
type hits struct{ right, said, there int }

func (h *hits) add(o hits) {
	h.right += o.right
	h.said += o.said
	h.there += o.there
}

// unit is the unit of confidences: a hundredth of a percent, so that sums are
// those of integers and the same in any order.
const unit = 10_000

// bins are how many groups the confidences are put into.
const bins = 10

// trust counts what confidences were worth.
type trust struct {
	predictions int
	squares     int // of what they were off, in units²
	bins        [bins]struct{ predictions, right, confidence int }
}

func (t *trust) add(o *trust) {
	t.predictions += o.predictions
	t.squares += o.squares
	for i := range t.bins {
		t.bins[i].predictions += o.bins[i].predictions
		t.bins[i].right += o.bins[i].right
		t.bins[i].confidence += o.bins[i].confidence
	}
}

func (t *trust) note(confidence *float64, right bool) {
	if confidence == nil {
		return
	}
	c := int(math.Round(*confidence * unit))
	off := c
	if right {
		off = unit - c
	}
	t.predictions++
	t.squares += off * off
	bin := &t.bins[min(c*bins/unit, bins-1)]
	bin.predictions++
	bin.confidence += c
	if right {
		bin.right++
	}
}

// counts are what was counted over some contacts. Those of more contacts are
// their sum.
type counts struct {
	contacts  int
	exact     int              // whole records
	fields    [fieldCount]hits // values, or members of lists
	same      [fieldCount]int  // that are equal, also in being empty
	classes   [fieldCount][maxClasses]hits
	confusion [3][3]int // gold by predicted type
	trust     [calibrated]trust
}

func (c *counts) add(o *counts) {
	c.contacts += o.contacts
	c.exact += o.exact
	for f := range c.fields {
		c.fields[f].add(o.fields[f])
		c.same[f] += o.same[f]
		for k := range c.classes[f] {
			c.classes[f][k].add(o.classes[f][k])
		}
	}
	for i := range c.confusion {
		for j := range c.confusion[i] {
			c.confusion[i][j] += o.confusion[i][j]
		}
	}
	for i := range c.trust {
		c.trust[i].add(&o.trust[i])
	}
}

// compare counts one contact.
func compare(gold, predicted *answer) *counts {
	c := &counts{contacts: 1}
	c.word(incidentType, gold.kind, predicted.kind)
	c.word(severity, gold.severity, predicted.severity)
	c.word(qualifier, gold.qualifier, predicted.qualifier)
	c.number(headcountValue, gold.headcount, predicted.headcount)
	c.number(eventTime, gold.tick, predicted.tick)
	c.list(evidenceKinds, gold.evidence, predicted.evidence)
	c.list(negationKinds, gold.negations, predicted.negations)
	c.confusion[slices.Index(types, gold.kind)][slices.Index(types, predicted.kind)]++
	same := 0
	for _, n := range c.same {
		same += n
	}
	if same == int(fieldCount) {
		c.exact = 1
	}
	c.trust[ofSeverity].note(predicted.confidence[ofSeverity], c.same[severity] > 0)
	c.trust[ofHeadcount].note(predicted.confidence[ofHeadcount], c.same[qualifier] > 0 && c.same[headcountValue] > 0)
	c.trust[ofEventTime].note(predicted.confidence[ofEventTime], c.same[eventTime] > 0)
	return c
}

// word counts a field of one value.
func (c *counts) word(f field, gold, predicted string) {
	var g, p []string
	if gold != "" {
		g = []string{gold}
	}
	if predicted != "" {
		p = []string{predicted}
	}
	c.list(f, g, p)
}

// number counts a field whose values are no classes.
func (c *counts) number(f field, gold, predicted *int64) {
	h := &c.fields[f]
	if gold != nil {
		h.there = 1
	}
	if predicted != nil {
		h.said = 1
	}
	switch {
	case gold == nil && predicted == nil:
		c.same[f] = 1
	case gold != nil && predicted != nil && *gold == *predicted:
		c.same[f], h.right = 1, 1
	}
}

// list counts a field of several classes.
func (c *counts) list(f field, gold, predicted []string) {
	c.same[f] = 1
	for k, class := range classesOf[f] {
		h := &c.classes[f][k]
		g, p := slices.Contains(gold, class), slices.Contains(predicted, class)
		if g {
			h.there = 1
		}
		if p {
			h.said = 1
		}
		if g && p {
			h.right = 1
		}
		if g != p {
			c.same[f] = 0
		}
		c.fields[f].add(*h)
	}
}
