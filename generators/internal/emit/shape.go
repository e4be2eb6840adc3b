package emit

import (
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// A shape is a schema as lines of a list that a person reads: one line a
// member, every keyword on it, so that any change of the schema is a change of
// a line. References stay names; what they name stands once on the page.

// member prints one member of an object with what is inside it, indent levels
// deep.
func member(dst []string, indent int, name, note string, schema *spec.Node) []string {
	line := strings.Repeat("  ", indent) + "- " + name
	if text := summary(schema); text != "" {
		line += " " + text
	}
	line += note
	if d := description(schema); d != "" {
		line += ": " + d
	}
	return inside(append(dst, line), indent+1, schema)
}

// description is a schema's own words, on one line.
func description(schema *spec.Node) string {
	words := strings.Fields(strings.TrimSpace(schema.Str("title") + " " + schema.Str("description")))
	return text(strings.Join(words, " "))
}

// summary is a schema without its members, in one line.
func summary(schema *spec.Node) string {
	if schema == nil || schema.Kind != spec.Object {
		return truth(schema)
	}
	var words []string
	if ref := schema.Str("$ref"); ref != "" {
		words = append(words, reference(ref))
	}
	if kind := kindOf(schema); kind != "" {
		words = append(words, kind)
	}
	for _, m := range schema.Members {
		if printed[m.Name] {
			continue
		}
		words = append(words, code(m.Name+" "+string(m.Value.AppendJSON(nil))))
	}
	return strings.Join(words, ", ")
}

// printed are the keywords that have a place of their own in a shape.
var printed = map[string]bool{
	"$ref": true, "$defs": true, "$schema": true, "type": true, "title": true, "description": true,
	"properties": true, "required": true, "items": true, "additionalProperties": true,
	"unevaluatedProperties": true, "patternProperties": true, "anyOf": true, "oneOf": true, "allOf": true,
	"not": true, "if": true, "then": true, "else": true, "prefixItems": true, "contains": true,
	"propertyNames": true, "dependentSchemas": true,
}

// kindOf names the type: "string or null", "list of Ticket", "closed object".
func kindOf(schema *spec.Node) string {
	var kinds []string
	switch t := schema.Get("type"); {
	case t == nil:
	case t.Kind == spec.Array:
		for _, item := range t.Items {
			kinds = append(kinds, item.Text)
		}
	default:
		kinds = []string{t.Text}
	}
	for i, kind := range kinds {
		switch {
		case kind == "array" && schema.Has("items") && plain(schema.Get("items")):
			kinds[i] = "list of " + summary(schema.Get("items"))
		case kind == "array":
			kinds[i] = "list"
		case kind == "object" && closed(schema):
			kinds[i] = "closed object"
		case kind == "object" && plain(schema.Get("additionalProperties")):
			if of := summary(schema.Get("additionalProperties")); of != "" && of != "anything" {
				kinds[i] = "object of " + of
			}
		}
	}
	return strings.Join(kinds, " or ")
}

// closed reports whether an object takes no other members than it declares.
func closed(schema *spec.Node) bool {
	for _, keyword := range []string{"additionalProperties", "unevaluatedProperties"} {
		if v := schema.Get(keyword); v != nil && v.Kind == spec.Bool && v.Text == "false" {
			return true
		}
	}
	return false
}

// truth spells a boolean schema.
func truth(schema *spec.Node) string {
	if schema != nil && schema.Kind == spec.Bool && schema.Text == "false" {
		return "nothing"
	}
	return "anything"
}

// reference is the name that a reference ends in.
func reference(ref string) string {
	return code(ref[strings.LastIndexByte(ref, '/')+1:])
}

// plain reports whether a summary says everything about a schema.
func plain(schema *spec.Node) bool {
	if schema == nil || schema.Kind != spec.Object {
		return schema != nil
	}
	return len(inside(nil, 0, schema)) == 0 && description(schema) == ""
}

// inside prints the schemas that a schema holds.
func inside(dst []string, indent int, schema *spec.Node) []string {
	if schema == nil || schema.Kind != spec.Object {
		return dst
	}
	required := names(schema.Get("required"))
	if properties := schema.Get("properties"); properties != nil {
		for _, m := range properties.Members {
			note := ""
			if required[m.Name] {
				note = ", required"
			}
			delete(required, m.Name)
			dst = member(dst, indent, code(m.Name), note, m.Value)
		}
	}
	for _, name := range keys(required) {
		dst = append(dst, strings.Repeat("  ", indent)+"- "+code(name)+", required")
	}
	for _, group := range []struct{ keyword, label string }{
		{"patternProperties", "names like "}, {"dependentSchemas", "together with "},
	} {
		if v := schema.Get(group.keyword); v != nil {
			for _, m := range v.Members {
				dst = member(dst, indent, group.label+code(m.Name), "", m.Value)
			}
		}
	}
	for _, group := range []struct{ keyword, label string }{
		{"allOf", "and"}, {"anyOf", "or"}, {"oneOf", "or else"}, {"prefixItems", "then"},
	} {
		if v := schema.Get(group.keyword); v != nil {
			for _, item := range v.Items {
				dst = member(dst, indent, group.label, "", item)
			}
		}
	}
	for _, single := range []struct{ keyword, label string }{
		{"items", "each"}, {"additionalProperties", "other members"}, {"unevaluatedProperties", "other members"},
		{"contains", "one at least"}, {"propertyNames", "names"}, {"not", "not"},
		{"if", "if"}, {"then", "then"}, {"else", "else"},
	} {
		if v := schema.Get(single.keyword); v != nil && !told(schema, single.keyword, v) {
			dst = member(dst, indent, single.label, "", v)
		}
	}
	return dst
}

// told reports whether the summary of the schema speaks of this keyword.
func told(schema *spec.Node, keyword string, v *spec.Node) bool {
	kind := kindOf(schema)
	switch keyword {
	case "items":
		return strings.Contains(kind, "list of ") && plain(v)
	case "additionalProperties", "unevaluatedProperties":
		return v.Kind == spec.Bool && (v.Text == "true" || strings.Contains(kind, "closed object")) ||
			keyword == "additionalProperties" && strings.Contains(kind, "object of ") && plain(v)
	default:
		return false
	}
}

// names is a set of the strings of a list.
func names(list *spec.Node) map[string]bool {
	set := map[string]bool{}
	if list != nil {
		for _, item := range list.Items {
			set[item.Text] = true
		}
	}
	return set
}
