package schema

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// I07: the root of an input is an object without composition.
//
// clause: E-10, E-12
func TestGroupedInput(t *testing.T) {
	t.Parallel()
	text := node(t, `{"type":"string"}`)
	op := withBody(t, `{"oneOf":[{"$ref":"#/components/schemas/A"},{"$ref":"#/components/schemas/B"}]}`)
	op.Parameters = []ir.Parameter{
		{Name: "id", Key: "id", In: "path", Required: true, Description: "Which.", Schema: text},
		{Name: "filter[name]", Key: "filter_name", In: "query", Schema: node(t, `{"$ref":"#/components/schemas/A"}`), Description: "By name."},
		{Name: "If-Match", Key: "If-Match", In: "header", Required: true, Schema: text},
		{Name: "X-Api-Key", Key: "X-Api-Key", In: "header", Schema: text, Dropped: true},
		{Name: "player", Key: "player", In: "query", Required: true, Schema: text, Injected: true},
	}
	fill(t, `{"A":{"properties":{"a":{"type":"string"}}},"B":{"properties":{"b":{"type":"string"}}}}`, platform, op)
	want(t, op.Input, `{
		"type": "object", "additionalProperties": false, "required": ["path","parameters","body"],
		"properties": {
			"path": {"type":"object","additionalProperties":false,"required":["id"],
				"properties":{"id":{"type":"string","description":"Which."}}},
			"parameters": {"type":"object","additionalProperties":false,"required":["If-Match"],
				"properties":{"If-Match":{"type":"string"},"filter_name":{"$ref":"#/$defs/A","description":"By name."}}},
			"body": {"oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}]}
		},
		"$defs": {
			"A": {"properties":{"a":{"type":"string"}},"additionalProperties":false},
			"B": {"properties":{"b":{"type":"string"}},"additionalProperties":false}
		}
	}`)
}

func TestInputWithoutArguments(t *testing.T) {
	t.Parallel()
	op := &ir.Operation{Tool: "ping", ID: "ping"}
	fill(t, `{}`, platform, op)
	want(t, op.Input, `{"type":"object","additionalProperties":false}`)
}

// I09: recursion is kept by reference, whatever the depth.
//
// clause: E-50
func TestRecursion(t *testing.T) {
	t.Parallel()
	op := withBody(t, `{"$ref":"#/components/schemas/Comment"}`)
	fill(t, `{"Comment":{"type":"object","properties":{"text":{"type":"string"},
		"replies":{"type":"array","items":{"$ref":"#/components/schemas/Comment"}}}}}`, platform, op)
	deep := func(inner string) string {
		return strings.Repeat(`{"text":"x","replies":[`, 10) + inner + strings.Repeat(`]}`, 10)
	}
	accepts(t, op, []string{deep(`{"text":"y"}`)}, []string{deep(`{"text":1}`), deep(`{"more":1}`)})
}

// I16: what a part of a composition requires stays required. I12: an enum of
// integers stays one.
//
// clause: E-52
func TestValuesSurvive(t *testing.T) {
	t.Parallel()
	op := withBody(t, `{"allOf":[{"$ref":"#/components/schemas/Base"},
		{"type":"object","properties":{"b":{"type":"integer","enum":[0,1,3]}},"required":["b"]}]}`)
	fill(t, `{"Base":{"properties":{"a":{"type":["string","null"]}},"required":["a"]}}`, platform, op)
	accepts(t, op,
		[]string{`{"a":null,"b":3}`, `{"a":"x","b":0}`},
		[]string{`{"a":"x"}`, `{"b":1}`, `{"a":"x","b":2}`, `{"a":"x","b":"1"}`, `{"a":1,"b":1}`, `{"a":"x","b":null}`})
}

