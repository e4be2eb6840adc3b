package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
)

// clause is one numbered rule and where it stands.
type clause struct {
	held     string // place in a contract file, "" if all of it is deferred
	deferred string // place in deferred.md, "" if nothing of it is
}

// id is how clauses are numbered: a letter for the system, then the number.
const id = `[A-Z]{1,2}-[0-9]{1,3}`

var item = regexp.MustCompile(`^[-*] (` + id + `)\b(.*)$`)

// readClauses reads every clause of docs/contract. A number that stands twice
// on the same side is a problem.
func readClauses(root fs.FS) (map[string]clause, []string, error) {
	files, err := fs.Glob(root, "docs/contract/*.md")
	if err != nil {
		return nil, nil, err
	}
	if len(files) == 0 {
		return nil, nil, fmt.Errorf("docs/contract holds no clauses")
	}
	clauses := map[string]clause{}
	var problems []string
	for _, name := range files {
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return nil, nil, err
		}
		lines := bufio.NewScanner(bytes.NewReader(data))
		for n := 1; lines.Scan(); n++ {
			m := item.FindStringSubmatch(lines.Text())
			if m == nil {
				continue
			}
			c := clauses[m[1]]
			side := &c.held
			if path.Base(name) == "deferred.md" {
				side = &c.deferred
			}
			place := fmt.Sprintf("%s:%d", name, n)
			if *side != "" {
				problems = append(problems, fmt.Sprintf("%s: %s stands at %s already", place, m[1], *side))
				continue
			}
			*side = place
			clauses[m[1]] = c
		}
		if err := lines.Err(); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return clauses, problems, nil
}
