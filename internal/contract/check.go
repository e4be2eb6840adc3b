package main

import (
	"fmt"
	"io/fs"
	"slices"
)

// report is the outcome of one comparison.
type report struct {
	clauses  int // that hold now
	named    int // of them, by a test
	deferred int // whole clauses that are to come
	parts    int // of clauses that hold now
	problems []string
}

// check compares the clauses of a tree with the tests of the same tree.
func check(root fs.FS) (report, error) {
	clauses, problems, err := readClauses(root)
	if err != nil {
		return report{}, err
	}
	mentions, stray, err := readMentions(root)
	if err != nil {
		return report{}, err
	}
	shifted, err := checkTranslations(root)
	if err != nil {
		return report{}, err
	}
	r := report{problems: slices.Concat(problems, stray, shifted)}
	proved := map[string]bool{}
	for _, m := range mentions {
		if _, ok := clauses[m.clause]; !ok {
			r.problems = append(r.problems, fmt.Sprintf("%s: %s is no clause of docs/contract", m.place, m.clause))
		}
		proved[m.clause] = true
	}
	for id, c := range clauses {
		switch {
		case c.held == "":
			r.deferred++
			continue
		case c.deferred != "":
			r.parts++
		}
		r.clauses++
		if proved[id] {
			r.named++
			continue
		}
		r.problems = append(r.problems, fmt.Sprintf("%s: no test names %s", c.held, id))
	}
	slices.Sort(r.problems)
	return r, nil
}

// summary is the closing line.
func (r report) summary() string {
	return fmt.Sprintf("%d of %d clauses (%d deferred whole, %d in part)", r.named, r.clauses, r.deferred, r.parts)
}