// I17: a schema that many operations share is converted once and proved once.
//
// clause: E-50
func TestSharing(t *testing.T) {
	t.Parallel()
	b := New(document(t, `{"A":{"properties":{"b":{"$ref":"#/components/schemas/B"}}},"B":{"type":"string"}}`))
	var nodes []*spec.Node
	for range 3 {
		op := withBody(t, `{"$ref":"#/components/schemas/A"}`)
		b.Fill(platform, op)
		nodes = append(nodes, op.Input.Get("$defs").Get("A"))
	}
	if nodes[0] != nodes[1] || nodes[1] != nodes[2] {
		t.Error("the shared schema was converted more than once")
	}
	if got, want := len(b.defs), 4; got != want { // A and B, each way
		t.Errorf("%d conversions, want %d", got, want)
	}
}

// clause: E-10
func TestRequiredButNotDeclared(t *testing.T) {
	t.Parallel()
	op := withBody(t, `{"type":"object","properties":{"a":{"type":"string"}},"required":["a","name"]}`)
	fill(t, `{}`, platform, op)
	want(t, body(op), `{
		"type":"object","properties":{"a":{"type":"string"},"name":{}},"required":["a","name"],"additionalProperties":false
	}`)
}

// clause: E-15
func TestMediaTypes(t *testing.T) {
	t.Parallel()
	for declared, schema := range map[string]string{
		"": `{"type":"string"}`, "*/*": `{"type":"string"}`, "image/png, application/octet-stream": `{"type":"string"}`,
		"Image/JPEG; q=1":          `{"type":"string","enum":["image/jpeg"]}`,
		"image/png,image/svg+xml":  `{"type":"string","enum":["image/png","image/svg+xml"]}`,
		"image/*, application/pdf": `{"type":"string","pattern":"^(image/.+|application/pdf)$"}`,
	} {
		op := withBody(t, `{"type":"string","format":"binary"}`)
		op.Body.Form, op.Body.MediaType = "binary", declared
		fill(t, `{}`, platform, op)
		want(t, body(op).Get("properties").Get("media_type"), schema)
	}
}

func TestKeywords(t *testing.T) {
	t.Parallel()
	op := withBody(t, `{
		"type": ["string","int"], "format": "uuid", "x-internal": true, "example": "x", "xml": {}, "title": "T",
		"discriminator": {}, "externalDocs": {}, "deprecated": true, "default": "d", "minLength": "3", "maxLength": 5,
		"description": 7, "required": true, "enum": []
	}`)
	fill(t, `{}`, platform, op)
	want(t, body(op), `{"type":"string","format":"uuid","title":"T","deprecated":true,"default":"d","maxLength":5}`)
	want(t, op.Output.Get("$defs").Get("Reply200"), `{"type":"string","title":"T","deprecated":true,"maxLength":5}`)
}

