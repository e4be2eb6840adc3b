// Command contract compares the numbered clauses of docs/contract with the
// tests that name them.
//
// A clause is a list item "- E-12 text" of a file in docs/contract. Those in
// deferred.md are not built yet: a whole clause, or, where the number stands
// in another file too, a part of one. A test names the clauses it proves in a
// comment "clause: E-12, E-13" above a test function or inside of it, or in a
// testdata script. A clause that no test names fails the run, and so does a
// test that names no clause of the list. A page in another language, in a
// folder of its own, has the clauses of the page that it translates.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run checks the tree whose root is the only argument, or the working folder.
func run(args []string, stdout, stderr io.Writer) int {
	root := "."
	switch len(args) {
	case 0:
	case 1:
		root = args[0]
	default:
		fmt.Fprintln(stderr, "usage: contract [ROOT]")
		return 2
	}
	report, err := check(os.DirFS(root))
	if err != nil {
		fmt.Fprintf(stderr, "contract: %v\n", err)
		return 1
	}
	for _, p := range report.problems {
		fmt.Fprintln(stdout, p)
	}
	fmt.Fprintln(stdout, report.summary())
	if len(report.problems) > 0 {
		return 1
	}
	return 0
}
