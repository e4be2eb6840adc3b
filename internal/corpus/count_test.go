package main

import (
	"encoding/json"
	"testing"
)

func TestErased(t *testing.T) {
	t.Parallel()
	for goType, want := range map[string]bool{
		"json.RawMessage": true, "[]json.RawMessage": true, "map[string]json.RawMessage": true, "any": true,
		"map[string]interface{}": true, "string": false, "[]string": false, "petsapi.PetModel": false,
		"map[string][]any": true, "map[string]int64": false,
	} {
		if got := erased(goType); got != want {
			t.Errorf("erased(%s) = %v, want %v", goType, got, want)
		}
	}
}

func TestFreeForm(t *testing.T) {
	t.Parallel()
	defs := map[string]json.RawMessage{
		"Any":  json.RawMessage(`{"type": "object", "description": "whatever"}`),
		"Loop": json.RawMessage(`{"anyOf": [{"$ref": "#/$defs/Loop"}]}`),
	}
	for text, want := range map[string]bool{
		`true`: true, `{}`: true, `{"type": "object"}`: true, `{"$ref": "#/$defs/Any"}`: true,
		`{"type": ["object", "null"], "additionalProperties": true}`:   true,
		`{"anyOf": [{"$ref": "#/$defs/Any"}, {"type": "null"}]}`:       true,
		`{"type": "array", "items": {}}`:                               true,
		`{"type": "array", "items": {"type": "string"}}`:               false,
		`{"type": "object", "additionalProperties": {"type": "null"}}`: false,
		`{"properties": {"a": {}}}`:                                    false,
		`{"type": "string"}`:                                           false,
		`{"enum": [1]}`:                                                false,
		`{"$ref": "#/$defs/Loop"}`:                                     false,
	} {
		if got := freeForm(json.RawMessage(text), defs, 0); got != want {
			t.Errorf("freeForm(%s) = %v, want %v", text, got, want)
		}
	}
}
