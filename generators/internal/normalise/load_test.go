package normalise_test

import (
	"testing"
	"testing/fstest"

	"github.com/pharos-mcp/pharos/generators/internal/normalise"
)

// clause: E-09
func TestLoad(t *testing.T) {
	t.Parallel()
	fsys := fstest.MapFS{"api.yaml": {Data: []byte(`
openapi: 3.0.3
info: {title: Pets, version: "1"}
paths:
  /pets/{id}:
    parameters:
    - {name: id, in: path, required: true, schema: {type: integer}}
    get:
      operationId: getPet
      responses:
        200:
          description: ok
          content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}
components:
  schemas:
    Pet: {type: object, properties: {name: {type: string, nullable: true}}}
`)}}
	d, err := normalise.Load(fsys, normalise.Config{Name: "pets", Files: []string{"*.yaml"}})
	if err != nil {
		t.Fatal(err)
	}
	got := string(d.Schemas["Pet"].AppendJSON(nil))
	want := `{"properties":{"name":{"type":["string","null"]}},"type":"object"}`
	if got != want {
		t.Errorf("Pet is %s, want %s", got, want)
	}
	if len(d.Operations) != 1 || d.Operations[0].Key != "GET /pets/{id}" || !d.Operations[0].UniqueID {
		t.Errorf("operations: %+v", d.Operations)
	}
}
