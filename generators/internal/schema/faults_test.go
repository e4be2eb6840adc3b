package schema

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/normalise"
)

// loaded is the one operation of a document whose body and reply are schema X.
func loaded(t *testing.T, version, schemas string) *ir.Operation {
	t.Helper()
	text := fmt.Sprintf(`{"openapi":%q,"info":{"title":"t","version":"1"},"components":{"schemas":%s},"paths":{"/x":{"post":{
		"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/X"}}}},
		"responses":{"200":{"description":"d","content":{"application/json":{"schema":{"$ref":"#/components/schemas/X"}}}}}}}}}`,
		version, schemas)
	doc, err := normalise.Load(fstest.MapFS{"x.json": {Data: []byte(text)}}, normalise.Config{Name: "x", Files: []string{"x.json"}})
	if err != nil {
		t.Fatal(err)
	}
	from := doc.Operations[0]
	op := &ir.Operation{
		Tool: "do_it", ID: "doIt",
		Body:    &ir.Body{Form: "json", Required: true, Schema: from.Body.Contents[0].Schema},
		Replies: []ir.Reply{{Status: "200", MediaType: "application/json", Schema: from.Responses[0].Contents[0].Schema}},
	}
	b := New(doc)
	if problems := append(b.Fill(platform, op), b.Prove()...); len(problems) > 0 {
		t.Fatal(problems)
	}
	return op
}

// The faults of comparable generators that begin in the dialects of OpenAPI:
// I10 boolean exclusive bounds, I11 null, I13 doubled entries.
//
// clause: E-09, E-52
func TestDialects(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		version, schemas string
		good, bad        []string
	}{
		"boolean exclusive bound": {"3.0.3", `{"X":{"type":"integer","minimum":0,"exclusiveMinimum":true,"maximum":9}}`,
			[]string{`1`, `9`}, []string{`0`, `10`}},
		"exclusive bound in 3.1": {"3.1.0", `{"X":{"type":"integer","exclusiveMinimum":0}}`, []string{`1`}, []string{`0`}},
		"nullable": {"3.0.3", `{"X":{"properties":{"a":{"type":"string","nullable":true},"b":{"type":"string"}}}}`,
			[]string{`{"a":null}`, `{"a":"x"}`}, []string{`{"a":1}`, `{"b":null}`}},
		"nullable reference": {"3.0.3", `{"X":{"properties":{"a":{"nullable":true,"allOf":[{"$ref":"#/components/schemas/A"}]}}},
				"A":{"type":"object","properties":{"n":{"type":"integer"}}}}`,
			[]string{`{"a":null}`, `{"a":{"n":1}}`}, []string{`{"a":{"n":null}}`, `{"a":{"m":1}}`}},
		"nullable enum": {"3.0.3", `{"X":{"type":"string","nullable":true,"enum":["a","b","a"]}}`,
			[]string{`"a"`, `null`}, []string{`"c"`}},
		"type list": {"3.1.0", `{"X":{"type":["string","null"]}}`, []string{`null`, `"x"`}, []string{`1`}},
		"doubled entries": {"3.0.3", `{"X":{"properties":{"e":{"enum":["a","b","a"]}},"required":["e","e"]}}`,
			[]string{`{"e":"b"}`}, []string{`{}`, `{"e":"c"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			op := loaded(t, tc.version, tc.schemas)
			accepts(t, op, tc.good, tc.bad)
			for _, value := range tc.good {
				if err := check(t, op.Output, `{"operation_id":"doIt","status":200,"result":`+value+`}`); err != nil {
					t.Errorf("reply %s is refused: %#v", value, err)
				}
			}
		})
	}
	op := loaded(t, "3.0.3", `{"X":{"type":"object","properties":{"e":{"type":"string","enum":["a","b","a"]}},"required":["e","e"]}}`)
	want(t, op.Input.Get("$defs"), `{"X":{"type":"object","additionalProperties":false,
		"properties":{"e":{"type":"string","enum":["a","b"]}},"required":["e"]}}`)
}
