package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// statement is how a text begins that is one of SQL.
var statement = regexp.MustCompile(`^\s*(SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|WITH)\s`)

// excused are the files that may hold statements, each with the reason.
var excused = map[string]string{
	"internal/pg/migrate.go": "its lock is taken before there is a schema that a query could be prepared against",
}

// TestStatements keeps SQL in queries/, where sqlc types it, every statement is
// prepared and planned, and a reviewer finds all of it. What is generated out
// of queries/ and what is made for tests may hold some.
func TestStatements(t *testing.T) {
	t.Parallel()
	tr := load(t)
	needed := map[string]bool{}
	for _, dir := range slices.Sorted(maps.Keys(tr.packages)) {
		if matches(slices.Concat(forTests, []string{"generated/..."}), dir, true) {
			continue
		}
		for _, name := range slices.Concat(tr.packages[dir].GoFiles, tr.packages[dir].IgnoredGoFiles) {
			file := path.Join(dir, name)
			found, err := statementsIn(filepath.Join("..", "..", filepath.FromSlash(file)), nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(found) > 0 && excused[file] != "" {
				needed[file] = true
				continue
			}
			for _, f := range found {
				t.Errorf("%s:%s belongs into queries/", file, f)
			}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(excused)) {
		if !needed[file] {
			t.Errorf("%s is excused and holds no statement", file)
		}
	}
}

// statementsIn lists the statements in a Go file, each with its line. The
// source is read from the file where it is nil.
func statementsIn(file string, source any) ([]string, error) {
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var out []string
	ast.Inspect(tree, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(literal.Value)
		if err == nil && statement.MatchString(text) {
			verb, _, _ := strings.Cut(strings.TrimSpace(text), " ")
			out = append(out, fmt.Sprintf("%d: %s …", files.Position(literal.Pos()).Line, verb))
		}
		return true
	})
	return out, nil
}

func TestStatementsIn(t *testing.T) {
	t.Parallel()
	got, err := statementsIn("house.go", `package house

// SELECT in a comment is prose.
const (
	read   = "SELECT " + columns + " FROM room"
	change = "\n\tWITH gone AS (DELETE FROM room RETURNING id) UPDATE house SET rooms = 0"
	add    = "INSERT INTO room DEFAULT VALUES"
	route  = "DELETE /rooms/{id}"
	hint   = "with a key: UPDATE"
)
`)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"5: SELECT …", "6: WITH …", "7: INSERT …"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("statements (-want +got):\n%s", diff)
	}
}
