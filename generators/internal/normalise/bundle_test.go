package normalise_test

import (
	"bytes"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/generators/internal/normalise"
)

const bundled = `
openapi: 3.0.3
info: {title: Bundled, version: "2"}
security: [{key: []}]
paths:
  /b/{id}:
    get:
      operationId: getB
      tags: [b]
      parameters: [{name: id, in: path, required: true, description: the id, schema: {type: string}}]
      responses:
        200:
          description: ok
          headers: {X-Left: {description: how many, required: true, schema: {$ref: '#/components/schemas/D'}}, Age: {schema: {type: integer}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/B'}}}
    put:
      x-owner: b
      requestBody: {required: true, content: {application/x-www-form-urlencoded: {schema: {type: object}, encoding: {a: {style: form, explode: false}}}}}
  /a:
    get: {security: [{unused: []}], responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}, unused: {type: http, scheme: bearer}}
  schemas:
    A: {type: string}
    B: {type: object, properties: {c: {$ref: '#/components/schemas/C'}}}
    C: {type: integer, nullable: true}
    D: {type: integer, minimum: 0}
`

// reordered is the same document, written in another order.
const reordered = `{"components": {"schemas": {
  "D": {"minimum": 0, "type": "integer"}, "C": {"nullable": true, "type": "integer"},
  "B": {"properties": {"c": {"$ref": "#/components/schemas/C"}}, "type": "object"},
  "A": {"type": "string"}},
  "securitySchemes": {"unused": {"scheme": "bearer", "type": "http"}, "key": {"name": "X-Key", "in": "header", "type": "apiKey"}}},
  "paths": {
    "/a": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}, "description": "ok"}}, "security": [{"unused": []}]}},
    "/b/{id}": {
      "put": {"requestBody": {"content": {"application/x-www-form-urlencoded": {"encoding": {"a": {"explode": false, "style": "form"}}, "schema": {"type": "object"}}}, "required": true}, "x-owner": "b"},
      "get": {"responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/B"}}}, "description": "ok", "headers": {
        "Age": {"schema": {"type": "integer"}}, "X-Left": {"schema": {"$ref": "#/components/schemas/D"}, "required": true, "description": "how many"}}}},
        "parameters": [{"schema": {"type": "string"}, "description": "the id", "required": true, "in": "path", "name": "id"}], "tags": ["b"], "operationId": "getB"}}},
  "security": [{"key": []}], "info": {"version": "2", "title": "Bundled"}, "openapi": "3.0.3"}`

// clause: E-06, E-07
func TestBundle(t *testing.T) {
	t.Parallel()
	d := loadText(t, "api.yaml", bundled)
	got := d.Bundle(func(op *normalise.Operation) bool { return op.Key != "GET /a" })
	const want = `{
  "components": {
    "schemas": {
      "B": {
        "properties": {
          "c": {
            "$ref": "#/components/schemas/C"
          }
        },
        "type": "object"
      },
      "C": {
        "type": [
          "integer",
          "null"
        ]
      },
      "D": {
        "minimum": 0,
        "type": "integer"
      }
    },
    "securitySchemes": {
      "key": {
        "in": "header",
        "name": "X-Key",
        "type": "apiKey"
      }
    }
  },
  "info": {
    "title": "Bundled",
    "version": "2"
  },
  "openapi": "3.1.0",
  "paths": {
    "/b/{id}": {
      "get": {
        "operationId": "getB",
        "parameters": [
          {
            "description": "the id",
            "explode": false,
            "in": "path",
            "name": "id",
            "required": true,
            "schema": {
              "type": "string"
            },
            "style": "simple"
          }
        ],
        "responses": {
          "200": {
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/B"
                }
              }
            },
            "description": "ok",
            "headers": {
              "Age": {
                "schema": {
                  "type": "integer"
                }
              },
              "X-Left": {
                "description": "how many",
                "required": true,
                "schema": {
                  "$ref": "#/components/schemas/D"
                }
              }
            }
          }
        },
        "tags": [
          "b"
        ]
      },
      "put": {
        "requestBody": {
          "content": {
            "application/x-www-form-urlencoded": {
              "encoding": {
                "a": {
                  "explode": false,
                  "style": "form"
                }
              },
              "schema": {
                "type": "object"
              }
            }
          },
          "required": true
        },
        "x-owner": "b"
      }
    }
  },
  "security": [
    {
      "key": []
    }
  ]
}
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

// clause: E-06
func TestOrderOfSourceIsIrrelevant(t *testing.T) {
	t.Parallel()
	all := func(*normalise.Operation) bool { return true }
	first := loadText(t, "api.yaml", bundled).Bundle(all)
	second := loadText(t, "api.json", reordered).Bundle(all)
	if !bytes.Equal(first, second) {
		t.Errorf("yaml -, json +:\n%s", cmp.Diff(string(first), string(second)))
	}
	// A bundle says the same as what it was made of.
	again := loadText(t, "bundle.json", string(first)).Bundle(all)
	if !bytes.Equal(first, again) {
		t.Errorf("first -, bundle of the bundle +:\n%s", cmp.Diff(string(first), string(again)))
	}
}

func loadText(t *testing.T, file, text string) *normalise.Document {
	t.Helper()
	d, err := normalise.Load(fstest.MapFS{file: {Data: []byte(text)}},
		normalise.Config{Name: "api", Files: []string{file}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}
