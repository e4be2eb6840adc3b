package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"path"
)

// checkTranslations reports where a page in another language,
// docs/contract/<language>/<page>.md, has other clauses than the page itself,
// or has them in another order.
func checkTranslations(root fs.FS) (problems []string, err error) {
	files, err := fs.Glob(root, "docs/contract/*/*.md")
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		original := path.Join("docs/contract", path.Base(name))
		want, err := clausesOf(root, original)
		if err != nil {
			return nil, fmt.Errorf("%s translates nothing: %w", name, err)
		}
		got, err := clausesOf(root, name)
		if err != nil {
			return nil, err
		}
		for i := range max(len(got), len(want)) {
			if at(got, i) != at(want, i) {
				problems = append(problems, fmt.Sprintf("%s: clause %d is %s, and in %s it is %s",
					name, i+1, at(got, i), original, at(want, i)))
				break // the others are shifted
			}
		}
	}
	return problems, nil
}

func at(ids []string, i int) string {
	if i < len(ids) {
		return ids[i]
	}
	return "missing"
}

// clausesOf gives the clauses of one page, in its order.
func clausesOf(root fs.FS, name string) (ids []string, err error) {
	data, err := fs.ReadFile(root, name)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		if m := item.FindStringSubmatch(lines.Text()); m != nil {
			ids = append(ids, m[1])
		}
	}
	return ids, lines.Err()
}
