package main

import (
	"encoding/json"
	"strings"
)

// schema is what counts of a JSON Schema for the question whether it says
// anything about a value.
type schema struct {
	Ref        string                     `json:"$ref"`
	Type       any                        `json:"type"`
	Enum       json.RawMessage            `json:"enum"`
	Const      json.RawMessage            `json:"const"`
	Properties map[string]json.RawMessage `json:"properties"`
	Patterns   map[string]json.RawMessage `json:"patternProperties"`
	Prefix     json.RawMessage            `json:"prefixItems"`
	Items      json.RawMessage            `json:"items"`
	Additional json.RawMessage            `json:"additionalProperties"`
	AllOf      []json.RawMessage          `json:"allOf"`
	AnyOf      []json.RawMessage          `json:"anyOf"`
	OneOf      []json.RawMessage          `json:"oneOf"`
}

// deepest bounds the way through references; a schema that goes deeper than
// this refers to itself and says something.
const deepest = 32

// freeForm reports whether a schema admits any value, or any list or object of
// such.
func freeForm(raw json.RawMessage, defs map[string]json.RawMessage, depth int) bool {
	if len(raw) == 0 || string(raw) == "true" || string(raw) == "false" {
		return true
	}
	var s schema
	if depth > deepest || json.Unmarshal(raw, &s) != nil {
		return false
	}
	if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
		return freeForm(defs[name], defs, depth+1)
	}
	if s.Enum != nil || s.Const != nil || len(s.Properties) > 0 || len(s.Patterns) > 0 || s.Prefix != nil ||
		!looseType(s.Type) {
		return false
	}
	inner := []json.RawMessage{s.Items, s.Additional}
	for _, branches := range [][]json.RawMessage{s.AllOf, s.AnyOf, s.OneOf} {
		for _, b := range branches {
			if compact(b) != `{"type":"null"}` {
				inner = append(inner, b)
			}
		}
	}
	for _, i := range inner {
		if !freeForm(i, defs, depth+1) {
			return false
		}
	}
	return true
}

// looseType reports whether a type keyword admits objects or lists, or is not
// there.
func looseType(t any) bool {
	switch t := t.(type) {
	case nil:
		return true
	case string:
		return t == "object" || t == "array"
	case []any:
		for _, one := range t {
			if one == "object" || one == "array" {
				return true
			}
		}
	}
	return false
}

func compact(raw json.RawMessage) string {
	return strings.NewReplacer(" ", "", "\n", "", "\t", "").Replace(string(raw))
}
