package main

import (
	"bufio"
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// mention is one clause that a test says it proves.
type mention struct {
	clause string
	place  string
}

var (
	// goMention is a line of a Go or JavaScript comment, scriptMention one of a
	// testdata script.
	goMention     = regexp.MustCompile(`^\s*(?://|\*)?\s*clause: *(.*)$`)
	scriptMention = regexp.MustCompile(`^(?:#|//) clause: *(.*)$`)
	archived      = regexp.MustCompile(`^-- .+ --$`)
	number        = regexp.MustCompile(`^` + id + `$`)
	testFunction  = regexp.MustCompile(`^(Test|Fuzz|Example|Benchmark)([^a-z]|$)`)
)

// readMentions walks the tree and collects what its tests say. A comment that
// belongs to no test function, or lists something else than numbers, is a
// problem.
func readMentions(root fs.FS) (mentions []mention, problems []string, err error) {
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if skipped(name) {
				return fs.SkipDir
			}
			return nil
		}
		scan := scanScript
		switch {
		case strings.HasSuffix(name, "_test.go") && !inTestdata(name):
			scan = scanGo
		case inTestdata(name) && (path.Ext(name) == ".txtar" || path.Ext(name) == ".txt"):
		case strings.HasSuffix(name, ".test.mjs"):
		default:
			return nil
		}
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		ms, ps, err := scan(name, data)
		mentions = append(mentions, ms...)
		problems = append(problems, ps...)
		return err
	})
	return mentions, problems, err
}

// skipped names the folders that hold no tests of ours.
func skipped(name string) bool {
	base := path.Base(name)
	return base == "node_modules" || base == ".git" || base == ".pharos" || name == "bin"
}

func inTestdata(name string) bool { return strings.Contains(name, "testdata/") }

// scanGo reads the comments of one test file.
func scanGo(name string, data []byte) (mentions []mention, problems []string, err error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, data, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	var tests []*ast.FuncDecl
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && testFunction.MatchString(f.Name.Name) {
			tests = append(tests, f)
		}
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			m := goMention.FindStringSubmatch(strings.TrimSuffix(c.Text, "*/"))
			if m == nil {
				continue
			}
			place := fmt.Sprintf("%s:%d", name, files.Position(c.Pos()).Line)
			if !belongs(c, tests) {
				problems = append(problems, place+": a clause is named outside of any test function")
				continue
			}
			ms, ps := split(place, m[1])
			mentions, problems = append(mentions, ms...), append(problems, ps...)
		}
	}
	return mentions, problems, nil
}

// belongs reports whether the comment stands above one of the tests or in it.
func belongs(c *ast.Comment, tests []*ast.FuncDecl) bool {
	for _, f := range tests {
		start := f.Pos()
		if f.Doc != nil {
			start = f.Doc.Pos()
		}
		if start <= c.Pos() && c.Pos() < f.End() {
			return true
		}
	}
	return false
}

// scanScript reads the comment lines of a script, as far as the first file that
// its archive holds.
func scanScript(name string, data []byte) (mentions []mention, problems []string, err error) {
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for n := 1; lines.Scan() && !archived.MatchString(lines.Text()); n++ {
		m := scriptMention.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		ms, ps := split(fmt.Sprintf("%s:%d", name, n), m[1])
		mentions, problems = append(mentions, ms...), append(problems, ps...)
	}
	return mentions, problems, lines.Err()
}

// split reads the list of a comment.
func split(place, list string) (mentions []mention, problems []string) {
	for _, s := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		if !number.MatchString(s) {
			problems = append(problems, fmt.Sprintf("%s: %q is no clause number", place, s))
			continue
		}
		mentions = append(mentions, mention{clause: s, place: place})
	}
	if len(mentions)+len(problems) == 0 {
		problems = append(problems, place+": no clause is named")
	}
	return mentions, problems
}