// clause: E-15
func TestBodiesThatAreNotJSON(t *testing.T) {
	t.Parallel()
	const mediaText = `{"type":"object","additionalProperties":false,"required":["media_type","base64"],"properties":{
		"media_type":{"type":"string"},"base64":{"type":"string","contentEncoding":"base64","pattern":"^[A-Za-z0-9+/]*={0,2}$"}}}`
	file := strings.Replace(mediaText, `"properties":{`, `"properties":{"filename":{"type":"string"},`, 1)
	logo := strings.Replace(file, `"media_type":{"type":"string"}`, `"media_type":{"type":"string","enum":["image/png"]}`, 1)
	for name, tc := range map[string]struct {
		form, schema, want string
		encoding           []ir.Encoding
	}{
		"binary":                    {"binary", `{"type":"string","format":"binary"}`, mediaText, nil},
		"form that does not say so": {"form", `{}`, `{"type":"object"}`, nil},
		"multipart of anything":     {"multipart", `true`, `{"type":"object"}`, nil},
		"text":                      {"text", `{"type":"string","maxLength":9}`, `{"type":"string","maxLength":9}`, nil},
		"yaml":                      {"text", `{"type":"object"}`, `{"type":"string"}`, nil},
		"form":                      {"form", `{"properties":{"a":{"type":"string"}}}`, `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`, nil},
		"multipart": {"multipart", `{"properties":{
				"one":{"$ref":"#/components/schemas/File"},
				"many":{"type":"array","items":{"type":"string","format":"binary"}},
				"typed":{"type":"string","contentMediaType":"image/png"},
				"logo":{"type":"string"}, "note":{"type":"string"}, "inline":{"type":"string","contentEncoding":"base64","contentMediaType":"image/png"}
			}}`,
			`{"type":"object","additionalProperties":false,"properties":{
				"one":` + file + `,"many":{"type":"array","items":` + file + `},"typed":` + file + `,"logo":` + logo + `,
				"note":{"type":"string"},"inline":{"type":"string","contentEncoding":"base64","contentMediaType":"image/png"}
			}}`,
			[]ir.Encoding{{Member: "logo", ContentType: "image/png"}, {Member: "note", ContentType: "text/plain"}}},
		"multipart by reference": {"multipart", `{"$ref":"#/components/schemas/Upload"}`, `{"$ref":"#/$defs/Upload_form","type":"object"}`, nil},
		"multipart by reference with types": {"multipart", `{"$ref":"#/components/schemas/Upload"}`,
			`{"type":"object","additionalProperties":false,"properties":{"f":` + logo + `}}`,
			[]ir.Encoding{{Member: "f", ContentType: "image/png"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			op := withBody(t, tc.schema)
			op.Body.Form, op.Body.MediaType, op.Body.Encoding = tc.form, "application/octet-stream", tc.encoding
			fill(t, `{"File":{"type":"string","format":"binary"},"Upload":{"properties":{"f":{"$ref":"#/components/schemas/File"}}}}`, platform, op)
			want(t, body(op), tc.want)
			if name == "multipart by reference" {
				want(t, op.Input.Get("$defs"), `{"Upload_form":{"additionalProperties":false,"properties":{"f":`+file+`}}}`)
			}
		})
	}
}

func TestTopInput(t *testing.T) {
	t.Parallel()
	desk := &ir.Catalog{Name: "desk", Binding: "handler", Input: "top", Result: "bare"}
	parameter := ir.Parameter{Name: "id", Key: "id", In: "path", Required: true, Schema: node(t, `{"type":"string"}`)}
	t.Run("members stand beside parameters", func(t *testing.T) {
		t.Parallel()
		op := withBody(t, `{"allOf":[{"$ref":"#/components/schemas/Base"},{"properties":{"b":{"type":"integer"}},"required":["b"]}]}`)
		op.Parameters = []ir.Parameter{parameter}
		fill(t, `{"Base":{"properties":{"a":{"type":"string"},"who":{"x-injected":true}},"required":["a","who"]}}`, desk, op)
		want(t, op.Input, `{"type":"object","additionalProperties":false,"required":["id","a","b"],
			"properties":{"id":{"type":"string"},"a":{"type":"string"},"b":{"type":"integer"}}}`)
	})
	t.Run("an optional body requires nothing", func(t *testing.T) {
		t.Parallel()
		op := withBody(t, `{"properties":{"a":{}},"required":["a"]}`)
		op.Body.Required = false
		fill(t, `{}`, desk, op)
		want(t, op.Input, `{"type":"object","additionalProperties":false,"properties":{"a":{}}}`)
	})
	t.Run("a free-form body admits any member", func(t *testing.T) {
		t.Parallel()
		op := withBody(t, `{"type":"object"}`)
		fill(t, `{}`, desk, op)
		want(t, op.Input, `{"type":"object","additionalProperties":true}`)
	})
	for name, tc := range map[string][2]string{
		"refuses two members of one name": {`{"properties":{"id":{}}}`, `do_it has both a parameter and a body member "id"`},
		"refuses a body of alternatives": {`{"oneOf":[{"properties":{"a":{}}}]}`,
			"the body of do_it is not an object of plain properties, which a top-level input needs"},
		"refuses a body that is no object": {`{"type":"array"}`,
			"the body of do_it is not an object of plain properties, which a top-level input needs"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			op := withBody(t, tc[0])
			op.Parameters = []ir.Parameter{parameter}
			problems := New(document(t, `{}`)).Fill(desk, op)
			if len(problems) != 1 || problems[0].Message != tc[1] {
				t.Errorf("problems %s", cmp.Diff(tc[1], problems.Error()))
			}
		})
	}
}
