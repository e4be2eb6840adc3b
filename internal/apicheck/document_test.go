package apicheck_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/apicheck"
	"github.com/pharos-mcp/pharos/internal/httpguard"
)

const bundled = `{
  "openapi": "3.1.0",
  "paths": {
    "/items/{id}": {
      "post": {
        "operationId": "makeItem",
        "parameters": [
          {"name": "id", "in": "path", "required": true, "schema": {"$ref": "#/components/schemas/ID"}},
          {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 100}}
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {
          "type": "object", "additionalProperties": false, "required": ["name"],
          "properties": {"name": {"type": "string", "minLength": 2}}
        }}}}
      }
    },
    "/stop/": {"delete": {"operationId": "stop"}}
  },
  "components": {"schemas": {"ID": {"type": "string", "pattern": "^[a-z]+$"}}}
}`

// TestDocument: the requests for operations that are no tools are held against
// the document itself.
func TestDocument(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"shop.openapi.json": {Data: []byte(bundled)}, "broken.json": {Data: []byte(`{"paths":7}`)}}
	c, err := apicheck.Document(files, "shop.openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	many := int64(101)
	for name, step := range map[string]struct {
		operation string
		request   any
		body      string
		want      string // "" passes
	}{
		"all is well":         {"MakeItem", makeItem{"a", params{}, &named{}}, `{"name":"ab"}`, ""},
		"a path parameter":    {"MakeItem", makeItem{"A", params{}, &named{}}, `{"name":"ab"}`, "/path/id: expected a string that matches"},
		"a query parameter":   {"MakeItem", makeItem{"a", params{Limit: &many}, &named{}}, `{"name":"ab"}`, "/parameters/limit: "},
		"a member of it":      {"MakeItem", makeItem{"a", params{}, &named{}}, `{"name":"a"}`, "/body/name: "},
		"an unknown member":   {"MakeItem", makeItem{"a", params{}, &named{}}, `{"name":"ab","nmae":1}`, "/body: "},
		"a member is missing": {"MakeItem", makeItem{"a", params{}, &named{}}, `{}`, `missing "name"`},
		"no body":             {"MakeItem", makeItem{"a", params{}, nil}, ``, `missing "body"`},
		"nothing at all":      {"Stop", stop{}, ``, ""},
	} {
		next := handlerFunc(func(context.Context, http.ResponseWriter, *http.Request, any) (any, error) { return nil, nil })
		door := httpguard.New(httpguard.Options{Body: 1000}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			_, err := apicheck.Middleware[handlerFunc](c)(next, step.operation)(r.Context(), w, r, step.request)
			if step.want == "" && err != nil || step.want != "" && fault.CodeOf(err) != fault.Invalid ||
				err != nil && !strings.Contains(err.Error(), step.want) {
				t.Errorf("%s: error %v, want %q", name, err, step.want)
			}
		}))
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(step.body))
		r.Host = "localhost"
		door.ServeHTTP(httptest.NewRecorder(), r)
	}
	for _, name := range []string{"broken.json", "missing.json"} {
		if _, err := apicheck.Document(files, name); err == nil {
			t.Errorf("%s is a document", name)
		}
	}
}
