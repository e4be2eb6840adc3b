package queries_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/pharos-mcp/pharos/queries"
)

// statement is a named query as sqlc gives it to the server.
type statement struct {
	name string
	kind string // one, many, exec, …
	sql  string
}

// owners lists the folders with migrations.
func owners(t *testing.T) []string {
	t.Helper()
	entries, err := fs.ReadDir(queries.Migrations, ".")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

var heading = regexp.MustCompile(`^-- name: (\w+) :(\w+)\n`)

// statements reads the queries of an owner out of what sqlc generated, where
// they stand with their parameters in place.
func statements(t *testing.T, owner string) []statement {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "generated", owner+"db", "*.sql.go"))
	if err != nil {
		t.Fatal(err)
	}
	var out []statement
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if m := heading.FindStringSubmatch(text); err == nil && m != nil {
				out = append(out, statement{name: m[1], kind: m[2], sql: text})
			}
			return true
		})
	}
	if len(out) == 0 {
		t.Fatalf("%s has no statements: run `make generate`", owner)
	}
	return out
}
