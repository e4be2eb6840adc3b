package apifuzz

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Report is what a run found.
type Report struct {
	Seed     uint64
	Sent     int
	Failures []Failure

	tried    []string
	statuses map[string]map[int]int // requests by operation and status
	invalid  map[string]int         // those that the document does not allow
}

// Failure is something that the API does wrong.
type Failure struct {
	Request      int // its place in the run
	Operation    string
	Kind, Detail string
	Sent, Got    string
	Before       []string // what was sent about the same thing, the last ten
}

func newReport(c Config) *Report {
	r := &Report{Seed: c.Seed, statuses: map[string]map[int]int{}, invalid: map[string]int{}}
	for _, op := range c.Document.Operations {
		if !slices.Contains(c.Skip, op.ID) {
			r.tried = append(r.tried, op.ID)
			r.statuses[op.ID] = map[int]int{}
		}
	}
	return r
}

func (r *Report) count(q *request, status int) {
	r.Sent++
	r.statuses[q.op.ID][status]++
	if q.invalid != "" {
		r.invalid[q.op.ID]++
	}
}

// known tells whether an operation has failed so before.
func (r *Report) known(op, kind string) bool {
	return slices.ContainsFunc(r.Failures, func(f Failure) bool { return f.Operation == op && f.Kind == kind })
}

// succeeded counts the successes of an operation.
func (r *Report) succeeded(op string) (n int) {
	for status, count := range r.statuses[op] {
		if status < 300 {
			n += count
		}
	}
	return n
}

// Unreached are the operations that never succeeded.
func (r *Report) Unreached() (ops []string) {
	for _, op := range r.tried {
		if r.succeeded(op) == 0 {
			ops = append(ops, op)
		}
	}
	return ops
}

// Table shows which statuses each operation had, and how often.
func (r *Report) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-30s %8s  statuses\n", "operation", "invalid")
	for _, op := range r.tried {
		fmt.Fprintf(&b, "%-30s %8d ", op, r.invalid[op])
		for _, status := range slices.Sorted(maps.Keys(r.statuses[op])) {
			fmt.Fprintf(&b, " %d×%d", status, r.statuses[op][status])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// String tells how to come to the failure again.
func (f Failure) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "request %d: %s\n%s\n\n%s\ngets %s\n", f.Request, f.Kind, f.Detail, f.Sent, f.Got)
	for _, before := range f.Before {
		fmt.Fprintf(&b, "\nafter %s", before)
	}
	return b.String()
}
