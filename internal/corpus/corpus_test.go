package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/internal/measure"
)

func put(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFind(t *testing.T) {
	t.Parallel()
	dir := put(t, map[string]string{
		"b.yaml": "openapi: 3.0.0\n", "a.json": `{"swagger": "2.0"}`, "README.md": "no document", ".hidden.json": "{}",
		"many/index.yml": "info: {}\n'openapi' : 3.1.0\n", "many/part.yaml": "type: object\n", "many/x/openapi.yaml": "openapi: 3.0.0\n",
		"two/a.yaml": "openapi: 3.0.0\n", "two/b.yaml": "openapi: 3.0.0\n",
	})
	got, err := find(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	want := []document{
		{name: "a", entry: filepath.Join(dir, "a.json")}, {name: "b", entry: filepath.Join(dir, "b.yaml")},
		{name: "many", entry: filepath.Join(dir, "many/index.yml")},
		{name: "two", odd: "2 files at its top have a member openapi or swagger, want one"},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(document{})); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
	if got, err := find(dir, "b"); err != nil || len(got) != 1 {
		t.Errorf("only b: %v, %v", got, err)
	}
	if _, err := find(t.TempDir(), ""); err == nil {
		t.Error("a folder without documents is no error")
	}
}

func TestReason(t *testing.T) {
	t.Parallel()
	for log, want := range map[string]string{
		`{"runs":[{"results":[{"ruleId":"missing-file","message":{"text":"the file a.yaml is missing\nhint: add it"}}]}]}`: "the file a.yaml is missing",
		`{"runs":[{"results":[{"ruleId":"version","message":{"text":"v"}},{"ruleId":"E-05","message":{"text":"x"}}]}]}`:    "",
		`{"runs":[{"results":[]}]}`: "", `panic: no JSON`: "",
	} {
		if got := reason([]byte(log)); got != want {
			t.Errorf("reason(%s) = %q, want %q", log, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	t.Parallel()
	dir := put(t, map[string]string{
		"manifest.json": `{"catalogs": {"pets": {"operations": {"pets": {
			"POST /a": {"tool": "add_a"}, "POST /b": {"tool": "add_b"}, "PUT /c": {"tool": "put_c"},
			"GET /d": {"exclude": "unsupported: deep"}, "GET /e": {"exclude": "not-offered"}}}}}}`,
		"generated/pets/catalog.go": "package pets\n", "generated/pets/dispatch.go": "package pets\n",
		"generated/pets/inputs.go": `package pets

type AddAInput struct {
	Body tool.Body[
		petsapi.AModel] ` + "`json:\"body\"`" + `
}
type AddBInput struct{ Body tool.Body[petsapi.BModel] }
type PutCInput struct{ Body tool.Body[json.RawMessage] }
`,
		"generated/petsapi/petsapi.go":      "package petsapi\n\ntype AModel struct{ N string }\ntype BModel = Other\ntype Other map[string]any\n",
		"generated/pets/schemas/add_a.json": `{"name": "add_a", "inputSchema": {"properties": {"body": {"properties": {"n": {}}}}}}`,
		"generated/pets/schemas/add_b.json": `{"name": "add_b", "inputSchema": {"properties": {"body": {"type": "string"}}}}`,
		"generated/pets/schemas/put_c.json": `{"name": "put_c", "inputSchema": {"properties": {"body": {"type": "object"}}}}`,
	})
	got, err := count(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := counts{
		operations: 5, decided: 3, typed: 1, raw: 1, free: 1, lines: 10, unsupported: []string{"GET /d: unsupported: deep"},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(counts{})); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	results := []result{
		{name: "good", tools: 49, total: 9 * time.Second, generate: measure.Run{Took: time.Second, Peak: 64 << 20},
			counts: counts{operations: 50, decided: 49, typed: 8, free: 1, lines: 490, unsupported: []string{"GET /x: deep"}}},
		{name: "gone", refused: "the file | is missing"},
		{name: "bad", fault: "build: exit status 1\n\tx.go:1"},
		{name: "silent", tools: 1, counts: counts{operations: 2, decided: 2, raw: 1}},
		{name: "poor", tools: 9, counts: counts{operations: 10, decided: 9, unsupported: []string{"GET /y: odd"}}},
	}
	for i := range results {
		if results[i].refused == "" && results[i].fault == "" {
			results[i].verdict()
		}
	}
	want := `| document | operations | tools | typed | raw | free | generate s | peak MiB | build s | total s | lines |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |
| good | 50 | 49 | 8 | 0 | 1 | 1.0 | 64 | 0.0 | 9.0 | 10.0 |
| gone | refused: the file \| is missing | | | | | | | | | |
| bad | fault: build: exit status 1 | | | | | | | | | |
| silent | fault: 1 tools listed, 2 decided | | | | | | | | | |
| poor | fault: 1 of 10 operations have no tool | | | | | | | | | |

Operations that no tool can carry:

- good, GET /x: deep
- poor, GET /y: odd

` + "```" + `
1 refused for a true reason
bodies: 8 of 8 typed (100.0 %), 1 free-form beside them
1 of 4 documents, 49 of 62 operations
` + "```" + `
`
	page, _ := strings.CutPrefix(string(table(results)), preface)
	if diff := cmp.Diff(want, page); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
	if !sum(results).failed() || sum(results[:2]).failed() {
		t.Error("only a fault fails a run")
	}
}
