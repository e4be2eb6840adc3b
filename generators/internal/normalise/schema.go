package normalise

import (
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// schema converts one schema of any dialect to JSON Schema 2020-12. References
// become references to shared schemas. The result is shared and immutable once
// Load has returned. Keywords that do not mean anything, or not in this place,
// are left out: an author's slip must not cost the operation.
func (l *loader) schema(n *spec.Node, p place) *spec.Node {
	switch {
	case n == nil:
		return spec.NewObject()
	case n.Kind == spec.Bool:
		return boolean(n)
	case n.Kind != spec.Object:
		out := spec.NewObject()
		out.Pos = n.Pos
		return out
	}
	if p.file.dialect == openapi31 && isText(n.Get("$id")) {
		p.resource = n
	}
	if isTrue(n, "$recursiveAnchor") || isText(n.Get("$dynamicAnchor")) {
		p.recursive = n
	}
	if ref := refOf(n); ref != nil {
		return l.refSchema(n, ref, p)
	}
	return l.keywords(n, p)
}

// shared converts a schema that stands in a component which many operations
// inline, once.
func (l *loader) shared(n *spec.Node, p place) *spec.Node {
	if n == nil {
		return spec.NewObject()
	}
	if out, ok := l.memo[n]; ok {
		return out
	}
	out := l.schema(n, p)
	l.memo[n] = out
	return out
}

// boolean spells the schemas true and false as objects, which every consumer
// understands.
func boolean(n *spec.Node) *spec.Node {
	out := spec.NewObject()
	out.Pos = n.Pos
	if n.Text == "false" {
		out.Set("not", &spec.Node{Kind: spec.Object, Pos: n.Pos})
	}
	return out
}

// refOf returns the value of whichever keyword of n refers to another schema.
func refOf(n *spec.Node) *spec.Node {
	for _, keyword := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		if ref := n.Get(keyword); isText(ref) {
			return ref
		}
	}
	return nil
}

// annotations are the members that say something beside a reference in every
// dialect: strictly 3.0 ignores them there, but their authors mean them.
var annotations = []string{
	"default", "deprecated", "description", "readOnly", "title", "writeOnly", "x-injected",
}

// refSchema converts a schema that has a reference.
func (l *loader) refSchema(n, ref *spec.Node, p place) *spec.Node {
	out := spec.NewObject()
	out.Pos = n.Pos
	target := l.reference(ref, p)
	if p.file.dialect == openapi31 {
		out = l.plain(n, p)
	} else {
		for _, name := range annotations {
			if v := n.Get(name); v != nil {
				l.keyword(out, name, v, p)
			}
		}
	}
	if why, broken := l.broken[target]; broken {
		l.broken[out] = why
		return out
	}
	out.Set("$ref", target.Get("$ref"))
	if nullable(n) {
		return admitNull(out)
	}
	return out
}

// keywords converts all keywords of a schema but its reference.
func (l *loader) keywords(n *spec.Node, p place) *spec.Node {
	out := collapse(l.plain(n, p))
	if nullable(n) {
		out = admitNull(out)
	}
	return out
}

func (l *loader) plain(n *spec.Node, p place) *spec.Node {
	out := spec.NewObject()
	out.Pos = n.Pos
	for _, m := range n.Members {
		l.keyword(out, m.Name, m.Value, p)
	}
	exclusive(out, n, "minimum", "exclusiveMinimum")
	exclusive(out, n, "maximum", "exclusiveMaximum")
	l.tuple(out, n, p)
	l.dependencies(out, n, p)
	settleValues(out)
	return out
}

// nullable reports whether a schema admits null by the keyword of an older
// dialect.
func nullable(n *spec.Node) bool { return isTrue(n, "nullable") || isTrue(n, "x-nullable") }
