package generators

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expectations of the scripts")

// TestScript runs testdata/script/*.txtar through Main: one script for every
// rule, with the message and the fix that a person reads. Their clauses:
//
// clause: E-01, E-02, E-03, E-04, E-05, E-06, E-07, E-08, E-09, E-50, E-51, E-53, E-54
func TestScript(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"mcpgen": func(ts *testscript.TestScript, neg bool, args []string) {
				want := 0
				if neg {
					want = 1
				}
				runMain(ts, want, args)
			},
			"code": func(ts *testscript.TestScript, _ bool, args []string) {
				want, err := strconv.Atoi(args[0])
				ts.Check(err)
				runMain(ts, want, args[2:]) // code N mcpgen …
			},
			// tree FILE writes the names of all files below the folders to FILE.
			"tree": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(tree(ts, args[1:])), 0o644))
			},
		},
	})
}

func runMain(ts *testscript.TestScript, want int, args []string) {
	dir := "."
	if len(args) > 1 && args[0] == "-C" {
		dir, args = args[1], args[2:]
	}
	args = append([]string{"-C", ts.MkAbs(dir)}, args...)
	if got := Main(args, strings.NewReader(""), ts.Stdout(), ts.Stderr()); got != want {
		ts.Fatalf("mcpgen exits %d, not %d", got, want)
	}
}

func tree(ts *testscript.TestScript, folders []string) string {
	var names []string
	for _, folder := range folders {
		ts.Check(filepath.WalkDir(ts.MkAbs(folder), func(name string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				rel, _ := filepath.Rel(ts.MkAbs("."), name)
				names = append(names, filepath.ToSlash(rel))
			}
			return err
		}))
	}
	return strings.Join(names, "\n") + "\n"
}
