package edge

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
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

// TestConfigurationIsDocumented holds docs/edge.md to the members of Config, and
// reads the configurations that the guide shows.
func TestConfigurationIsDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/edge.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range members(reflect.TypeFor[Config]()) {
		if !regexp.MustCompile(`(?m)^\| .*` + "`([A-Za-z]+[.])*" + name + "`").Match(page) {
			t.Errorf("docs/edge.md has no row for the member %q", name)
		}
	}
	guide, err := os.ReadFile("../docs/guide.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)```json\n(\\{.*?)```").FindAllSubmatch(guide, -1)
	if len(shown) == 0 {
		t.Error("docs/guide.md shows no configuration")
	}
	for _, block := range shown {
		c, err := ParseConfig(block[1])
		if err != nil {
			t.Errorf("docs/guide.md: %v\n%s", err, block[1])
		}
		var ps Problems
		c = c.withDefaults()
		c.checkListen(&ps)
		c.Admission.check(&ps)
		c.Observe.check(&ps)
		if len(ps) > 0 || c.Shutdown < c.Timeout && c.Shutdown != Duration(shutdownTime) {
			t.Errorf("docs/guide.md: %v\n%s", ps, block[1])
		}
	}
}

// members are the names of a configuration's members, and of those below.
func members(t reflect.Type) (names []string) {
	for t.Kind() == reflect.Map || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil
	}
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" {
			continue // for programs
		}
		below := members(field.Type)
		if len(below) == 0 {
			names = append(names, name)
		}
		names = append(names, below...)
	}
	return names
}
