package clients

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"
	"golang.org/x/tools/txtar"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// clause: E-05
func TestGoName(t *testing.T) {
	t.Parallel()
	for tool, want := range map[string]string{
		"close_support_ticket": "CloseSupportTicket",
		"a":                    "A",
		"a__b_":                "AB",
		"get_2fa_2":            "Get2fa2",
		"type":                 "Type",
		"list_http_ids":        "ListHttpIds",
	} {
		got := GoName(tool)
		if got != want {
			t.Errorf("GoName(%q) = %q, want %q", tool, got, want)
		}
		if normal := codegen.SchemaNameToTypeName(codegen.ToCamelCase(got)); normal != got {
			t.Errorf("oapi-codegen would rename %s to %s", got, normal)
		}
	}
}

// TestIdentifier proves that oapi-codegen leaves every name as it is.
func TestIdentifier(t *testing.T) {
	t.Parallel()
	for _, text := range nasty {
		got := identifier(text, "Fallback")
		if normal := codegen.SchemaNameToTypeName(got); normal != got {
			t.Errorf("identifier(%q) = %q, which oapi-codegen would rename to %q", text, got, normal)
		}
	}
	for text, want := range map[string]string{
		"pet-id": "PetID", "petId": "PetID", "@id": "ID", "a b": "AB",
		"größe": "Größe", "1st": "N1st", "名前": "Fallback",
	} {
		if got := identifier(text, "Fallback"); got != want {
			t.Errorf("identifier(%q) = %q, want %q", text, got, want)
		}
	}
}

// The smallest documents that oapi-codegen alone cannot do.
//
// clause: E-09
func TestCases(t *testing.T) {
	t.Parallel()
	archive, err := txtar.ParseFile("testdata/cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range archive.Files {
		t.Run(file.Name, func(t *testing.T) {
			t.Parallel()
			in := load(t, string(file.Data))
			for i, op := range in.Others { // their ids are no tool names
				in.Operations = append(in.Operations, plain(op, GoName("tool_"+string(rune('a'+i)))))
			}
			in.Others = nil
			source, err := Generate(in)
			if err != nil {
				t.Fatal(err)
			}
			if err := Check(in, source); err != nil {
				t.Error(err)
			}
		})
	}
}

// What resolve decides of parameters and bodies shows in the builder.
//
// clause: E-04, E-11, E-53
func TestDecisions(t *testing.T) {
	t.Parallel()
	text := bare("string")
	op := &ir.Operation{
		GoName: "GetX", Method: "GET", Key: "GET /x/{id}", Path: "/x/{id}", Query: "v=1",
		Parameters: []ir.Parameter{
			{Name: "id", Key: "id", In: "path", Style: "simple", AllowSlash: true, Required: true, Schema: text},
			{
				Name: "filter[name]", Key: "filter_name", In: "query", Style: "form",
				Explode: true, AllowReserved: true, Schema: text,
			},
			{Name: "X-Api-Key", Key: "X-Api-Key", In: "header", Dropped: true, Required: true, Schema: text},
			{Name: "rest", Key: "rest", In: "query", Style: "form", Explode: true, Schema: bare("object")},
			{Name: "access_token", Key: "access_token", In: "query", Style: "form", Dropped: true, Schema: text},
		},
		Body: &ir.Body{MediaType: "application/json", Form: "json", Raw: true, Schema: bare("string")},
	}
	in := Input{Document: load(t, minimal).Document, Package: "xapi", Operations: []*ir.Operation{op}, Client: true}
	source, err := Generate(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"base string, id string, params *GetXParams, body tool.Payload,",
		`r := tool.NewRequest(http.MethodGet, base, "/x/{id}", "v=1")`,
		`r.Path("id", tool.Simple|tool.Slash, id)`,
		`r.Query("filter[name]", tool.Form|tool.Explode|tool.Reserved, params.FilterName)`,
		// The builder takes the name, so that no member of an exploded object does.
		`r.Query("access_token", tool.Form, nil)`,
		"`json:\"filter_name,omitempty\"`",
	} {
		if !strings.Contains(string(source), want) {
			t.Errorf("no %s in\n%s", want, source)
		}
	}
	if strings.Contains(string(source), "Api-Key") {
		t.Errorf("the dropped parameter is in\n%s", source)
	}
	got := []string{op.Parameters[0].GoName, op.Parameters[1].GoName, op.Parameters[0].GoType, op.Body.GoType}
	if diff := cmp.Diff([]string{"ID", "FilterName", "string", ""}, got); diff != "" {
		t.Error(diff)
	}
}

const minimal = `
openapi: 3.1.0
info: {title: Minimal, version: "1"}
paths: {/x: {get: {operationId: get_x, responses: {"200": {description: ok}}}}}
`

