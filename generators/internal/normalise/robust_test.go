package normalise_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/pharos-mcp/pharos/generators/internal/normalise"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// rich are documents that use every part of what Load reads.
var rich = map[string]string{
	"api.yaml": `
openapi: 3.1.0
info: {title: Rich, version: "1"}
security: [{key: []}]
paths:
  /a/{id}?f=1:
    $ref: '#/components/pathItems/A'
    parameters: [{name: id, in: path, schema: {type: string}, content: {application/json: {}}}]
components:
  pathItems:
    A:
      post:
        operationId: a
        summary: s
        tags: [t]
        deprecated: true
        security: [{key: []}]
        parameters: [{$ref: '#/components/parameters/Q'}]
        requestBody: {required: true, content: {multipart/form-data: {schema: {$ref: '#/components/schemas/S'}, encoding: {a: {style: form}}}}}
        responses:
          200: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/S'}}}}
          default: {$ref: '#/components/responses/R'}
  parameters: {Q: {name: q, in: query, style: deepObject, explode: true, schema: {anyOf: [{type: object, properties: {a: {type: array, items: {}}}}]}}}
  responses: {R: {description: d, content: {text/plain: {schema: {type: string}}}}}
  securitySchemes: {key: {type: apiKey, in: header, name: X}, http: {type: http, scheme: bearer}}
  schemas:
    S:
      $id: s
      $anchor: a
      type: [object, 'null']
      required: [a]
      properties: {a: {type: string, enum: [x, null], nullable: true}, s: {$ref: '#/components/schemas/S'}}
      allOf: [{$ref: '#a'}, {if: {}, then: {}}]
      discriminator: {propertyName: a, mapping: {x: S}}
      additionalProperties: {type: integer, minimum: 1, exclusiveMinimum: true}
      prefixItems: [{}]
      dependencies: {a: [b], c: {}}
      dependentRequired: {a: [b]}
      const: 1
      default: 2
`,
	"api.json": `{
  "swagger": "2.0", "info": {"title": "t", "version": "1"}, "consumes": ["application/json"], "produces": ["text/plain"],
  "securityDefinitions": {"k": {"type": "basic"}}, "security": [{"k": []}],
  "parameters": {"L": {"name": "l", "in": "query", "type": "array", "items": {"type": "string"}, "collectionFormat": "pipes"}},
  "responses": {"R": {"description": "d", "schema": {"type": "file"}}},
  "paths": {"/b/{c}": {
    "parameters": [{"name": "c", "in": "path", "type": "string", "required": true}],
    "get": {"parameters": [{"$ref": "#/parameters/L"}], "responses": {"200": {"$ref": "#/responses/R"}}},
    "put": {"consumes": ["application/xml"], "parameters": [{"name": "b", "in": "body", "schema": {"$ref": "#/definitions/S"}}]},
    "post": {"parameters": [{"name": "f", "in": "formData", "type": "file", "required": true}]}
  }},
  "definitions": {"S": {"type": "object", "discriminator": "k", "items": [{}], "additionalItems": false}}
}`,
}

// TestWrongTypes puts a value of each kind, and references of each kind, in the
// place of every value of a document: Load must give a document that is whole,
// or problems, and never panic.
func TestWrongTypes(t *testing.T) {
	t.Parallel()
	for file, text := range rich {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			root, err := spec.Parse(file, []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			replacements := []string{
				`null`, `true`, `-1.5e3`, `"x"`, `""`, `[]`, `[null]`, `["a", {}]`, `{}`, `{"a": null}`, `{"$ref": 1}`,
				`{"$ref": "#"}`, `{"$ref": "#/paths"}`, `{"$ref": "#/components/schemas/S"}`, `{"$ref": "#/none"}`, `{"$ref": ""}`,
				`{"$ref": "#/components/schemas/S/properties/s"}`,
			}
			for _, slot := range slots(root) {
				original := **slot
				for _, text := range replacements {
					value, err := spec.Parse("value.json", []byte(text))
					if err != nil {
						value = &spec.Node{}
					}
					**slot = *value
					tryLoad(t, file, root.AppendJSON(nil))
				}
				**slot = original
			}
		})
	}
}

// slots lists every value of a tree.
func slots(n *spec.Node) []**spec.Node {
	list := []**spec.Node{&n}
	for i := range n.Items {
		list = append(list, slots(n.Items[i])...)
	}
	for i := range n.Members {
		list = append(list, slots(n.Members[i].Value)...)
	}
	return list
}

// tryLoad loads one file as a document and checks what comes of it.
func tryLoad(t *testing.T, file string, data []byte) {
	t.Helper()
	fsys := fstest.MapFS{file: {Data: data}, "text.md": {Data: []byte("text")}}
	d, err := normalise.Load(fsys, normalise.Config{Name: "api", Files: []string{file}})
	if err != nil {
		if ps, ok := err.(spec.Problems); !ok || len(ps) == 0 {
			t.Fatalf("the error is a %T: %v", err, err)
		}
		return
	}
	checkReferences(t, d)
	bundle := d.Bundle(func(*normalise.Operation) bool { return true })
	if _, err := spec.Parse("bundle.json", bundle); err != nil {
		t.Fatalf("the bundle does not parse: %v\n%s", err, bundle)
	}
	for _, op := range d.Operations {
		if op.Method == "" || op.Path == "" || op.Path[0] != '/' {
			t.Fatalf("an operation is not whole: %+v", op)
		}
	}
}

// FuzzLoad checks that any file is a document that is whole, or refused.
func FuzzLoad(f *testing.F) {
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range rich {
			if !yield(name) {
				return
			}
		}
	}) {
		f.Add([]byte(rich[name]))
	}
	f.Add([]byte("openapi: 3.0.0\npaths: {/a: &a {get: {}, $ref: '#/paths/~1a'}, /b: *a}"))
	f.Fuzz(func(t *testing.T, data []byte) { tryLoad(t, "api.yaml", data) })
}

// TestManySchemas checks that work grows with the size of a document, not with
// the number of ways through it.
func TestManySchemas(t *testing.T) {
	t.Parallel()
	const n = 2000
	text := []byte("openapi: 3.1.0\npaths: {/a: {get: {parameters: [{name: q, in: query, style: deepObject, schema: {$ref: '#/components/schemas/S0'}}]}}}\ncomponents:\n  schemas:\n")
	for i := range n {
		text = fmt.Appendf(text, "    S%d: {anyOf: [{$ref: '#/components/schemas/S%d'}, {$ref: '#/components/schemas/s_%d'}]}\n", i, i+1, i+1)
		text = fmt.Appendf(text, "    s_%d: {oneOf: [{$ref: '#/components/schemas/S%d'}, {$ref: '#/components/schemas/s_%d'}]}\n", i, i+1, i+1)
	}
	text = fmt.Appendf(text, "    S%d: {type: object}\n    s_%d: {type: object}\n", n, n)
	d, err := normalise.Load(fstest.MapFS{"api.yaml": {Data: text}}, normalise.Config{Name: "api", Files: []string{"api.yaml"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Schemas) != 2*n+1 {
		t.Errorf("%d schemas, want %d", len(d.Schemas), 2*n+1)
	}
	if p := d.Operations[0].Parameters[0]; p.Style != "deepObject" {
		t.Errorf("style %s, want deepObject", p.Style)
	}
}
