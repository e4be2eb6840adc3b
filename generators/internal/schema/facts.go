package schema

import (
	"slices"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// facts are what a shared schema says about objects, its compositions
// included.
type facts struct {
	declares bool // some part declares properties
	// properties by name: whether each is hidden in a direction wherever it is
	// declared. A name that one part shows is shown.
	hidden   [2]map[string]bool
	requires map[string]bool
}

// hiding are the annotations that keep a property out of a direction: what is
// read only is no input, what is write only no output, and what the mount
// injects is never the caller's.
var hiding = [2][]string{input: {"readOnly", "x-injected"}, output: {"writeOnly"}}

// of gathers the facts of a schema.
func (b *Builder) of(n *spec.Node) *facts {
	f := &facts{requires: map[string]bool{}}
	for dir := range f.hidden {
		f.hidden[dir] = map[string]bool{}
	}
	if n == nil || n.Kind != spec.Object {
		return f
	}
	if name, target := b.target(n); target != nil {
		f.merge(b.shared(name, target))
	}
	properties := n.Get("properties")
	if properties != nil && len(properties.Members) > 0 {
		f.declares = true
		for _, m := range properties.Members {
			for dir := range f.hidden {
				f.note(direction(dir), m.Name, b.hides(m.Value, direction(dir), 0))
			}
		}
	}
	if patterns := n.Get("patternProperties"); patterns != nil && len(patterns.Members) > 0 {
		f.declares = true
	}
	if required := n.Get("required"); required != nil {
		for _, item := range required.Items {
			f.requires[item.Text] = true
		}
	}
	eachInPlace(n, func(keyword string, sub *spec.Node) {
		if keyword != "not" && keyword != "if" {
			f.merge(b.of(sub))
		}
	})
	return f
}

// shared are the facts of a shared schema. On a circle they are gathered anew
// within each other, and kept only where the circle was entered: what is kept
// is whole, and does not depend on what was asked for first.
func (b *Builder) shared(name string, n *spec.Node) *facts {
	if known := b.facts[name]; known != nil {
		return known
	}
	if slices.Contains(b.gathering, name) {
		return &facts{}
	}
	circle := b.cycles.all[name]
	inside := circle != 0 && slices.ContainsFunc(b.gathering, func(o string) bool { return b.cycles.all[o] == circle })
	b.gathering = append(b.gathering, name)
	f := b.of(n)
	b.gathering = b.gathering[:len(b.gathering)-1]
	if !inside {
		b.facts[name] = f
	}
	return f
}

func (f *facts) note(dir direction, name string, hidden bool) {
	if before, ok := f.hidden[dir][name]; ok {
		hidden = hidden && before
	}
	f.hidden[dir][name] = hidden
}

func (f *facts) merge(o *facts) {
	f.declares = f.declares || o.declares
	for dir := range f.hidden {
		for name, hidden := range o.hidden[dir] {
			f.note(direction(dir), name, hidden)
		}
	}
	for name := range o.requires {
		f.requires[name] = true
	}
}

// hides reports whether a property with that schema is kept out of a
// direction, by itself or by what it refers to.
func (b *Builder) hides(n *spec.Node, dir direction, depth int) bool {
	if depth > 20 {
		return false
	}
	for _, keyword := range hiding[dir] {
		if n.True(keyword) {
			return true
		}
	}
	if _, target := b.target(n); target != nil && b.hides(target, dir, depth+1) {
		return true
	}
	if all := n.Get("allOf"); all != nil {
		for _, sub := range all.Items {
			if b.hides(sub, dir, depth+1) {
				return true
			}
		}
	}
	return false
}

// mayBe reports whether a value of that type can satisfy the schema, as far as
// its types and those of what it refers to say.
func (b *Builder) mayBe(n *spec.Node, kind string, depth int) bool {
	if n == nil || n.Kind != spec.Object || depth > 20 {
		return n == nil || n.Kind != spec.Bool || n.Text == "true"
	}
	if t := n.Get("type"); t != nil && !hasType(t, kind) {
		return false
	}
	if _, target := b.target(n); target != nil && !b.mayBe(target, kind, depth+1) {
		return false
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		list := n.Get(keyword)
		if list == nil || len(list.Items) == 0 {
			continue
		}
		some := false
		for _, sub := range list.Items {
			some = some || b.mayBe(sub, kind, depth+1)
		}
		if !some {
			return false
		}
	}
	if all := n.Get("allOf"); all != nil {
		for _, sub := range all.Items {
			if !b.mayBe(sub, kind, depth+1) {
				return false
			}
		}
	}
	return enumAllows(n, kind)
}

// enumAllows reports whether the schema's own enum or const has a value of
// that type.
func enumAllows(n *spec.Node, kind string) bool {
	if c := n.Get("const"); c != nil {
		return typeOf(c) == kind
	}
	enum := n.Get("enum")
	if enum == nil || enum.Kind != spec.Array {
		return true
	}
	for _, item := range enum.Items {
		if typeOf(item) == kind {
			return true
		}
	}
	return false
}

// hasType reports whether a type keyword admits values of a type; integers are
// numbers.
func hasType(t *spec.Node, kind string) bool {
	if t.Kind == spec.Array {
		return slices.ContainsFunc(t.Items, func(item *spec.Node) bool { return hasType(item, kind) })
	}
	return t.Kind == spec.String && (t.Text == kind || t.Text == "integer" && kind == "number")
}

func typeOf(n *spec.Node) string {
	return [...]string{
		spec.Null: "null", spec.Bool: "boolean", spec.Number: "number",
		spec.String: "string", spec.Array: "array", spec.Object: "object",
	}[n.Kind]
}
