// Command mutate proves that a package's tests need each of its checks: it
// takes one check after the other out of a copy of the source, runs the tests
// against the copy, and fails for every removal that they let pass.
//
// A check is an if that returns, a condition of options, or the call Strict of
// an encoding. One that another check covers is listed, with the one that
// covers it, in testdata/redundant.txt of the package: FUNCTION: CODE <tab> REASON.
//
//	mutate [-run REGEXP] PACKAGE-FOLDER FILE...
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	run := flag.String("run", "^Test", "which tests must notice")
	flag.Parse()
	if flag.NArg() < 2 {
		fmt.Fprintln(os.Stderr, "usage: mutate [-run REGEXP] PACKAGE-FOLDER FILE...")
		os.Exit(2)
	}
	if err := mutate(flag.Arg(0), flag.Args()[1:], *run); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// mutate removes each check in turn. The tests must pass with all of them.
func mutate(folder string, files []string, run string) error {
	redundant, err := readRedundant(filepath.Join(folder, "testdata", "redundant.txt"))
	if err != nil {
		return err
	}
	if out, err := exec.Command("go", "test", "-count=1", "-run", run, "./"+folder).CombinedOutput(); err != nil {
		return fmt.Errorf("the tests fail as they are:\n%s", out)
	}
	work, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	var removed, covered int
	var bad []string
	for _, name := range files {
		mutants, err := mutantsOf(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		for _, m := range mutants {
			removed++
			noticed, err := notices(work, folder, run, m)
			if err != nil {
				return err
			}
			_, listed := redundant[m.line]
			switch {
			case noticed && listed:
				bad = append(bad, fmt.Sprintf("%s: listed as redundant, and the tests need it: %s", m.place, m.line))
			case !noticed && !listed:
				bad = append(bad, fmt.Sprintf("%s: no test needs it: %s", m.place, m.line))
			case listed:
				covered++
			}
			delete(redundant, m.line)
		}
	}
	for line := range redundant {
		bad = append(bad, "redundant.txt lists what is not there: "+line)
	}
	fmt.Printf("%d checks removed one at a time: %d noticed, %d covered by another\n", removed, removed-covered-len(bad), covered)
	if len(bad) > 0 {
		return fmt.Errorf("%d problems\n%s", len(bad), strings.Join(bad, "\n"))
	}
	return nil
}

// notices reports whether the tests fail with the mutant in the place of its
// file. A mutant that does not compile is an error of this program.
func notices(work, folder, run string, m mutant) (bool, error) {
	changed := filepath.Join(work, "mutant.go")
	if err := os.WriteFile(changed, m.source, 0o600); err != nil {
		return false, err
	}
	original, err := filepath.Abs(m.file)
	if err != nil {
		return false, err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return false, err
	}
	list, binary := filepath.Join(work, "overlay.json"), filepath.Join(work, "mutant.test")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return false, err
	}
	if out, err := exec.Command("go", "test", "-vet=off", "-overlay", list, "-c", "-o", binary, "./"+folder).CombinedOutput(); err != nil {
		return false, fmt.Errorf("%s: the source without %q does not compile:\n%s", m.place, m.line, out)
	}
	test := exec.Command(binary, "-test.run", run, "-test.timeout", "60s", "-test.failfast")
	test.Dir = folder
	return test.Run() != nil, nil
}

// readRedundant reads LINE <tab> REASON lines; no file is an empty list.
func readRedundant(name string) (map[string]string, error) {
	data, err := os.ReadFile(name)
	if os.IsNotExist(err) {
		return map[string]string{}, nil
	}
	if err != nil {
		return nil, err
	}
	list := map[string]string{}
	for line := range strings.Lines(string(data)) {
		code, reason, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || strings.TrimSpace(reason) == "" {
			return nil, fmt.Errorf("%s: %q has no reason", name, line)
		}
		list[code] = reason
	}
	return list, nil
}