// clause: E-06
func TestDeterminism(t *testing.T) {
	t.Parallel()
	archive, err := txtar.ParseFile("testdata/client.txtar")
	if err != nil {
		t.Fatal(err)
	}
	generate := func(change func(*Input)) string {
		in := load(t, string(archive.Files[0].Data))
		change(&in)
		source, err := Generate(in)
		if err != nil {
			t.Fatal(err)
		}
		return string(source)
	}
	first := generate(func(*Input) {})
	reversed := generate(func(in *Input) {
		slices.Reverse(in.Operations)
		for _, op := range in.Operations {
			slices.Reverse(op.Parameters)
		}
	})
	if diff := cmp.Diff(first, reversed); diff != "" {
		t.Errorf("the order of operations shows:\n%s", diff)
	}
	host, _ := os.Hostname()
	folder, _ := os.Getwd()
	for _, trace := range []string{host, folder, "version", "oapi-codegen", "unknown"} {
		if trace != "" && strings.Contains(first, trace) {
			t.Errorf("%q is in the output", trace)
		}
	}
}

// A type that does not compile is laid on the operations that use it.
//
// clause: E-09
func TestCheckNamesOperations(t *testing.T) {
	t.Parallel()
	in := load(t, `
openapi: 3.1.0
info: {title: Sample, version: "1"}
paths:
  /a:
    post:
      operationId: a
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Outer"}}}}
      responses: {"204": {description: ok}}
  /b:
    post:
      operationId: b
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Other"}}}}
      responses: {"204": {description: ok}}
components:
  schemas:
    Outer: {type: object, properties: {tree: {$ref: "#/components/schemas/Tree"}}}
    Tree: {type: object, required: [root], properties: {root: {$ref: "#/components/schemas/Tree"}}}
    Other: {type: object, properties: {name: {type: string}}}
`)
	source, err := Generate(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(in, source); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		old, new string
		want     []string
	}{
		"a value that contains itself": {"Root *TreeModel", "Root TreeModel", []string{"POST /a"}},
		"an unknown type":              {"Name *string", "Name *Missing", []string{"POST /b"}},
		"an error in a builder":        {"return r.Build()", "return missing.Build()", []string{"POST /a", "POST /b"}},
		"no Go at all":                 {"type ", "tpye ", []string{"POST /a", "POST /b"}},
	} {
		broken := strings.ReplaceAll(string(source), c.old, c.new)
		var failure *Failure
		if err := Check(in, []byte(broken)); !errors.As(err, &failure) {
			t.Errorf("%s: got %v, want a failure", name, err)
		} else if diff := cmp.Diff(c.want, failure.Operations); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestGenerateFails(t *testing.T) {
	t.Parallel()
	in := load(t, minimal)
	in.Package = "not a name"
	_, err := Generate(in)
	var failure *Failure
	if !errors.As(err, &failure) || !slices.Equal(failure.Operations, []string{"GET /x"}) {
		t.Errorf("got %v, want a failure of GET /x", err)
	}
}

// Schemas that are endless or huge stay finite and compile.
func TestExtremes(t *testing.T) {
	t.Parallel()
	deep := bare("string")
	for range 60 {
		outer := bare("object")
		outer.Set("properties", spec.NewObject())
		outer.Get("properties").Set("in", deep)
		deep = outer
	}
	list := bare("string")
	for range 60 {
		outer := bare("array")
		outer.Set("items", list)
		list = outer
	}
	enum := spec.NewObject()
	enum.Set("enum", spec.NewArray())
	for range 5000 {
		enum.Get("enum").Items = append(enum.Get("enum").Items, spec.NewString("value"))
	}
	knot := spec.NewObject() // a conjunction with itself, inside a member that is one again
	inner := spec.NewObject()
	inner.Set("allOf", spec.NewArray(refTo("Knot"), refTo("Knot"), bare("object")))
	properties := spec.NewObject()
	for _, name := range []string{"a", "b", "c", "d"} {
		properties.Set(name, inner.Clone())
	}
	part := bare("object")
	part.Set("properties", properties)
	knot.Set("allOf", spec.NewArray(refTo("Knot"), part, part.Clone()))

	in := load(t, minimal)
	for name, schema := range map[string]*spec.Node{"Deep": deep, "List": list, "Enum": enum, "Knot": knot} {
		in.Document.Schemas[name] = schema
		in.Operations = append(in.Operations, &ir.Operation{
			GoName: "Op" + name, Key: name, Method: "POST", Path: "/" + name,
			Body: &ir.Body{MediaType: "application/json", Form: "json", Schema: refTo(name)},
		})
	}
	source, err := Generate(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(in, source); err != nil {
		t.Error(err)
	}
	if len(source) > 64<<10 {
		t.Errorf("%d bytes of code", len(source))
	}
}

// Comments are bounded paragraphs, whatever a description holds.
func TestComment(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"one\r\n\ttwo\u2028three\x00\u202e.": "one two three.",
		"Ends":                               "Ends.",
		"\ufeff":                             "",
		strings.Repeat("word ", 100):         strings.TrimSpace(strings.Repeat("word ", 56)) + " …",
	} {
		if got := sentence(text); got != want {
			t.Errorf("sentence(%q) = %q, want %q", text, got, want)
		}
	}
	got := comment("Name", strings.Repeat("- # 1. word ", 20))
	for i, line := range strings.Split(got, "\n") {
		if i > 0 && !strings.HasPrefix(line, "word") || len(line) > lineWidth+len("- # 1. ") {
			t.Errorf("line %d is %q", i, line)
		}
	}
}
