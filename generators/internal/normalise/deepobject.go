package normalise

import (
	"fmt"
	"slices"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// checkDeepObjects refuses what the style deepObject cannot write: objects
// below the first level. Where the value is no object at all, the style is form.
func (l *loader) checkDeepObjects() {
	for _, op := range l.doc.Operations {
		for _, p := range op.Parameters {
			if p.Style != "deepObject" {
				continue
			}
			switch {
			case !l.doc.mayBeObject(p.Schema, map[*spec.Node]bool{}):
				p.Style, p.Explode = "form", true
			case l.doc.nested(p.Schema, map[*spec.Node]bool{}):
				op.refuse(fmt.Sprintf("%s: the parameter %q is a deepObject of more than one level", p.Pos, p.Name))
			}
		}
	}
}

// composition are the keywords that combine schemas of the same value.
var composition = []string{"allOf", "anyOf", "oneOf"}

// mayBeObject reports whether a schema admits objects, as far as types tell. The
// schemas in known are those decided before, or being decided: these count as
// admitting.
func (d *Document) mayBeObject(n *spec.Node, known map[*spec.Node]bool) bool {
	if n == nil || n.Kind != spec.Object {
		return true
	}
	if admits, ok := known[n]; ok {
		return admits
	}
	known[n] = true
	declared := typesOf(n)
	admits := (len(declared) == 0 || slices.Contains(declared, "object")) && d.mayBeObject(d.Resolve(n), known)
	may := func(s *spec.Node) bool { return d.mayBeObject(s, known) }
	for _, keyword := range composition {
		list := items(n.Get(keyword))
		switch {
		case len(list) == 0:
		case keyword == "allOf":
			admits = admits && !slices.ContainsFunc(list, func(s *spec.Node) bool { return !may(s) })
		default:
			admits = admits && slices.ContainsFunc(list, may)
		}
	}
	known[n] = admits
	return admits
}

// nested reports whether the members of an object are declared to be objects, or
// lists of objects or lists.
func (d *Document) nested(n *spec.Node, seen map[*spec.Node]bool) bool {
	if n == nil || n.Kind != spec.Object || seen[n] {
		return false
	}
	seen[n] = true
	members := []*spec.Node{n.Get("additionalProperties")}
	if properties := n.Get("properties"); properties != nil {
		for _, m := range properties.Members {
			members = append(members, m.Value)
		}
	}
	known := map[position]bool{}
	if slices.ContainsFunc(members, func(m *spec.Node) bool { return d.structured(position{m, false}, known) }) {
		return true
	}
	return d.anyPart(n, func(s *spec.Node) bool { return d.nested(s, seen) })
}

// position is a schema of a member, or of the items of one that is a list.
type position struct {
	schema *spec.Node
	inList bool
}

// structured reports whether a schema is declared to be an object, or a list
// where a list has no place: inside another.
func (d *Document) structured(at position, seen map[position]bool) bool {
	n := at.schema
	if n == nil || n.Kind != spec.Object || seen[at] {
		return false
	}
	seen[at] = true
	if n.Has("properties") || slices.Contains(typesOf(n), "object") {
		return true
	}
	if item := n.Get("items"); item != nil && (at.inList || d.structured(position{item, true}, seen)) {
		return true
	}
	return d.anyPart(n, func(s *spec.Node) bool { return d.structured(position{s, at.inList}, seen) })
}

// anyPart reports whether f holds for what n refers to or is composed of.
func (d *Document) anyPart(n *spec.Node, f func(*spec.Node) bool) bool {
	if f(d.Resolve(n)) {
		return true
	}
	for _, keyword := range composition {
		if slices.ContainsFunc(items(n.Get(keyword)), f) {
			return true
		}
	}
	return false
}
