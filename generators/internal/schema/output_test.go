package schema

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
)

// clause: E-14, E-15, E-16
func TestEnvelope(t *testing.T) {
	t.Parallel()
	op := &ir.Operation{Tool: "get_it", ID: "getIt", Replies: []ir.Reply{
		{Status: "200", MediaType: "application/json", Schema: node(t, `{"$ref":"#/components/schemas/It"}`)},
		{Status: "201", MediaType: "application/hal+json; charset=utf-8", Schema: node(t, `{"type":"array","items":{"$ref":"#/components/schemas/It"}}`)},
		{Status: "202", MediaType: "text/plain"},
		{Status: "203", MediaType: "application/protobuf"},
		{Status: "204"},
		{Status: "206", MediaType: "text/html"},
		{Status: "409", MediaType: "application/json", Outcome: true, Schema: node(t, `{"$ref":"#/components/schemas/Outcome"}`)},
		{Status: "4XX", MediaType: "application/problem+json", Schema: node(t, `{"$ref":"#/components/schemas/Problem"}`)},
		{Status: "500", MediaType: "application/json", Schema: node(t, `{"type":"object","properties":{"trace":{}}}`)},
		{Status: "default", MediaType: "application/problem+json", Schema: node(t, `{"$ref":"#/components/schemas/Problem"}`)},
	}}
	fill(t, `{
		"It": {"type":"object","properties":{"id":{"type":"string","format":"uuid","default":"x"}},"additionalProperties":false},
		"Outcome": {"oneOf":[{"type":"object","properties":{"version":{"type":"integer"}}},{"type":"null"}]},
		"Problem": {"allOf":[{"properties":{"title":{"type":"string"},"code":{"type":"string","enum":["a","b"]}}}]}
	}`, platform, op)
	want(t, op.Output, `{
		"type": "object", "additionalProperties": false, "required": ["operation_id"],
		"properties": {
			"operation_id": {"const": "getIt"},
			"status": {"type": "integer"},
			"error": {"type":"object","additionalProperties":false,"required":["code","message"],"properties":{
				"code":{"type":"string"},"message":{"type":"string"},"outcome_unknown":{"type":"boolean"}}},
			"result": {"anyOf":[
				{"$ref":"#/$defs/It"}, {"$ref":"#/$defs/Reply201"}, {"type":"string"},
				{"type":"object","additionalProperties":false,"required":["media_type","base64"],"properties":{
					"media_type":{"type":"string"},
					"base64":{"type":"string","contentEncoding":"base64","pattern":"^[A-Za-z0-9+/]*={0,2}$"}}},
				{"$ref":"#/$defs/Outcome"}
			]}
		},
		"$defs": {
			"It": {"type":"object","properties":{"id":{"type":"string"}}},
			"Outcome": {"anyOf":[{"type":"object","properties":{"version":{"type":"integer"}}},{"type":"null"}]},
			"Reply201": {"type":"array","items":{"$ref":"#/$defs/It"}},
			"Reply4XX": {"type":"object","properties":{"code":{"type":"string","enum":["a","b"]}}}
		}
	}`)
	var defs []string
	for _, r := range op.Replies {
		defs = append(defs, r.Def)
	}
	wantDefs := []string{"It", "Reply201", "", "", "", "", "Outcome", "Reply4XX", "", "Reply4XX"}
	if diff := cmp.Diff(wantDefs, defs); diff != "" {
		t.Errorf("defs (-want +got):\n%s", diff)
	}
}

func TestDefaultIsTheResultWhereNoSuccessIsDeclared(t *testing.T) {
	t.Parallel()
	op := &ir.Operation{ID: "x", Replies: []ir.Reply{{Status: "default", MediaType: "application/json"}}}
	fill(t, `{"ReplyDefault":{}}`, platform, op)
	if got, want := op.Replies[0].Def, "ReplyDefault_"; got != want {
		t.Errorf("def %q, want %q", got, want)
	}
	want(t, op.Output.Get("$defs"), `{"ReplyDefault_":{}}`)
}

func TestBareOutput(t *testing.T) {
	t.Parallel()
	desk := &ir.Catalog{Name: "desk", Binding: "handler", Input: "top", Result: "bare"}
	for name, tc := range map[string]struct {
		op   ir.Operation
		want string
	}{
		"an object is the root": {
			ir.Operation{Replies: []ir.Reply{
				{Status: "200", MediaType: "application/json", Schema: node(t, `{"$ref":"#/components/schemas/It"}`)},
				{Status: "409", MediaType: "application/json", Schema: node(t, `{"type":"array"}`)}}},
			`{"type":"object","$ref":"#/$defs/It","$defs":{"It":{"type":"object","properties":{"id":{}}}}}`},
		"another value is wrapped": {
			ir.Operation{Replies: []ir.Reply{{Status: "200", MediaType: "application/json", Schema: node(t, `{"type":"array"}`)}}},
			`{"type":"object","additionalProperties":false,"properties":{"result":{"$ref":"#/$defs/Reply200"}},"required":["result"],
				"$defs":{"Reply200":{"type":"array"}}}`},
		"nothing":   {ir.Operation{Replies: []ir.Reply{{Status: "204"}}}, `none`},
		"a picture": {ir.Operation{Image: true, Replies: []ir.Reply{{Status: "200", MediaType: "image/png"}}}, `none`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fill(t, `{"It":{"type":"object","properties":{"id":{}}}}`, desk, &tc.op)
			if tc.want == "none" {
				if tc.op.Output != nil {
					t.Errorf("output %s, want none", indent(t, tc.op.Output))
				}
				return
			}
			want(t, tc.op.Output, tc.want)
		})
	}
}

func TestClosedEmptyObjectInReplies(t *testing.T) {
	t.Parallel()
	op := withBody(t, `{"type":"object","additionalProperties":false}`)
	fill(t, `{}`, platform, op)
	want(t, op.Output.Get("$defs").Get("Reply200"), `{"type":"object","properties":{}}`)
}
