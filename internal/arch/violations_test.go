package arch

import (
	"go/build"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

const self = "example.org/house"

func house(packages map[string]*build.Package) tree {
	return tree{
		mod:      &modfile.File{Module: &modfile.Module{Mod: module.Version{Path: self}}},
		packages: packages,
	}
}

func TestViolations(t *testing.T) {
	t.Parallel()
	got := violations(house(map[string]*build.Package{
		"edge/tool":                {Imports: []string{"net/http", self + "/edge", sdk + "/mcp"}},
		"internal/unheard":         {},
		"generators/internal/emit": {Imports: []string{self + "/generators/internal/ir", self + "/generators/internal/manifest"}},
		"generators/internal/ir": {
			Imports:      []string{self + "/generators/internal/spec/deeper"},
			TestImports:  []string{goCmp + "/cmp", "testing"},
			XTestImports: []string{self + "/generators/internal/ir", sdk + "/mcp"},
		},
	}))
	want := []string{
		"edge/tool: may not import " + self + "/edge",
		"edge/tool: may not import " + sdk + "/mcp",
		"generators/internal/emit: may not import " + self + "/generators/internal/manifest",
		"generators/internal/ir: may not import " + self + "/generators/internal/spec/deeper",
		"generators/internal/ir: its tests may not import " + sdk + "/mcp",
		"internal/unheard: the package is not in the policy of internal/arch",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("violations (-want +got):\n%s", diff)
	}
}

func TestReached(t *testing.T) {
	t.Parallel()
	got := reached(house(map[string]*build.Package{
		"cmd/pharos": {Imports: []string{self + "/edge", "fmt"}},
		"edge":       {Imports: []string{self + "/edge/tool", self + "/internal/catalogtest/calc"}},
		"edge/tool":  {Imports: []string{"net/http/httptest", self + "/edge"}},
	}), "cmd/pharos", forTests)
	want := []string{
		"a program must not contain this: cmd/pharos → edge → " + self + "/internal/catalogtest/calc",
		"a program must not contain this: cmd/pharos → edge → edge/tool → net/http/httptest",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reached (-want +got):\n%s", diff)
	}
}
