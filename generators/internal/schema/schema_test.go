package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/normalise"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// node reads JSON as a tree.
func node(t testing.TB, text string) *spec.Node {
	t.Helper()
	n, err := spec.Parse("test.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// document is a normalised document with those shared schemas.
func document(t testing.TB, schemas string) *normalise.Document {
	t.Helper()
	doc := &normalise.Document{Name: "test", Schemas: map[string]*spec.Node{}}
	for _, m := range node(t, schemas).Members {
		doc.Schemas[m.Name] = m.Value
	}
	return doc
}

var platform = &ir.Catalog{Name: "platform", Binding: "http", Input: "grouped", Result: "envelope"}

// withBody is an operation with a JSON body and a JSON reply of that schema.
func withBody(t testing.TB, schema string) *ir.Operation {
	t.Helper()
	n := node(t, schema)
	return &ir.Operation{
		Tool: "do_it", ID: "doIt", Key: "POST /it", Document: "test", Method: "POST", Scope: "it:write", Effect: "write",
		Body:    &ir.Body{MediaType: "application/json", Form: "json", Required: true, Schema: n},
		Replies: []ir.Reply{{Status: "200", MediaType: "application/json", Schema: n}},
	}
}

// fill makes and proves the schemas of an operation.
func fill(t testing.TB, schemas string, c *ir.Catalog, op *ir.Operation) {
	t.Helper()
	b := New(document(t, schemas))
	if problems := b.Fill(c, op); len(problems) > 0 {
		t.Fatal(problems)
	}
	if problems := b.Prove(); len(problems) > 0 {
		t.Fatal(problems)
	}
}

// check validates a value against a self-contained schema. Formats are not
// asserted, which takes a schema that names its dialect.
func check(t testing.TB, schema *spec.Node, value string) error {
	t.Helper()
	schema = schema.Clone()
	schema.Set("$schema", spec.NewString(jsonschema.Draft2020.URL()))
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft2020
	if err := compiler.AddResource("mem:///schema", bytes.NewReader(schema.AppendJSON(nil))); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("mem:///schema")
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader([]byte(value)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return compiled.Validate(v)
}

// want compares a schema with its expected text.
func want(t testing.TB, got *spec.Node, text string) {
	t.Helper()
	if diff := cmp.Diff(indent(t, node(t, text)), indent(t, got)); diff != "" {
		t.Errorf("schema (-want +got):\n%s", diff)
	}
}

func indent(t testing.TB, n *spec.Node) string {
	t.Helper()
	if n == nil {
		return "none"
	}
	p := printer{}
	p.value(n)
	return string(p.out)
}

// body is the schema of the body member of an input.
func body(op *ir.Operation) *spec.Node { return op.Input.Get("properties").Get("body") }

// accepts checks bodies against the input of an operation.
func accepts(t *testing.T, op *ir.Operation, good, bad []string) {
	t.Helper()
	for _, value := range good {
		if err := check(t, op.Input, fmt.Sprintf(`{"body":%s}`, value)); err != nil {
			t.Errorf("body %s is refused: %#v", value, err)
		}
	}
	for _, value := range bad {
		if err := check(t, op.Input, fmt.Sprintf(`{"body":%s}`, value)); err == nil {
			t.Errorf("body %s is accepted", value)
		}
	}
}
