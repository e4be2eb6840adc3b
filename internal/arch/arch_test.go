package arch

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestImports holds every package against the table.
func TestImports(t *testing.T) {
	t.Parallel()
	for _, p := range violations(load(t)) {
		t.Error(p)
	}
}

// violations lists what the table does not allow, sorted.
func violations(tr tree) []string {
	var out []string
	for _, dir := range slices.Sorted(maps.Keys(tr.packages)) {
		p := tr.packages[dir]
		r, listed := ruleFor(dir)
		if !listed {
			out = append(out, dir+": the package is not in the policy of internal/arch")
			continue
		}
		allowed := slices.Concat(r.own, r.modules)
		for _, i := range p.Imports {
			if name, own := tr.target(i); name != "" && !matches(allowed, name, own) {
				out = append(out, fmt.Sprintf("%s: may not import %s", dir, i))
			}
		}
		allowed = slices.Concat(allowed, r.tests, everywhere, []string{dir})
		for _, i := range slices.Concat(p.TestImports, p.XTestImports) {
			if name, own := tr.target(i); name != "" && !matches(allowed, name, own) {
				out = append(out, fmt.Sprintf("%s: its tests may not import %s", dir, i))
			}
		}
	}
	return out
}

// TestPolicyIsNeeded keeps the table from outliving its packages.
func TestPolicyIsNeeded(t *testing.T) {
	t.Parallel()
	tr := load(t)
	for _, dir := range slices.Sorted(maps.Keys(policy)) {
		prefix, open := strings.CutSuffix(dir, "/...")
		found := false
		for have := range tr.packages {
			found = found || have == prefix || open && strings.HasPrefix(have, prefix+"/")
		}
		if !found {
			t.Errorf("the policy lists %s, which is no package", dir)
		}
	}
}

// TestPrograms follows the imports of the two mains.
func TestPrograms(t *testing.T) {
	t.Parallel()
	tr := load(t)
	for main, never := range map[string][]string{
		"cmd/mcpgen": slices.Concat(forTests, []string{
			"edge", "edge/fault", "edge/token", "services/...", "generated/...",
		}),
		"cmd/pharos": slices.Concat(forTests, []string{"generators/..."}),
	} {
		for _, p := range reached(tr, main, never) {
			t.Error(p)
		}
	}
}

// reached lists the chains of imports that lead from a main to what it must
// never contain.
func reached(tr tree, main string, never []string) []string {
	var out []string
	from := map[string]string{main: ""}
	for queue := []string{main}; len(queue) > 0; queue = queue[1:] {
		dir := queue[0]
		p := tr.packages[dir]
		if p == nil {
			continue
		}
		for _, i := range p.Imports {
			name, own := tr.target(i)
			if name == "" {
				name = i
			}
			if matches(never, name, own) {
				chain := i
				for at := dir; at != ""; at = from[at] {
					chain = at + " → " + chain
				}
				out = append(out, "a program must not contain this: "+chain)
				continue
			}
			if _, seen := from[name]; own && !seen {
				from[name] = dir
				queue = append(queue, name)
			}
		}
	}
	return out
}

// TestModule keeps go.mod usable by everyone who requires this module.
func TestModule(t *testing.T) {
	t.Parallel()
	mod := load(t).mod
	for _, r := range mod.Replace {
		t.Errorf("go.mod:%d: replace %s: it holds for this module only, not for those that use it",
			r.Syntax.Start.Line, r.Old.Path)
	}
	for _, x := range mod.Exclude {
		t.Errorf("go.mod:%d: exclude %s: it holds for this module only, not for those that use it",
			x.Syntax.Start.Line, x.Mod.Path)
	}
}
