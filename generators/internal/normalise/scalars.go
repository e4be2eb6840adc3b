package normalise

import (
	"math/big"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// typeNames maps what documents write as a type to JSON Schema's names.
var typeNames = map[string]string{
	"string": "string", "number": "number", "integer": "integer", "boolean": "boolean", "array": "array",
	"object": "object", "null": "null",
	"int": "integer", "int32": "integer", "int64": "integer", "long": "integer",
	"float": "number", "double": "number", "decimal": "number",
	"bool": "boolean", "date": "string", "datetime": "string", "date-time": "string", "uuid": "string",
	"list": "array", "map": "object", "dict": "object",
}

// types converts the type: one name stays a name, several become a list without
// repetitions. Unknown names admit anything, and file is binary text.
func (l *loader) types(out *spec.Node, name string, v *spec.Node, _ place) {
	var list []*spec.Node
	seen := map[string]bool{}
	for _, item := range typeItems(v) {
		text := strings.ToLower(strings.TrimSpace(item.Text))
		if item.Kind == spec.Null {
			text = "null"
		}
		if text == "file" {
			out.Set("format", &spec.Node{Kind: spec.String, Text: "binary", Pos: item.Pos})
			text = "string"
		}
		known := typeNames[text]
		if known == "" {
			return
		}
		if !seen[known] {
			seen[known] = true
			list = append(list, &spec.Node{Kind: spec.String, Text: known, Pos: item.Pos})
		}
	}
	switch len(list) {
	case 0:
	case 1:
		out.Set(name, list[0])
	default:
		out.Set(name, &spec.Node{Kind: spec.Array, Items: list, Pos: v.Pos})
	}
}

func typeItems(v *spec.Node) []*spec.Node {
	if v.Kind == spec.Null { // type: null, without quotes
		return []*spec.Node{v}
	}
	return items(v)
}

// enum keeps each value once.
func (l *loader) enum(out *spec.Node, name string, v *spec.Node, p place) {
	if v, _, _ = l.deref(v, p); v == nil || v.Kind != spec.Array {
		return
	}
	if list := distinct(v); len(list.Items) > 0 {
		out.Set(name, list)
	}
}

// distinct keeps each value of a list once.
func distinct(v *spec.Node) *spec.Node {
	list := &spec.Node{Kind: spec.Array, Pos: v.Pos}
	seen := map[string]bool{}
	for _, item := range v.Items {
		if id := identity(item); !seen[id] {
			seen[id] = true
			list.Items = append(list.Items, item)
		}
	}
	return list
}

// identity is the same text for values that JSON Schema takes for the same: 1
// and 1.0 are one number.
func identity(v *spec.Node) string {
	if v.Kind == spec.Number {
		if r, ok := new(big.Rat).SetString(v.Text); ok {
			return r.RatString()
		}
	}
	return string(v.AppendJSON(nil))
}

// hasNull reports whether null is among the values of a list.
func hasNull(v *spec.Node) bool {
	return slices.ContainsFunc(v.Items, func(item *spec.Node) bool { return item.Kind == spec.Null })
}

// settleValues makes type and enum, const and default agree: scalars of another
// type than the only one declared are what YAML or a slip made of the author's
// text, and null among the values means that null is admitted.
func settleValues(out *spec.Node) {
	declared := typesOf(out)
	only := ""
	for _, t := range declared {
		switch {
		case t == "null":
		case only != "":
			only = "several"
		default:
			only = t
		}
	}
	if enum := out.Get("enum"); enum != nil {
		values := &spec.Node{Kind: spec.Array, Pos: enum.Pos}
		for _, item := range enum.Items {
			values.Items = append(values.Items, coerce(item, only))
		}
		out.Set("enum", distinct(values))
		if hasNull(enum) && len(declared) > 0 {
			addNullType(out)
		}
	}
	for _, name := range []string{"const", "default"} {
		if v := out.Get(name); v != nil {
			out.Set(name, coerce(v, only))
		}
	}
}

// coerce gives a scalar the declared type, if its text allows that.
func coerce(v *spec.Node, declared string) *spec.Node {
	if v.Kind == spec.Null || v.Kind == spec.Array || v.Kind == spec.Object {
		return v
	}
	switch declared {
	case "string":
		if v.Kind != spec.String {
			return &spec.Node{Kind: spec.String, Text: v.Text, Pos: v.Pos}
		}
	case "integer", "number":
		if v.Kind == spec.String {
			if n := numeric(v); n != nil {
				return n
			}
		}
	case "boolean":
		if b, ok := truth(v); ok && v.Kind == spec.String {
			n := spec.NewBool(b)
			n.Pos = v.Pos
			return n
		}
	}
	return v
}

// typesOf lists the declared types of a converted schema.
func typesOf(n *spec.Node) []string {
	var list []string
	for _, item := range items(n.Get("type")) {
		list = append(list, item.Text)
	}
	return list
}

// addNullType lets a schema with a type admit null.
func addNullType(out *spec.Node) {
	t := out.Get("type")
	list := &spec.Node{Kind: spec.Array, Pos: t.Pos}
	for _, item := range items(t) {
		if item.Text == "null" {
			return
		}
		list.Items = append(list.Items, item)
	}
	list.Items = append(list.Items, spec.NewString("null"))
	out.Set("type", list)
}
