package schema

import (
	"maps"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// cycles groups shared schemas that lead to each other without going through a
// property or an item. A validator would walk such a circle for ever on one
// value, and real documents have them: a base lists its kinds by oneOf, and
// each kind extends the base by allOf.
//
// A schema's number is the same as another's if and only if they are on one
// circle; 0 means that it is on none.
type cycles struct {
	all map[string]int // by any composition
	up  map[string]int // by references and allOf alone: extension
	alt map[string]int // by anyOf, oneOf and the like alone: alternatives
}

// edge is one in-place reference of a schema.
type edge struct {
	to  string
	alt bool
}

func findCycles(schemas map[string]*spec.Node) cycles {
	edges := make(map[string][]edge, len(schemas))
	for name, n := range schemas {
		edges[name] = inPlace(n, false, nil)
	}
	names := slices.Sorted(maps.Keys(schemas))
	return cycles{
		all: circles(names, edges, func(edge) bool { return true }),
		up:  circles(names, edges, func(e edge) bool { return !e.alt }),
		alt: circles(names, edges, func(e edge) bool { return e.alt }),
	}
}

// inPlace collects the references that apply to the same value as n.
func inPlace(n *spec.Node, alt bool, edges []edge) []edge {
	if name, ok := strings.CutPrefix(n.Str("$ref"), componentPrefix); ok {
		edges = append(edges, edge{name, alt})
	}
	eachInPlace(n, func(keyword string, sub *spec.Node) {
		edges = inPlace(sub, alt || keyword != "allOf", edges)
	})
	return edges
}

// eachInPlace calls f for each subschema of n that applies to the same value.
func eachInPlace(n *spec.Node, f func(keyword string, sub *spec.Node)) {
	if n == nil || n.Kind != spec.Object {
		return
	}
	for _, m := range n.Members {
		switch m.Name {
		case "allOf", "anyOf", "oneOf":
			for _, sub := range m.Value.Items {
				f(m.Name, sub)
			}
		case "not", "if", "then", "else":
			f(m.Name, m.Value)
		case "dependentSchemas":
			for _, sub := range m.Value.Members {
				f(m.Name, sub.Value)
			}
		}
	}
}

// circles numbers the strongly connected components that have a circle
// (Tarjan's algorithm).
func circles(names []string, edges map[string][]edge, use func(edge) bool) map[string]int {
	var (
		number = map[string]int{}
		index  = map[string]int{}
		low    = map[string]int{}
		onPath = map[string]bool{}
		path   []string
		visit  func(string)
	)
	visit = func(name string) {
		index[name] = len(index) + 1
		low[name] = index[name]
		path = append(path, name)
		onPath[name] = true
		itself := false
		for _, e := range edges[name] {
			if !use(e) {
				continue
			}
			itself = itself || e.to == name
			if index[e.to] == 0 {
				visit(e.to)
				low[name] = min(low[name], low[e.to])
			} else if onPath[e.to] {
				low[name] = min(low[name], index[e.to])
			}
		}
		if low[name] != index[name] {
			return
		}
		from := slices.Index(path, name)
		for _, member := range path[from:] {
			onPath[member] = false
			if itself || len(path)-from > 1 {
				number[member] = index[name]
			}
		}
		path = path[:from]
	}
	for _, name := range names {
		if index[name] == 0 {
			visit(name)
		}
	}
	return number
}

// step says what becomes of an in-place reference from one schema to another.
type step uint8

const (
	follow step = iota
	drop        // it says nothing: a schema extends or offers itself
	base        // the target without the alternatives that lead back
)

// step judges a reference of owner, or of its base form, to another schema.
func (c cycles) step(owner, to string, alt, own bool) step {
	together := func(number map[string]int) bool { return number[owner] != 0 && number[owner] == number[to] }
	switch {
	case !together(c.all):
		return follow
	case alt && (own || together(c.alt)), !alt && together(c.up):
		return drop
	case alt:
		return follow
	}
	return base
}
