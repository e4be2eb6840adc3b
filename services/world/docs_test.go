package world_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestErrorsAreDocumented: every code of the service and of the packages below
// stands in the table of the guide.
func TestErrorsAreDocumented(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../docs/world/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	codes := 0
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			for _, code := range codesOf(n) {
				codes++
				if !strings.Contains(string(guide), "`"+code+"`") {
					t.Errorf("%s: the guide does not tell of %s", path, code)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if codes < 50 {
		t.Errorf("only %d codes were found", codes)
	}
}

// codesOf are the codes that a constant declares, or a call of fault.New has.
func codesOf(n ast.Node) (codes []string) {
	var values []ast.Expr
	switch n := n.(type) {
	case *ast.ValueSpec:
		if isFault(n.Type, "Code") {
			values = n.Values
		}
	case *ast.CallExpr:
		if (isFault(n.Fun, "New") || isFault(n.Fun, "Newf")) && len(n.Args) > 0 {
			values = n.Args[:1]
		}
	}
	for _, v := range values {
		if literal, ok := v.(*ast.BasicLit); ok {
			code, _ := strconv.Unquote(literal.Value)
			codes = append(codes, code)
		}
	}
	return codes
}

func isFault(e ast.Expr, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == "fault" && s.Sel.Name == name
}
