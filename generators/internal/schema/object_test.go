package schema

import (
	"testing"
)

// clause: E-10
func TestObjectsAreClosed(t *testing.T) {
	t.Parallel()
	const schemas = `{
		"A": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
		"B": {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]},
		"Free": {"type": "object"},
		"Strict": {"type": "object", "properties": {"s": {}}, "additionalProperties": false}
	}`
	for name, tc := range map[string]struct {
		schema    string
		good, bad []string
	}{
		"plain":     {`{"type":"object","properties":{"a":{}}}`, []string{`{"a":1}`, `{}`}, []string{`{"b":1}`}},
		"free form": {`{"type":"object"}`, []string{`{"b":1}`}, []string{`[]`}},
		"no properties declared": {
			`{"type":"object","properties":{}}`, []string{`{"b":1}`}, []string{`1`}},
		"none allowed": {
			`{"type":"object","additionalProperties":false}`, []string{`{}`}, []string{`{"b":1}`}},
		"map": {
			`{"type":"object","properties":{"a":{}},"additionalProperties":{"type":"integer"}}`,
			[]string{`{"b":1}`}, []string{`{"b":"x"}`}},
		"nested": {
			`{"properties":{"x":{"type":"object","properties":{"a":{}}}}}`,
			[]string{`{"x":{"a":1}}`}, []string{`{"x":{"b":1}}`, `{"y":1}`}},
		"items": {
			`{"type":"array","items":{"$ref":"#/components/schemas/A"}}`,
			[]string{`[{"a":"x"}]`}, []string{`[{"a":"x","z":1}]`}},
		"reference": {
			`{"$ref":"#/components/schemas/A"}`, []string{`{"a":"x"}`}, []string{`{"a":"x","z":1}`, `{}`}},
		"reference with more": {
			`{"$ref":"#/components/schemas/A","properties":{"c":{}}}`,
			[]string{`{"a":"x","c":1}`}, []string{`{"a":"x","z":1}`, `{"c":1}`}},
		"allOf of one": {
			`{"allOf":[{"$ref":"#/components/schemas/A"}],"description":"One."}`,
			[]string{`{"a":"x"}`}, []string{`{"a":"x","z":1}`}},
		"allOf": {
			`{"allOf":[{"$ref":"#/components/schemas/A"},{"$ref":"#/components/schemas/B"}]}`,
			[]string{`{"a":"x","b":"y"}`}, []string{`{"a":"x","b":"y","z":1}`, `{"a":"x"}`, `{"b":"x"}`}},
		"allOf of a strict part": {
			`{"allOf":[{"$ref":"#/components/schemas/Strict"},{"properties":{"c":{}}}]}`,
			[]string{`{"s":1,"c":1}`}, []string{`{"z":1}`}},
		"allOf with a condition": {
			`{"allOf":[{"$ref":"#/components/schemas/A"},{"properties":{"c":{}}},
				{"anyOf":[{"required":["a"]},{"required":["c"]}]}]}`,
			[]string{`{"a":"x"}`}, []string{`{"a":"x","z":1}`}},
		"oneOf": {
			`{"oneOf":[{"$ref":"#/components/schemas/A"},{"$ref":"#/components/schemas/B"}]}`,
			[]string{`{"a":"x"}`, `{"b":"x"}`}, []string{`{"a":"x","b":"y"}`, `{"a":"x","z":1}`, `{}`}},
		"oneOf beside properties": {
			`{"properties":{"id":{}},"oneOf":[{"$ref":"#/components/schemas/A"},{"$ref":"#/components/schemas/B"}]}`,
			[]string{`{"id":1,"a":"x"}`}, []string{`{"id":1}`, `{"a":"x","z":1}`}},
		"anyOf": {
			`{"anyOf":[{"$ref":"#/components/schemas/A"},{"$ref":"#/components/schemas/B"}]}`,
			[]string{`{"a":"x"}`, `{"a":"x","b":"y"}`}, []string{`{"a":"x","z":1}`, `{}`}},
		"anyOf with null": {
			`{"anyOf":[{"$ref":"#/components/schemas/A"},{"type":"null"}]}`,
			[]string{`{"a":"x"}`, `null`}, []string{`{"a":"x","z":1}`, `1`}},
		"anyOf with a free form": {
			`{"anyOf":[{"$ref":"#/components/schemas/A"},{"$ref":"#/components/schemas/B"},
				{"$ref":"#/components/schemas/Free"}]}`,
			[]string{`{"z":1}`}, []string{`1`}},
		"conditions on own properties": {
			`{"properties":{"a":{},"b":{}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`,
			[]string{`{"a":1}`}, []string{`{}`, `{"a":1,"z":1}`}},
		"not is left alone": {
			`{"properties":{"a":{}},"not":{"properties":{"a":{"const":1}},"required":["a"]}}`,
			[]string{`{"a":2}`}, []string{`{"a":1}`}},
		"then says more": {
			`{"properties":{"k":{}},"if":{"properties":{"k":{"const":1}}},"then":{"properties":{"x":{}}}}`,
			[]string{`{"k":1,"x":1}`}, []string{`{"k":2,"x":1}`, `{"k":1,"z":1}`}},
		"then alone": {
			`{"if":{"properties":{"k":{"const":1}},"required":["k"]},"then":{"properties":{"x":{}}}}`,
			[]string{`{"k":1,"x":1}`}, []string{`{"k":1,"z":1}`}},
		"pattern of a name that cannot be carried": {
			`{"properties":{"a":{}},"patternProperties":{"^(?!x)":{}}}`, []string{`{"b":1}`}, nil},
		"patterns of names": {
			`{"patternProperties":{"^\\-x":{"type":"integer"}}}`, []string{`{"-x":1}`}, []string{`{"-x":""}`, `{"y":1}`}},
		"a free form within a part": {
			`{"allOf":[{"anyOf":[{"type":"object"},{"properties":{"a":{}},"required":["a"]}]},{"$ref":"#/components/schemas/B"}]}`,
			[]string{`{"b":"x","z":1}`}, []string{`{"z":1}`}},
		"anyOf beside oneOf": {
			`{"anyOf":[{"type":"string"},{"type":"null"}],"oneOf":[{"enum":["a"]},{"enum":["a","b"]},{"type":"null"}]}`,
			[]string{`"a"`, `null`}, []string{`1`, `"c"`}},
		"formats do not tell alternatives apart": {
			`{"oneOf":[{"type":"string","format":"date"},{"type":"string","format":"uuid"},{"type":"integer"}]}`,
			[]string{`"2020-01-01"`, `1`}, []string{`true`}},
		"a discriminator tells alternatives apart": {
			`{"oneOf":[{"properties":{"k":{},"a":{}}},{"properties":{"k":{},"b":{}}}],"discriminator":{"propertyName":"k"}}`,
			[]string{`{"k":"x"}`, `{"k":"x","b":1}`}, []string{`{"a":1,"b":1}`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			op := withBody(t, tc.schema)
			fill(t, schemas, platform, op)
			accepts(t, op, tc.good, tc.bad)
		})
	}
}

