package normalise_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/generators/internal/normalise"
)

// convert normalises one schema, given as YAML in flow style.
func convert(t *testing.T, version, schema string) string {
	t.Helper()
	member := "openapi: " + version
	section := "components: {schemas: {S: " + schema + ", T: {type: object}, D: {type: string, x-note: 1}}}"
	if version == "2.0" {
		member = `swagger: "2.0"`
		section = "definitions: {S: " + schema + ", T: {type: object}}"
	}
	ref := "#/components/schemas/S"
	response := "content: {application/json: {schema: {$ref: '" + ref + "'}}}"
	if version == "2.0" {
		response = "schema: {$ref: '#/definitions/S'}"
	}
	data := member + "\npaths: {/a: {get: {responses: {200: {description: ok, " + response + "}}}}}\n" + section + "\n"
	d, err := normalise.Load(fstest.MapFS{"api.yaml": {Data: []byte(data)}},
		normalise.Config{Name: "api", Files: []string{"api.yaml"}})
	if err != nil {
		t.Fatal(err)
	}
	checkReferences(t, d)
	if d.Schemas["S"] == nil { // S was nothing but a reference
		return string(d.Operations[0].Responses[0].Contents[0].Schema.AppendJSON(nil))
	}
	return string(d.Schemas["S"].AppendJSON(nil))
}

