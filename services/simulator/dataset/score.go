package dataset

import (
	"math"
	"strconv"
)

// Rate is a share, or NaN where it is one of nothing. It is written with four
// decimals, and as null where it is NaN.
type Rate float64

// MarshalJSON writes it.
func (r Rate) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(r)) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(r), 'f', 4, 64), nil
}

// String writes it for people.
func (r Rate) String() string {
	if math.IsNaN(float64(r)) {
		return "–"
	}
	return strconv.FormatFloat(float64(r), 'f', 4, 64)
}

func rate(part, whole int) Rate {
	if whole == 0 {
		return Rate(math.NaN())
	}
	return Rate(float64(part) / float64(whole))
}

// Class is how well one value of a field was found.
type Class struct {
	Value     string `json:"value"`
	Support   int    `json:"support"` // how many there are
	Precision Rate   `json:"precision"`
	Recall    Rate   `json:"recall"`
	F1        Rate   `json:"f1"`
}

// Field is how well a field was read. A value that is not said counts for
// nothing in precision, recall and F1, and for one in the exact matches.
type Field struct {
	Name       string  `json:"name"`
	Support    int     `json:"support"`
	Precision  Rate    `json:"precision"`
	Recall     Rate    `json:"recall"`
	F1         Rate    `json:"f1"`
	ExactMatch Rate    `json:"exact_match"`
	MacroF1    Rate    `json:"macro_f1"` // mean of the F1 of its classes that are there or were predicted; null for numbers
	Classes    []Class `json:"classes"`
}

// Calibration is what the confidences of a field were worth. The expected error
// is over ten groups of equal width.
type Calibration struct {
	Field       string `json:"field"`
	Predictions int    `json:"predictions"` // that have a confidence
	Brier       Rate   `json:"brier"`
	ECE         Rate   `json:"ece"`
}

// Confusion is how often each type was taken for which.
type Confusion struct {
	Types []string  `json:"types"`
	Rows  [3][3]int `json:"rows"` // gold by predicted
}

// Scores are those of some contacts.
type Scores struct {
	Contacts    int           `json:"contacts"`
	F1          Rate          `json:"f1"`          // mean over the fields that have one
	MacroF1     Rate          `json:"macro_f1"`    // mean over the fields that have one
	ExactMatch  Rate          `json:"exact_match"` // of whole records
	Fields      []Field       `json:"fields"`
	Confusion   Confusion     `json:"confusion"`
	Calibration []Calibration `json:"calibration"`
}

func (h hits) f1() Rate { return rate(2*h.right, h.said+h.there) }

// mean is that of the rates that there are.
func mean(rates []Rate) Rate {
	sum, n := 0.0, 0
	for _, r := range rates {
		if !math.IsNaN(float64(r)) {
			sum += float64(r)
			n++
		}
	}
	if n == 0 {
		return Rate(math.NaN())
	}
	return Rate(sum / float64(n))
}

// f1 and macroF1 are the means over the fields, and macro is that of the
// classes of one.
func (c *counts) f1() Rate {
	var all [fieldCount]Rate
	for f := range all {
		all[f] = c.fields[f].f1()
	}
	return mean(all[:])
}

func (c *counts) macroF1() Rate {
	var all [fieldCount]Rate
	for f := range all {
		all[f] = c.macro(field(f))
	}
	return mean(all[:])
}

func (c *counts) macro(f field) Rate {
	var all [maxClasses]Rate
	for k := range all {
		all[k] = c.classes[f][k].f1()
	}
	return mean(all[:])
}

// scores makes the scores of what was counted.
func (c *counts) scores() Scores {
	s := Scores{
		Contacts: c.contacts, F1: c.f1(), MacroF1: c.macroF1(), ExactMatch: rate(c.exact, c.contacts),
		Confusion: Confusion{types, c.confusion},
	}
	for f := range fieldCount {
		h := c.fields[f]
		of := Field{
			Name: fieldNames[f], Support: h.there, Precision: rate(h.right, h.said), Recall: rate(h.right, h.there), F1: h.f1(),
			ExactMatch: rate(c.same[f], c.contacts), MacroF1: c.macro(f), Classes: []Class{},
		}
		for k, value := range classesOf[f] {
			h := c.classes[f][k]
			of.Classes = append(of.Classes, Class{value, h.there, rate(h.right, h.said), rate(h.right, h.there), h.f1()})
		}
		s.Fields = append(s.Fields, of)
	}
	for i := range c.trust {
		t := &c.trust[i]
		s.Calibration = append(s.Calibration, Calibration{calibratedNames[i], t.predictions, t.brier(), t.ece()})
	}
	return s
}

func (t *trust) brier() Rate { return rate(t.squares, t.predictions*unit*unit) }

func (t *trust) ece() Rate {
	off := 0
	for _, b := range t.bins {
		d := b.confidence - b.right*unit
		off += max(d, -d)
	}
	return rate(off, t.predictions*unit)
}
