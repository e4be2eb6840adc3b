package edge

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// TestErrorsAreDocumented holds docs/errors.md to the codes that callers can
// see: each stands in a row of its own.
func TestErrorsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	codes := codeConstants(t)
	if len(codes) < 7 {
		t.Errorf("found %d codes in this package, want at least 7: %q", len(codes), codes)
	}
	for _, code := range fault.Codes() {
		codes = append(codes, string(code))
	}
	for status := 400; status < 600; status++ {
		codes = append(codes, refusalCode(status))
	}
	missing := map[string]bool{}
	for _, code := range codes {
		if !strings.Contains(string(page), "\n| `"+code+"` |") && !missing[code] {
			missing[code] = true
			t.Errorf("docs/errors.md has no row for the code %q", code)
		}
	}
}

// codeConstants are the values of this package's constants whose names begin
// with code.
func codeConstants(t *testing.T) (codes []string) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || !strings.HasPrefix(spec.Names[0].Name, "code") {
				return true
			}
			for _, value := range spec.Values {
				if literal, ok := value.(*ast.BasicLit); ok && literal.Kind == token.STRING {
					code, _ := strconv.Unquote(literal.Value) // the parser has read it
					codes = append(codes, code)
				}
			}
			return true
		})
	}
	return codes
}
