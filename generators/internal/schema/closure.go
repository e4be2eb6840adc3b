package schema

import (
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// maxDefs bounds the shared schemas that the input or the output of one tool
// takes along, in bytes. In some documents every schema leads to every other,
// and a tool for each operation would hold them all.
const maxDefs = 128 << 10

// leftOut stands for a shared schema beyond the bound. It admits everything
// and declares every member, so nothing is refused or dropped for its sake.
var leftOut = func() *spec.Node {
	n := spec.NewObject()
	n.Set("description", spec.NewString("Anything: this far from the root, the schema is left out for its size."))
	n.Set("additionalProperties", spec.NewBool(true))
	return n
}()

// closure is what refs reach: the defs, nearest first, as many as the bound
// allows, and the names of those left out. What refs name themselves is always
// there.
func (b *Builder) closure(refs []reference) (defs []*def, left map[string]bool) {
	taken := map[variant]bool{}
	total := 0
	var queue []variant
	var take func(v variant)
	take = func(v variant) {
		if taken[v] {
			return
		}
		taken[v] = true
		d := b.def(v)
		defs = append(defs, d)
		total += d.size
		for _, r := range d.refs {
			if r.bound {
				take(r.variant)
			} else {
				queue = append(queue, r.variant)
			}
		}
	}
	for _, r := range refs {
		take(r.variant)
	}
	beyond := map[variant]bool{}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		if total+b.def(v).size > maxDefs && !taken[v] {
			beyond[v] = true
			continue
		}
		take(v)
	}
	left = map[string]bool{}
	for v := range beyond {
		if !taken[v] {
			left[b.def(v).name] = true
		}
	}
	return defs, left
}

// attach puts the defs that a root reaches, and own ones, into its $defs.
func (b *Builder) attach(node *spec.Node, refs []reference, own []spec.Member) {
	shared, left := b.closure(refs)
	defs := spec.NewObject()
	add := func(name string, n *spec.Node) {
		defs.Members = append(defs.Members, spec.Member{Name: name, Value: n, Pos: n.Pos})
	}
	for _, d := range shared {
		add(d.name, d.node)
	}
	for name := range left {
		add(name, leftOut)
	}
	for _, m := range own {
		add(m.Name, m.Value)
	}
	if len(defs.Members) == 0 {
		return
	}
	slices.SortFunc(defs.Members, func(a, b spec.Member) int { return strings.Compare(a.Name, b.Name) })
	node.Set("$defs", defs)
}