func TestVariantsOnlyWhereNeeded(t *testing.T) {
	t.Parallel()
	op := withBody(t, `{"properties":{
		"whole": {"$ref":"#/components/schemas/A"},
		"part": {"allOf":[{"$ref":"#/components/schemas/A"},{"properties":{"c":{"type":"string"}}},
			{"$ref":"#/components/schemas/Text"}]},
		"maybe": {"anyOf":[{"$ref":"#/components/schemas/A"},{"type":"null"}]}
	}}`)
	fill(t, `{"A":{"properties":{"a":{"type":"string"}}},"A_open":{},"Text":{"type":"object"}}`, platform, op)
	want(t, body(op).Get("properties").Get("maybe"), `{"anyOf":[{"$ref":"#/$defs/A"},{"type":"null"}]}`)
	want(t, op.Input.Get("$defs"), `{
		"A": {"properties":{"a":{"type":"string"}},"additionalProperties":false},
		"A_open_": {"properties":{"a":{"type":"string"}}},
		"Text": {"type":"object"}
	}`)
}

// I15: readOnly members are no inputs, writeOnly members no outputs.
//
// clause: E-52
func TestHiddenMembers(t *testing.T) {
	t.Parallel()
	const schemas = `{
		"ID": {"type":"string","readOnly":true},
		"Base": {"type":"object","properties":{"id":{"$ref":"#/components/schemas/ID"},"name":{}},"required":["id","name"]},
		"Named": {"required":["id"]}
	}`
	for name, tc := range map[string]struct {
		schema      string
		in, out     string // a value that must be accepted
		noIn, noOut string // and one that must not
	}{
		"plain": {
			`{"properties":{"id":{"readOnly":true},"pass":{"writeOnly":true}},"required":["id","pass"]}`,
			`{"pass":1}`, `{"id":1}`, `{"id":1,"pass":1}`, `{}`},
		"through a reference": {
			`{"$ref":"#/components/schemas/Base"}`, `{"name":1}`, `{"id":"x","name":1}`, `{"id":"x","name":1}`, `{"name":1}`},
		"required in another part": {
			`{"allOf":[{"$ref":"#/components/schemas/Base"},{"required":["id"]}]}`,
			`{"name":1}`, `{"id":"x","name":1}`, `{"id":"x","name":1}`, `{"name":1}`},
		"required in a shared part": {
			`{"allOf":[{"$ref":"#/components/schemas/Named"},{"$ref":"#/components/schemas/Base"}]}`,
			`{"name":1}`, `{"id":"x","name":1}`, `{"id":"x","name":1}`, `{"name":1}`},
		"shown by another part": {
			`{"allOf":[{"$ref":"#/components/schemas/Base"},{"properties":{"id":{"type":"string"}},"required":["id"]}]}`,
			`{"id":"x","name":1}`, `{"id":"x","name":1}`, `{"name":1}`, `{"name":1}`},
		"in one alternative": {
			`{"oneOf":[{"properties":{"id":{"readOnly":true},"a":{}},"required":["id","a"]},
				{"properties":{"id":{},"b":{}},"required":["id","b"]}]}`,
			`{"a":1}`, `{"id":1,"a":1}`, `{"id":1,"a":1}`, `{"a":1}`},
		"in one alternative by reference": {
			`{"anyOf":[{"allOf":[{"$ref":"#/components/schemas/Base"},{"$ref":"#/components/schemas/Named"}]},
				{"properties":{"id":{"type":"integer"},"b":{}},"required":["id","b"]}]}`,
			`{"name":1}`, `{"id":"x","name":1}`, `{"id":1}`, `{"name":1}`},
		"injected by the mount": {
			`{"properties":{"player":{"x-injected":true},"a":{}},"required":["player","a"]}`,
			`{"a":1}`, `{"a":1,"player":1}`, `{"a":1,"player":1}`, `{"a":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			op := withBody(t, tc.schema)
			fill(t, schemas, platform, op)
			accepts(t, op, []string{tc.in}, []string{tc.noIn})
			reply := func(value string) string { return `{"operation_id":"doIt","status":200,"result":` + value + `}` }
			if err := check(t, op.Output, reply(tc.out)); err != nil {
				t.Errorf("reply %s is refused: %#v", tc.out, err)
			}
			if err := check(t, op.Output, reply(tc.noOut)); err == nil {
				t.Errorf("reply %s is accepted", tc.noOut)
			}
		})
	}
}

// A base that lists its kinds, each of which extends the base, is a circle for
// a validator.
//
// clause: E-50
func TestCompositionsThatLeadBack(t *testing.T) {
	t.Parallel()
	const schemas = `{
		"Pet": {"type":"object","properties":{"kind":{"type":"string"}},"required":["kind"],
			"oneOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}],
			"discriminator":{"propertyName":"kind"}},
		"Cat": {"allOf":[{"$ref":"#/components/schemas/Pet"},{"properties":{"purrs":{"type":"boolean"}},"required":["purrs"]}]},
		"Dog": {"allOf":[{"$ref":"#/components/schemas/Pet"},{"properties":{"barks":{"type":"boolean"}},"required":["barks"]}]},
		"Loop": {"allOf":[{"$ref":"#/components/schemas/Loop"},{"type":"object"}]},
		"Deep": {"allOf":[{"allOf":[{"$ref":"#/components/schemas/Deep"}]},{"type":"object"}]},
		"Self": {"$ref":"#/components/schemas/Self"},
		"Ping": {"anyOf":[{"$ref":"#/components/schemas/Pong"},{"type":"string"}]},
		"Pong": {"anyOf":[{"$ref":"#/components/schemas/Ping"},{"type":"integer"}]}
	}`
	for schema, values := range map[string][2][]string{
		"Pet":  {{`{"kind":"cat","purrs":true}`}, {`{"kind":"cat"}`, `{"kind":"cat","purrs":true,"z":1}`, `{"purrs":true}`}},
		"Cat":  {{`{"kind":"cat","purrs":true}`}, {`{"purrs":true}`, `{"kind":"cat","purrs":true,"barks":true}`}},
		"Loop": {{`{}`}, {`1`}},
		"Deep": {{`{}`}, {`1`}},
		"Self": {{`{}`, `1`}, nil},
		"Ping": {{`"x"`}, {`true`}},
		"Pong": {{`1`}, {`true`}},
	} {
		t.Run(schema, func(t *testing.T) {
			t.Parallel()
			op := withBody(t, `{"$ref":"#/components/schemas/`+schema+`"}`)
			fill(t, schemas, platform, op)
			accepts(t, op, values[0], values[1])
		})
	}
}

// What a schema becomes does not depend on which operation came first.
//
// clause: E-06
func TestOrderOfOperations(t *testing.T) {
	t.Parallel()
	const schemas = `{
		"Base": {"type":"object","oneOf":[{"$ref":"#/components/schemas/One"},{"$ref":"#/components/schemas/Two"}]},
		"One": {"allOf":[{"$ref":"#/components/schemas/Base"},{"properties":{"id":{"type":"string"}}}]},
		"Two": {"allOf":[{"$ref":"#/components/schemas/Base"}],"required":["id"]},
		"More": {"allOf":[{"$ref":"#/components/schemas/Base"},{"properties":{"more":{"type":"string"}}}]}
	}`
	names := []string{"More", "Base", "Two", "One"}
	b := New(document(t, schemas))
	for i := len(names) - 1; i >= 0; i-- {
		ref := `{"$ref":"#/components/schemas/` + names[i] + `"}`
		alone, among := withBody(t, ref), withBody(t, ref)
		fill(t, schemas, platform, alone)
		b.Fill(platform, among)
		want(t, among.Input, string(alone.Input.AppendJSON(nil)))
		want(t, among.Output, string(alone.Output.AppendJSON(nil)))
	}
}
