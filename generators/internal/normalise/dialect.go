package normalise

import (
	"slices"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// exclusive turns the boolean bound of older drafts into the number that
// 2020-12 has.
func exclusive(out, n *spec.Node, bound, keyword string) {
	b, ok := truth(n.Get(keyword))
	if !ok {
		return
	}
	out.Delete(keyword)
	if limit := out.Get(bound); b && limit != nil {
		out.Set(keyword, limit)
		out.Delete(bound)
	}
}

// tuple converts a list under items to prefixItems, and additionalItems to what
// items means beside it.
func (l *loader) tuple(out, n *spec.Node, p place) {
	list := n.Get("items")
	if list == nil || list.Kind != spec.Array {
		return
	}
	l.schemaList(out, "prefixItems", list, p)
	if rest := n.Get("additionalItems"); rest != nil {
		l.openness(out, "items", rest, p)
	}
}

// dependencies splits the keyword of older drafts into its two successors.
func (l *loader) dependencies(out, n *spec.Node, p place) {
	d := n.Get("dependencies")
	if !isObject(d) {
		return
	}
	required := &spec.Node{Kind: spec.Object, Pos: d.Pos}
	schemas := &spec.Node{Kind: spec.Object, Pos: d.Pos}
	for _, m := range d.Members {
		if m.Value.Kind == spec.Array {
			required.Set(m.Name, nameList(m.Value))
		} else {
			schemas.Set(m.Name, l.schema(m.Value, p))
		}
	}
	if len(required.Members) > 0 && !out.Has("dependentRequired") {
		out.Set("dependentRequired", required)
	}
	if len(schemas.Members) > 0 && !out.Has("dependentSchemas") {
		out.Set("dependentSchemas", schemas)
	}
}

// inPlace are the keywords that apply schemas to the same value.
var inPlace = []string{"$ref", "allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas"}

// admitNull lets a converted schema admit null, where the older dialects say
// so: by its type and enum if these decide, else by a choice around it.
func admitNull(out *spec.Node) *spec.Node {
	if !slices.ContainsFunc(inPlace, out.Has) {
		if out.Has("type") {
			addNullType(out)
		}
		if enum := out.Get("enum"); enum != nil && !hasNull(enum) {
			values := append(slices.Clone(enum.Items), &spec.Node{Pos: enum.Pos})
			out.Set("enum", &spec.Node{Kind: spec.Array, Items: values, Pos: enum.Pos})
		}
		if c := out.Get("const"); c != nil {
			out.Set("enum", &spec.Node{Kind: spec.Array, Items: []*spec.Node{c, {Pos: c.Pos}}, Pos: c.Pos})
			out.Delete("const")
		}
		return out
	}
	outer := &spec.Node{Kind: spec.Object, Pos: out.Pos}
	for _, name := range annotations {
		if v := out.Get(name); v != nil {
			outer.Set(name, v)
			out.Delete(name)
		}
	}
	null := &spec.Node{Kind: spec.Object, Pos: out.Pos}
	null.Set("type", spec.NewString("null"))
	outer.Set("anyOf", &spec.Node{Kind: spec.Array, Items: []*spec.Node{out, null}, Pos: out.Pos})
	return outer
}

// collapse removes the allOf around a single reference that only annotations
// stand beside: how 3.0 documents describe a reference.
func collapse(out *spec.Node) *spec.Node {
	all := out.Get("allOf")
	if all == nil || len(all.Items) != 1 {
		return out
	}
	only := all.Items[0]
	if len(only.Members) != 1 || only.Members[0].Name != "$ref" {
		return out
	}
	for _, m := range out.Members {
		if m.Name != "allOf" && !slices.Contains(annotations, m.Name) {
			return out
		}
	}
	out.Delete("allOf")
	out.Set("$ref", only.Get("$ref"))
	return out
}
