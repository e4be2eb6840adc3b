package schema

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// clause: E-20, E-51
func TestTool(t *testing.T) {
	t.Parallel()
	op := &ir.Operation{
		Tool: "get_it", ID: "getIt", Key: "GET /it", Document: "test", Scope: "it:read", Effect: "read", Method: "GET",
		Title: "Get it", Description: "Gets <it> & more.",
		Parameters: []ir.Parameter{{Key: "n", In: "query", Schema: node(t, `{"enum":[1,"a",null]}`)}},
	}
	fill(t, `{}`, platform, op)
	const want = `{
	"name": "get_it",
	"title": "Get it",
	"description": "Gets <it> & more.",
	"operation": "GET /it",
	"document": "test",
	"scope": "it:read",
	"effect": "read",
	"annotations": {
		"destructiveHint": false,
		"idempotentHint": true,
		"openWorldHint": false,
		"readOnlyHint": true
	},
	"inputSchema": {
		"additionalProperties": false,
		"properties": {
			"parameters": {
				"additionalProperties": false,
				"properties": {
					"n": {
						"enum": [1, "a", null]
					}
				},
				"type": "object"
			}
		},
		"type": "object"
	},
	"outputSchema": {
		"additionalProperties": false,
		"properties": {
			"error": {
				"additionalProperties": false,
				"properties": {
					"code": {
						"type": "string"
					},
					"message": {
						"type": "string"
					},
					"outcome_unknown": {
						"type": "boolean"
					}
				},
				"required": ["code", "message"],
				"type": "object"
			},
			"operation_id": {
				"const": "getIt"
			},
			"status": {
				"type": "integer"
			}
		},
		"required": ["operation_id"],
		"type": "object"
	}
}
`
	got := Tool(platform, op)
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("tool file (-want +got):\n%s", diff)
	}
	if !json.Valid(got) {
		t.Error("the tool file is not JSON")
	}
}

func TestAnnotations(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ method, effect, want string }{
		{"POST", "read", `{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}`},
		{"POST", "write", `{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false}`},
		{"PUT", "write", `{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}`},
		{"DELETE", "delete", `{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":true,"openWorldHint":false}`},
	} {
		want(t, annotations(&ir.Operation{Method: tc.method, Effect: tc.effect}), tc.want)
	}
}

func TestProve(t *testing.T) {
	t.Parallel()
	b := New(document(t, `{"Count":{"type":"integer"}}`))
	op := withBody(t, `{"$ref":"#/components/schemas/Count"}`)
	b.Fill(platform, op)
	b.defs[variant{name: "Count", dir: input}].node.Set("minimum", spec.NewString("zero"))
	problems := b.Prove()
	if len(problems) == 0 || !strings.Contains(problems.Error(),
		"test.json:1:10: schema Count is no valid JSON Schema: /minimum: expected number, but got string") {
		t.Errorf("problems: %v", problems)
	}
}
