package dataset

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Table writes the report for people.
func (r *Report) Table(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	row := func(cells ...any) {
		for i, c := range cells {
			if i > 0 {
				fmt.Fprint(w, "\t")
			}
			fmt.Fprint(w, c)
		}
		fmt.Fprintln(w)
	}
	s := &r.Scores
	row("contacts", s.Contacts)
	row()
	row("measure", "value", fmt.Sprintf("95 %% of %d samples", r.Samples))
	for _, i := range r.Intervals {
		row(i.Measure, i.Value, fmt.Sprintf("%v to %v", i.Low, i.High))
	}
	row()
	row("field", "there", "precision", "recall", "F1", "exact", "macro-F1")
	for _, f := range s.Fields {
		row(f.Name, f.Support, f.Precision, f.Recall, f.F1, f.ExactMatch, f.MacroF1)
		for _, c := range f.Classes {
			row("  "+c.Value, c.Support, c.Precision, c.Recall, c.F1)
		}
	}
	row()
	row(append([]any{"is \\ taken for"}, anys(s.Confusion.Types)...)...)
	for i, kind := range s.Confusion.Types {
		row(append([]any{kind}, anys(s.Confusion.Rows[i][:])...)...)
	}
	row()
	row("confidence of", "predictions", "Brier", "ECE")
	for _, c := range s.Calibration {
		row(c.Field, c.Predictions, c.Brier, c.ECE)
	}
	row()
	row("part", "contacts", "F1", "macro-F1", "exact")
	for _, p := range r.Parts {
		row(p.By+" "+p.Value, p.Scores.Contacts, p.Scores.F1, p.Scores.MacroF1, p.Scores.ExactMatch)
	}
	return w.Flush()
}

func anys[T any](values []T) (all []any) {
	for _, v := range values {
		all = append(all, v)
	}
	return all
}
