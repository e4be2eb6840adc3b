package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/pharos-mcp/pharos/services/simulator/dataset"
)

const simDatasetsUsage = `usage: pharos sim datasets [-json] DIR

Writes the labelled reports into a folder, which is made where there is none:
train, dev and test as JSON lines, their schemas, a data card, the licence and
SHA256SUMS. They are the same bytes whenever this runs.
`

// writeDatasets is `pharos sim datasets`.
func writeDatasets(_ context.Context, s simContext, args []string) error {
	flags := newFlags("sim datasets")
	asJSON := flags.Bool("json", false, "")
	if err := parseFlags(flags, args, simDatasetsUsage); err != nil {
		return err
	}
	if err := operands("sim datasets", flags.Args(), "DIR"); err != nil {
		return err
	}
	folder := flags.Arg(0)
	if err := dataset.Write(folder); err != nil {
		return err
	}
	return s.report(*asJSON, struct {
		Folder string `json:"folder"`
	}{folder}, fmt.Sprintf("data sets in %s; sha256sum -c SHA256SUMS compares them\n", folder))
}

const simGradeUsage = `usage: pharos sim grade [-json] GOLD PRED

Scores what was read out of reports: GOLD is a file of the data sets, PRED has a
line for each of its contacts. Every contact must be predicted, once.
`

// gradePredictions is `pharos sim grade`.
func gradePredictions(_ context.Context, s simContext, args []string) error {
	flags := newFlags("sim grade")
	asJSON := flags.Bool("json", false, "")
	if err := parseFlags(flags, args, simGradeUsage); err != nil {
		return err
	}
	if err := operands("sim grade", flags.Args(), "GOLD", "PRED"); err != nil {
		return err
	}
	gold, err := os.Open(flags.Arg(0))
	if err != nil {
		return err
	}
	defer gold.Close()
	predicted, err := os.Open(flags.Arg(1))
	if err != nil {
		return err
	}
	defer predicted.Close()
	report, err := dataset.Grade(gold, predicted)
	if err != nil {
		return errors.Join(errors.New("nothing is graded"), err)
	}
	return s.report(*asJSON, report, gradeTable(report))
}

// gradeTable shows scores to people.
func gradeTable(r *dataset.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-24s %8s %9s %9s %9s %9s %9s\n", "field", "said", "precision", "recall", "f1", "exact", "macro f1")
	for _, f := range r.Scores.Fields {
		fmt.Fprintf(&b, "%-24s %8d %9s %9s %9s %9s %9s\n", f.Name, f.Support, f.Precision, f.Recall, f.F1, f.ExactMatch, f.MacroF1)
	}
	fmt.Fprintf(&b, "\n%d contacts, %s of them right in every field\n", r.Scores.Contacts, r.Scores.ExactMatch)
	for _, i := range r.Intervals {
		fmt.Fprintf(&b, "%-28s %s (%s to %s in 95 of 100 samples)\n", i.Measure, i.Value, i.Low, i.High)
	}
	for _, c := range r.Scores.Calibration {
		fmt.Fprintf(&b, "confidence of %-20s Brier %s, expected error %s, %d predictions\n", c.Field, c.Brier, c.ECE, c.Predictions)
	}
	for _, p := range r.Parts {
		fmt.Fprintf(&b, "%s %s: %d contacts, f1 %s, macro f1 %s\n", p.By, p.Value, p.Scores.Contacts, p.Scores.F1, p.Scores.MacroF1)
	}
	return b.String()
}
