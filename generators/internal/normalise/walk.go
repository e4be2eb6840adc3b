package normalise

import (
	"maps"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// walk calls visit for every node at and below n, and for those of the shared
// schemas that it reaches, each once; seen holds those visited. It ends when
// visit returns false.
func (d *Document) walk(n *spec.Node, seen map[*spec.Node]bool, visit func(*spec.Node) bool) {
	stack := []*spec.Node{n}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n == nil || seen[n] {
			continue
		}
		seen[n] = true
		if !visit(n) {
			return
		}
		stack = append(stack, d.Resolve(n))
		stack = append(stack, n.Items...)
		for _, m := range n.Members {
			stack = append(stack, m.Value)
		}
	}
}

// Resolve returns the shared schema that n refers to, or nil if it refers to
// none.
func (d *Document) Resolve(n *spec.Node) *spec.Node {
	name, ok := strings.CutPrefix(n.Str("$ref"), refPrefix)
	if !ok {
		return nil
	}
	return d.Schemas[name]
}

// MemberNames lists the members that a schema declares for an object, those of
// its compositions among them, sorted.
func (d *Document) MemberNames(n *spec.Node) []string {
	names := map[string]bool{}
	var collect func(n *spec.Node)
	seen := map[*spec.Node]bool{}
	collect = func(n *spec.Node) {
		if n == nil || n.Kind != spec.Object || seen[n] {
			return
		}
		seen[n] = true
		if properties := n.Get("properties"); properties != nil {
			for _, m := range properties.Members {
				names[m.Name] = true
			}
		}
		collect(d.Resolve(n))
		for _, keyword := range composition {
			for _, part := range items(n.Get(keyword)) {
				collect(part)
			}
		}
	}
	collect(n)
	return slices.Sorted(maps.Keys(names))
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

// headerSchemas lists the schemas of the headers of an operation's responses.
func (op *Operation) headerSchemas() []*spec.Node {
	var list []*spec.Node
	for _, r := range op.Responses {
		for _, h := range r.Headers {
			list = append(list, h.Schema)
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
		l.plainHeaders(op)
		seen := map[*spec.Node]bool{}
		for _, s := range op.schemas() {
			l.doc.walk(s, seen, func(n *spec.Node) bool {
				why, broken := l.broken[n]
				if broken {
					op.refuse(why)
				}
				return !broken
			})
		}
	}
}
