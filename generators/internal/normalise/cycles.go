package normalise

import (
	"slices"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

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
			if len(n.Members) == 0 {
				state[n] = done
				return false
			}
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
