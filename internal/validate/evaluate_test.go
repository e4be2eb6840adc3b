package validate

import (
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// keywords are schemas that between them use every keyword.
var keywords = []string{
	`{}`, `true`, `false`,
	`{"type":"integer"}`, `{"type":["number","null"]}`, `{"type":"object"}`,
	`{"const":{"a":[1,2.0]}}`, `{"enum":[1,"a",[null],{"a":true}]}`,
	`{"minimum":1,"maximum":10}`, `{"exclusiveMinimum":1,"exclusiveMaximum":10}`, `{"multipleOf":0.3}`,
	`{"minLength":1,"maxLength":3}`, `{"pattern":"^a"}`,
	`{"minItems":1,"maxItems":2}`, `{"uniqueItems":true}`, `{"prefixItems":[{"type":"string"}],"items":{"type":"number"}}`,
	`{"contains":{"type":"string"}}`, `{"contains":{"type":"string"},"minContains":2,"maxContains":3}`,
	`{"contains":{"type":"string"},"minContains":0}`,
	`{"minProperties":1,"maxProperties":2}`, `{"required":["a","b"]}`, `{"dependentRequired":{"a":["b"]}}`,
	`{"properties":{"a":{"type":"string"}},"additionalProperties":false}`,
	`{"properties":{"a":{}},"patternProperties":{"^b":{"type":"number"}},"additionalProperties":{"type":"null"}}`,
	`{"propertyNames":{"maxLength":1}}`, `{"dependentSchemas":{"a":{"required":["b"]}}}`,
	`{"allOf":[{"properties":{"a":{"type":"string"}}},{"required":["a"]}]}`,
	`{"anyOf":[{"type":"string"},{"minimum":3}]}`, `{"oneOf":[{"type":"number"},{"minimum":3},{"type":"string"}]}`,
	`{"not":{"required":["a"]}}`,
	`{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"maxProperties":1}}`,
	`{"allOf":[{"properties":{"a":{}}},{"anyOf":[{"properties":{"b":{"type":"number"}},"required":["b"]},
		{"properties":{"c":{}}}]}],"unevaluatedProperties":false}`,
	`{"oneOf":[{"properties":{"a":{"const":1}},"required":["a"]},{"patternProperties":{"^b":{}},"required":["b"]}],
		"unevaluatedProperties":{"type":"string"}}`,
	`{"if":{"properties":{"a":{"const":1}},"required":["a"]},"then":{"properties":{"b":{}}},"unevaluatedProperties":false}`,
	`{"dependentSchemas":{"a":{"properties":{"b":{}}}},"properties":{"a":{}},"unevaluatedProperties":false}`,
	`{"allOf":[{"additionalProperties":{"type":"number"}}],"unevaluatedProperties":false}`,
	`{"allOf":[{"properties":{"a":{}},"unevaluatedProperties":{"type":"number"}}],"unevaluatedProperties":false}`,
	`{"prefixItems":[{}],"anyOf":[{"prefixItems":[{},{"type":"string"}]},{"contains":{"type":"null"}}],"unevaluatedItems":false}`,
	`{"properties":{"a":{"$ref":"#"},"b":{"items":{"$ref":"#"}}},"additionalProperties":false}`,
	`{"$ref":"#/$defs/A","properties":{"z":{}},"unevaluatedProperties":false,"$defs":{"A":{"properties":{"a":{"$ref":"#"}}}}}`,
}

var values = []string{
	`null`, `true`, `1`, `1.0`, `3`, `0.9`, `10`, `1e1`, `-0`, `""`, `"a"`, `"aé\u0041𝄞"`, `[]`, `["a"]`, `["a",1]`, `["a","b",null]`,
	`[1,1.0]`, `[[1],[1e0]]`, `[{"a":1,"b":2},{"b":2,"a":1}]`, `{}`, `{"a":"x"}`, `{"a":1}`, `{"a":[1,2]}`, `{"a":1,"b":2}`, `{"b":1,"c":null}`,
	`{"a":1,"b":"x","c":1}`, `{"bb":1,"a":{}}`, `{"z":null}`, `{"a":{"a":{"q":1}}}`, `{"b":[{"a":{}},{"c":1}]}`, `{"a":{"z":1,"a":{}}}`,
}

// FuzzEvaluate holds the evaluator against the validator of the module whose
// compiled schemas it reads.
func FuzzEvaluate(f *testing.F) {
	var compiled []*jsonschema.Schema
	for _, text := range keywords {
		c := jsonschema.NewCompiler()
		c.Draft = jsonschema.Draft2020
		s, err := c.Compile(resource(f, c, text))
		if err != nil {
			f.Fatal(text, err)
		}
		compiled = append(compiled, s)
		for _, value := range values {
			f.Add(len(compiled)-1, value)
		}
	}
	f.Fuzz(func(t *testing.T, i int, text string) {
		if i < 0 || i >= len(compiled) {
			return
		}
		v, err := parse([]byte(text), true)
		if err != nil {
			return
		}
		want := compiled[i].Validate(decode([]byte(text))) == nil
		e := newEvaluator(true)
		if got := e.valid(compiled[i], v); got != want {
			t.Errorf("%s against %s: %v, want %v", text, keywords[i], got, want)
		}
		if err := e.check(compiled[i], v); (err == nil) != want {
			t.Errorf("%s against %s: %v", text, keywords[i], err)
		}
	})
}

func resource(f *testing.F, c *jsonschema.Compiler, text string) string {
	f.Helper()
	if err := c.AddResource("mem:///schema", strings.NewReader(text)); err != nil {
		f.Fatal(err)
	}
	return "mem:///schema"
}
