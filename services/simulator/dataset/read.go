package dataset

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/pharos-mcp/pharos/internal/strictjson"
)

// Gold and Predictions are the names of the two inputs of Grade in problems.
const (
	Gold        = "gold"
	Predictions = "predictions"
)

// Problem is a line of an input that cannot be graded.
type Problem struct {
	Input string // Gold or Predictions
	Line  int    // the first is 1
	Why   string
}

// Error says where and why.
func (p *Problem) Error() string { return fmt.Sprintf("%s, line %d: %s", p.Input, p.Line, p.Why) }

// maxLine bounds a line, in bytes, and maxProblems how many problems are told.
const (
	maxLine     = 1 << 20
	maxProblems = 50
)

// answer is a record of a line, of either input.
type answer struct {
	line       int
	kind       string
	severity   string // "" for nothing said; so are the others
	qualifier  string
	headcount  *int64
	tick       *int64
	evidence   []string
	negations  []string
	confidence [calibrated]*float64

	language, source, stage string // of gold
}

// reader reads the lines of an input and keeps its problems.
type reader struct {
	input    string
	ids      []string // in the order of the lines
	answers  map[string]*answer
	problems []error
}

// read reads an input, line by line. Empty lines are problems as any other that
// is no record.
func read(input string, from io.Reader, of func(line []byte) (id string, a *answer, err error)) (*reader, error) {
	r := &reader{input: input, answers: map[string]*answer{}}
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	n := 0
	for lines.Scan() {
		n++
		id, a, err := of(bytes.TrimSuffix(lines.Bytes(), []byte("\r")))
		switch first := r.answers[id]; {
		case err != nil:
			r.problem(n, "%v", err)
		case id == "":
			r.problem(n, "contact_id is missing or empty")
		case first != nil:
			r.problem(n, "%q is there already, in line %d", id, first.line)
		default:
			a.line = n
			r.ids = append(r.ids, id)
			r.answers[id] = a
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		r.problem(n+1, "it is longer than %d bytes", maxLine)
		return r, nil
	}
	return r, lines.Err()
}

func (r *reader) problem(line int, format string, args ...any) {
	r.problems = append(r.problems, &Problem{r.input, line, fmt.Sprintf(format, args...)})
}

// pair checks that the inputs have the same contacts, and gives the problems of
// both, the first of them each by itself.
func pair(gold, predictions *reader) error {
	for _, id := range gold.ids {
		if predictions.answers[id] == nil {
			gold.problem(gold.answers[id].line, "nothing is predicted for %q", id)
		}
	}
	for _, id := range predictions.ids {
		if gold.answers[id] == nil {
			predictions.problem(predictions.answers[id].line, "%q is not in the gold file", id)
		}
	}
	all := slices.Concat(predictions.problems, gold.problems)
	if more := len(all) - maxProblems; more > 0 {
		all = append(all[:maxProblems], fmt.Errorf("and %d more", more))
	}
	if len(all) == 0 && len(gold.ids) == 0 {
		return errors.New("the gold file has no line")
	}
	return errors.Join(all...)
}

// record is what a gold label and a prediction have in common.
type record struct {
	Type     *string `json:"incident_type"`
	Severity *struct {
		Value      string   `json:"value"`
		Confidence *float64 `json:"confidence"`
	} `json:"severity"`
	Headcount *struct {
		Value      *int64   `json:"value"`
		Qualifier  string   `json:"qualifier"`
		Confidence *float64 `json:"confidence"`
	} `json:"headcount"`
	EventTime *struct {
		Tick       *int64   `json:"tick"`
		Confidence *float64 `json:"confidence"`
	} `json:"event_time"`
	Evidence  []string `json:"evidence"`
	Negations []string `json:"negations"`
}

// goldLine reads a line of a data set, as far as it is graded by.
func goldLine(line []byte) (string, *answer, error) {
	var l struct {
		ID       string  `json:"contact_id"`
		Language string  `json:"language"`
		Source   string  `json:"source_type"`
		Stage    int     `json:"difficulty_stage"`
		Label    *record `json:"label"`
	}
	if err := strictjson.Known(line, &l); err != nil {
		return "", nil, err
	}
	if l.Label == nil {
		return "", nil, errors.New("it has no label")
	}
	a, err := l.Label.answer()
	if err != nil {
		return "", nil, err
	}
	a.language, a.source, a.stage = l.Language, l.Source, fmt.Sprint(l.Stage)
	return l.ID, a, nil
}

// predictionLine reads a prediction.
func predictionLine(line []byte) (string, *answer, error) {
	var l struct {
		ID string `json:"contact_id"`
		record
		Source *string `json:"source_reliability"`
	}
	if err := strictjson.Exact(line, &l); err != nil {
		return "", nil, err
	}
	if l.Source != nil && !slices.Contains([]string{"low", "medium", "high"}, *l.Source) {
		return "", nil, fmt.Errorf("source_reliability is none: %q", *l.Source)
	}
	a, err := l.answer()
	return l.ID, a, err
}

// answer checks the values of a record.
func (r *record) answer() (*answer, error) {
	a := &answer{evidence: r.Evidence, negations: r.Negations}
	if r.Type == nil {
		return nil, errors.New("incident_type is missing")
	}
	a.kind = *r.Type
	if err := among("incident_type", a.kind, types); err != nil {
		return nil, err
	}
	if s := r.Severity; s != nil {
		a.severity, a.confidence[ofSeverity] = s.Value, s.Confidence
		if err := among("severity", s.Value, severities); err != nil {
			return nil, err
		}
	}
	if h := r.Headcount; h != nil {
		a.headcount, a.qualifier, a.confidence[ofHeadcount] = h.Value, h.Qualifier, h.Confidence
		if err := among("qualifier", h.Qualifier, qualifiers); err != nil {
			return nil, err
		}
		if h.Value != nil && *h.Value < 0 {
			return nil, errors.New("a headcount is negative")
		}
	}
	if e := r.EventTime; e != nil {
		if e.Tick == nil {
			return nil, errors.New("event_time has no tick")
		}
		a.tick, a.confidence[ofEventTime] = e.Tick, e.Confidence
	}
	for _, c := range a.confidence {
		if c != nil && (*c < 0 || *c > 1) {
			return nil, errors.New("a confidence is not from 0 to 1")
		}
	}
	return a, errors.Join(set("evidence", a.evidence, evidence), set("negations", a.negations, negations))
}

func among(field, value string, known []string) error {
	if !slices.Contains(known, value) {
		return fmt.Errorf("%s is none: %q", field, value)
	}
	return nil
}

// set checks a list whose order means nothing.
func set(field string, values, known []string) error {
	for i, v := range values {
		if err := among(field, v, known); err != nil {
			return err
		}
		if slices.Contains(values[:i], v) {
			return fmt.Errorf("%s has %q twice", field, v)
		}
	}
	return nil
}
