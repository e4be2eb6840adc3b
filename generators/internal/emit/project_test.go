package emit

import (
	"encoding/json"
	"go/format"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// clause: E-08
func TestProject(t *testing.T) {
	t.Parallel()
	files, err := Project(ProjectConfig{
		Module: "example.com/shop", Name: "Shop_1", Title: "A `shop`\n<!-- of\u202e -->", Document: "petstore", Catalog: "pets",
		SpecFile: "api/petstore/petstore.json", PharosVersion: "v0.3.0",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{".gitignore", "README.md", "edge.json", "generate.go", "go.mod", "main.go"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(files))); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"main.go", "generate.go"} {
		formatted, err := format.Source(files[name])
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(string(formatted), string(files[name])); diff != "" {
			t.Errorf("%s is not as gofmt has it:\n%s", name, diff)
		}
	}
	if !json.Valid(files["edge.json"]) {
		t.Errorf("edge.json is not JSON:\n%s", files["edge.json"])
	}
	for name, lines := range map[string][]string{
		"go.mod": {
			"module example.com/shop", "tool github.com/pharos-mcp/pharos/cmd/mcpgen",
			"require github.com/pharos-mcp/pharos v0.3.0",
		},
		"generate.go": {"//go:generate go tool mcpgen generate"},
		"main.go": {
			"// Command shop serves MCP tools for A `shop` <!-- of  -->.",
			"\tcatalog \"example.com/shop/generated/pets\"",
			"\tos.Exit(edge.Main(os.Args[1:], os.Stdout, os.Stderr, catalog.Catalog()))",
		},
		"README.md": {"# Shop\\_1", "go tool mcpgen accept --all          # all that are left", "go generate ./..."},
	} {
		got := strings.Split(string(files[name]), "\n")
		for _, line := range lines {
			if !slices.Contains(got, line) {
				t.Errorf("%s has no line %q:\n%s", name, line, files[name])
			}
		}
	}
	decide, generate := strings.Index(string(files["README.md"]), "accept"), strings.Index(string(files["README.md"]), "go generate")
	if decide < 0 || generate < decide {
		t.Error("the README generates before anybody has decided")
	}
	if strings.Contains(strings.ReplaceAll(string(files["README.md"]), `\<`, ""), "<!--") {
		t.Error("the README hides text of the document")
	}
}
