package normalise

import (
	"slices"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// walkSchemas calls visit for every schema node below n, and for those of the
// shared schemas that it reaches, each once. It stops early if visit says so.
func (d *Document) walkSchemas(n *spec.Node, seen map[*spec.Node]bool, visit func(*spec.Node) bool) bool {
	if n == nil || seen[n] {
		return true
	}
	seen[n] = true
	if !visit(n) {
		return false
	}
	if s := d.Resolve(n); s != nil && !d.walkSchemas(s, seen, visit) {
		return false
	}
	for _, item := range n.Items {
		if !d.walkSchemas(item, seen, visit) {
			return false
		}
	}
	for _, m := range n.Members {
		if !d.walkSchemas(m.Value, seen, visit) {
			return false
		}
	}
	return true
}

// Resolve returns the shared schema that n refers to, or nil if it refers to
// none.
func (d *Document) Resolve(n *spec.Node) *spec.Node {
	ref := n.Str("$ref")
	if len(ref) <= len(refPrefix) || ref[:len(refPrefix)] != refPrefix {
		return nil
	}
	return d.Schemas[ref[len(refPrefix):]]
}

// schemas lists the schemas that an operation holds.
func (op *Operation) schemas() []*spec.Node {
	var list []*spec.Node
	for _, p := range op.Parameters {
		list = append(list, p.Schema)
	}
	if op.Body != nil {
		for _, c := range op.Body.Contents {
			list = append(list, c.Schema)
		}
	}
	for _, r := range op.Responses {
		for _, c := range r.Contents {
			list = append(list, c.Schema)
		}
	}
	return list
}

// refuseBroken marks the operations that reach a reference which leads nowhere.
func (l *loader) refuseBroken() {
	if len(l.broken) == 0 {
		return
	}
	for _, op := range l.doc.Operations {
		seen := map[*spec.Node]bool{}
		for _, s := range op.schemas() {
			l.doc.walkSchemas(s, seen, func(n *spec.Node) bool {
				why, broken := l.broken[n]
				if broken {
					op.refuse(why)
				}
				return !broken
			})
		}
	}
}

// cutCycles removes the references by which a schema includes itself in place,
// as in A: {allOf: [A, …]}: they say nothing, and validators do not end on them.
func (l *loader) cutCycles() {
	const (
		open = 1
		done = 2
	)
	state := map[*spec.Node]int{}
	var visit func(n *spec.Node) bool // false: n includes a schema that is open
	visit = func(n *spec.Node) bool {
		if n == nil || n.Kind != spec.Object || state[n] == done {
			return true
		}
		if state[n] == open {
			return false
		}
		state[n] = open
		if !visit(l.doc.Resolve(n)) {
			n.Delete("$ref")
		}
		for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
			list := n.Get(keyword)
			if list == nil {
				continue
			}
			list.Items = slices.DeleteFunc(list.Items, func(s *spec.Node) bool { return !visit(s) })
			if len(list.Items) == 0 {
				n.Delete(keyword)
			}
		}
		for _, keyword := range []string{"not", "if", "then", "else"} {
			if !visit(n.Get(keyword)) {
				n.Delete(keyword)
			}
		}
		if dependent := n.Get("dependentSchemas"); dependent != nil {
			dependent.Members = slices.DeleteFunc(dependent.Members, func(m spec.Member) bool { return !visit(m.Value) })
		}
		state[n] = done
		return true
	}
	for _, name := range sortedKeys(l.doc.Schemas) {
		visit(l.doc.Schemas[name])
	}
}

// checkDeepObjects refuses what the style deepObject cannot write: objects
// below the first level. Where the value is no object at all, the style is form.
func (l *loader) checkDeepObjects() {
	for _, op := range l.doc.Operations {
		for _, p := range op.Parameters {
			if p.Style != "deepObject" {
				continue
			}
			if !l.doc.admits(p.Schema, "object", nil) {
				p.Style, p.Explode = "form", true
				continue
			}
			if l.doc.nested(p.Schema, nil) {
				op.refuse(p.Pos.String() + ": the parameter \"" + p.Name + "\" is a deepObject of more than one level")
			}
		}
	}
}

// admits reports whether a schema may describe a value of that type. Without any
// hint it may.
func (d *Document) admits(n *spec.Node, kind string, seen []*spec.Node) bool {
	if slices.Contains(seen, n) || n.Kind != spec.Object {
		return true
	}
	seen = append(seen, n)
	if s := d.Resolve(n); s != nil && !d.admits(s, kind, seen) {
		return false
	}
	if declared := typesOf(n); len(declared) > 0 && !slices.Contains(declared, kind) {
		return false
	}
	if all := n.Get("allOf"); all != nil {
		for _, s := range all.Items {
			if !d.admits(s, kind, seen) {
				return false
			}
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if list := n.Get(keyword); list != nil &&
			!slices.ContainsFunc(list.Items, func(s *spec.Node) bool { return d.admits(s, kind, seen) }) {
			return false
		}
	}
	return true
}

// nested reports whether the members of an object are declared to be objects, or
// lists of them.
func (d *Document) nested(n *spec.Node, seen []*spec.Node) bool {
	if n == nil || n.Kind != spec.Object || slices.Contains(seen, n) {
		return false
	}
	seen = append(seen, n)
	if d.nested(d.Resolve(n), seen) {
		return true
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for _, s := range items(n.Get(keyword)) {
			if d.nested(s, seen) {
				return true
			}
		}
	}
	members := []*spec.Node{n.Get("additionalProperties")}
	if properties := n.Get("properties"); properties != nil {
		for _, m := range properties.Members {
			members = append(members, m.Value)
		}
	}
	return slices.ContainsFunc(members, func(m *spec.Node) bool { return d.structured(m, nil, true) })
}

// structured reports whether a schema is declared to be an object, or a list of
// objects or lists.
func (d *Document) structured(n *spec.Node, seen []*spec.Node, lists bool) bool {
	if n == nil || n.Kind != spec.Object || slices.Contains(seen, n) {
		return false
	}
	seen = append(seen, n)
	if n.Has("properties") || slices.Contains(typesOf(n), "object") {
		return true
	}
	if item := n.Get("items"); item != nil {
		if !lists || d.structured(item, seen, false) {
			return true
		}
	}
	if d.structured(d.Resolve(n), seen, lists) {
		return true
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for _, s := range items(n.Get(keyword)) {
			if d.structured(s, seen, lists) {
				return true
			}
		}
	}
	return false
}