// clause: E-52
func TestSchema(t *testing.T) {
	t.Parallel()
	const all, v2, v30, v31 = "2.0 3.0.3 3.1.0", "2.0", "3.0.0", "3.1.0"
	tests := []struct{ name, versions, in, want string }{
		{"nullable with a type", v30, "{type: string, nullable: true}", `{"type":["string","null"]}`},
		{"nullable in 3.1", v31, "{type: string, nullable: true}", `{"type":["string","null"]}`},
		{"nullable in 2.0", v2, "{type: string, x-nullable: true}", `{"type":["string","null"]}`},
		{"nullable and enum", v30, "{type: string, nullable: true, enum: [a]}", `{"enum":["a",null],"type":["string","null"]}`},
		{"nullable without a type", v30, "{nullable: true, enum: [a, null]}", `{"enum":["a",null]}`},
		{"nullable and nothing", v30, "{nullable: true}", `{}`},
		{"nullable with a composition", v30, "{nullable: true, description: d, allOf: [{$ref: '#/components/schemas/T'}, {type: object}]}",
			`{"anyOf":[{"allOf":[{"$ref":"#/components/schemas/T"},{"type":"object"}]},{"type":"null"}],"description":"d"}`},
		{"nullable with allOf of one reference", v30, "{nullable: true, allOf: [{$ref: '#/components/schemas/T'}], description: d}",
			`{"anyOf":[{"$ref":"#/components/schemas/T"},{"type":"null"}],"description":"d"}`},
		{"nullable beside a reference", v30, "{nullable: true, $ref: '#/components/schemas/T'}",
			`{"anyOf":[{"$ref":"#/components/schemas/T"},{"type":"null"}]}`},
		{"nullable false", v30, "{type: string, nullable: false}", `{"type":"string"}`},
		{"nullable const", v31, "{const: a, nullable: true}", `{"enum":["a",null]}`},
		{"a list of types", v31, "{type: [string, 'null', string]}", `{"type":["string","null"]}`},
		{"null without quotes", v31, "{type: [string, null]}", `{"type":["string","null"]}`},
		{"only null", v31, "{type: null}", `{"type":"null"}`},
		{"a list of one type", v31, "{type: [string]}", `{"type":"string"}`},
		{"names of types", all, "{type: Int}", `{"type":"integer"}`},
		{"unknown types admit anything", all, "{type: any, minimum: 1}", `{"minimum":1}`},
		{"files", v2, "{type: file}", `{"format":"binary","type":"string"}`},
		{"boolean bounds", v30, "{minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false}", `{"exclusiveMinimum":1,"maximum":9}`},
		{"boolean bounds without a bound", v30, "{exclusiveMinimum: true}", `{}`},
		{"numeric bounds", v31, "{exclusiveMinimum: 1, minimum: 0}", `{"exclusiveMinimum":1,"minimum":0}`},
		{"null among the values", v30, "{type: string, enum: [a, null]}", `{"enum":["a",null],"type":["string","null"]}`},
		{"values twice", all, "{enum: [a, 1, 1.0, a, {b: 1}, {b: 1}]}", `{"enum":["a",1,{"b":1}]}`},
		{"values of the declared type", all, "{type: string, enum: [1, true, a, 1.50]}", `{"enum":["1","true","a","1.50"],"type":"string"}`},
		{"numbers in quotes", all, "{type: integer, enum: ['1', '2'], default: '1', minimum: '1'}",
			`{"default":1,"enum":[1,2],"minimum":1,"type":"integer"}`},
		{"booleans in quotes", all, "{type: boolean, default: 'false', readOnly: 'true'}", `{"default":false,"readOnly":true,"type":"boolean"}`},
		{"no values", all, "{enum: []}", `{}`},
		{"required names twice", all, "{required: [id, id, 7], properties: {id: {}}}", `{"properties":{"id":{}},"required":["id","7"]}`},
		{"required of draft 3", all, "{properties: {a: {type: string, required: true}}}", `{"properties":{"a":{"type":"string"}}}`},
		{"empty lists", all, "{allOf: [], required: [], properties: []}", `{}`},
		{"one schema in place of a list", all, "{anyOf: {type: string}}", `{"anyOf":[{"type":"string"}]}`},
		{"the same schema twice", all, "{oneOf: [{type: string}, {type: string}, {type: integer}]}", `{"oneOf":[{"type":"string"},{"type":"integer"}]}`},
		{"the same reference twice", v30, "{oneOf: [{$ref: '#/components/schemas/T'}, {$ref: '#/components/schemas/T'}, {$ref: '#/components/schemas/D'}]}",
			`{"oneOf":[{"$ref":"#/components/schemas/T"},{"$ref":"#/components/schemas/D"}]}`},
		{"members of a reference in 3.0", v30, "{properties: {a: {$ref: '#/components/schemas/T', description: d, minProperties: 1, readOnly: true}}}",
			`{"properties":{"a":{"$ref":"#/components/schemas/T","description":"d","readOnly":true}}}`},
		{"members of a reference in 3.1", v31, "{properties: {a: {$ref: '#/components/schemas/T', description: d, minProperties: 1}}}",
			`{"properties":{"a":{"$ref":"#/components/schemas/T","description":"d","minProperties":1}}}`},
		{"allOf of one reference", v30, "{properties: {a: {allOf: [{$ref: '#/components/schemas/T'}], description: d}}}",
			`{"properties":{"a":{"$ref":"#/components/schemas/T","description":"d"}}}`},
		{"a component that is a reference", v30, "{$ref: '#/components/schemas/T'}", `{"$ref":"#/components/schemas/T"}`},
		{"properties of any name", v30, "{properties: {$ref: {type: string}, type: {type: string}, example: {type: string}, x-a: {type: string}}}",
			`{"properties":{"$ref":{"type":"string"},"example":{"type":"string"},"type":{"type":"string"},"x-a":{"type":"string"}}}`},
		{"what says nothing is dropped", v31, "{$schema: a, $comment: b, example: 1, examples: [1], xml: {}, externalDocs: {}, x-a: 1, foo: 1, title: t}", `{"title":"t"}`},
		{"injected members stay", v30, "{properties: {a: {type: string, x-injected: true}}}", `{"properties":{"a":{"type":"string","x-injected":true}}}`},
		{"boolean schemas", v31, "{properties: {a: true, b: false}, additionalProperties: false, items: true, unevaluatedProperties: true}",
			`{"additionalProperties":false,"items":{},"properties":{"a":{},"b":{"not":{}}},"unevaluatedProperties":true}`},
		{"tuples of older drafts", v30, "{items: [{type: string}], additionalItems: false}", `{"items":false,"prefixItems":[{"type":"string"}]}`},
		{"dependencies of older drafts", v31, "{dependencies: {a: [b], c: {required: [d]}}}",
			`{"dependentRequired":{"a":["b"]},"dependentSchemas":{"c":{"required":["d"]}}}`},
		{"conditions", v31, "{if: {type: string}, then: {minLength: 1}, else: {minimum: 1}, not: {const: x}}",
			`{"else":{"minimum":1},"if":{"type":"string"},"not":{"const":"x"},"then":{"minLength":1}}`},
		{"discriminator of 2.0", v2, "{discriminator: kind}", `{"discriminator":{"propertyName":"kind"}}`},
		{"discriminator with a mapping", v30, "{discriminator: {propertyName: kind, mapping: {t: T, d: '#/components/schemas/D', none: '#/components/schemas/None', odd: 7}}}",
			`{"discriminator":{"mapping":{"d":"#/components/schemas/D","t":"#/components/schemas/T"},"propertyName":"kind"}}`},
		{"values of the wrong type are dropped", v31,
			"{type: {}, enum: a, properties: x, required: x, items: 7, allOf: 1, minimum: x, minLength: -1, maxLength: 1.5, " +
				"multipleOf: 0, format: [a], pattern: {}, title: null, discriminator: [], additionalProperties: 3, readOnly: 1, " +
				"dependentRequired: []}", `{}`},
		{"a schema of the wrong type", all, "{properties: {a: text, b: null, c: [1]}}", `{"properties":{"a":{},"b":{},"c":{}}}`},
		{"large and exact numbers", all, "{type: integer, maximum: 9223372036854775807, default: 9007199254740993}",
			`{"default":9007199254740993,"maximum":9223372036854775807,"type":"integer"}`},
		{"counts are whole", all, "{minLength: 1.0, maxItems: '3'}", `{"maxItems":3,"minLength":1}`},
	}
	for _, test := range tests {
		for version := range strings.FieldsSeq(test.versions) {
			t.Run(test.name+"/"+version, func(t *testing.T) {
				t.Parallel()
				if diff := cmp.Diff(test.want, convert(t, version, test.in)); diff != "" {
					t.Errorf("want -, got +:\n%s", diff)
				}
			})
		}
	}
}
