package validate

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// projector copies a value without the members that its schemas do not
// declare. The value must have been found valid.
type projector struct {
	*evaluator
	dropped int
}

// value appends what the schemas together declare of a value. An object or
// array of which nothing is dropped is copied as it was written.
func (p *projector) value(dst []byte, v *value, schemas []*jsonschema.Schema) []byte {
	if len(v.members)+len(v.items) == 0 {
		return append(dst, v.raw...)
	}
	shape := p.shape(v, schemas)
	if v.kind == object && shape.free() {
		return append(dst, v.raw...)
	}
	start, before := len(dst), p.dropped
	if v.kind == object {
		dst = p.object(dst, v, shape.parts)
	} else {
		dst = p.array(dst, v, shape.parts)
	}
	if p.dropped == before {
		return append(dst[:start], v.raw...)
	}
	return dst
}

func (p *projector) object(dst []byte, v *value, parts []*jsonschema.Schema) []byte {
	dst = append(dst, '{')
	first := true
	for _, m := range v.members {
		var room [4]*jsonschema.Schema
		schemas := room[:0]
		declared := false
		for _, part := range parts {
			before := len(schemas)
			var described bool
			schemas, described = memberSchemas(schemas, part, m.name)
			refused := len(schemas) == before+1 && schemas[before] == nothing
			declared = declared || described && !refused
		}
		if !declared {
			p.dropped++
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(dst, m.raw...), ':')
		dst = p.value(dst, m.value, schemas)
	}
	return append(dst, '}')
}

func (p *projector) array(dst []byte, v *value, parts []*jsonschema.Schema) []byte {
	dst = append(dst, '[')
	for i, item := range v.items {
		if i > 0 {
			dst = append(dst, ',')
		}
		var schemas []*jsonschema.Schema
		for _, part := range parts {
			if sub := itemSchema(part, i); sub != nil {
				schemas = append(schemas, sub)
			} else if part.UnevaluatedItems != nil {
				schemas = append(schemas, part.UnevaluatedItems)
			}
		}
		dst = p.value(dst, item, schemas)
	}
	return append(dst, ']')
}

// shape is what several schemas together say of the members or items of one
// value.
type shape struct {
	parts []*jsonschema.Schema // those that describe members or items
	// unbound says that an alternative which the value fits describes nothing,
	// and so admits any member where nothing beside it declares some.
	unbound bool
	always  bool // a part outside alternatives declares properties
}

// free reports whether an object may have any member.
func (s shape) free() bool {
	return len(s.parts) == 0 || s.unbound && !s.always
}

// shape gathers the parts of schemas that apply to a value: what applies
// always, and of alternatives those that the value fits.
func (p *projector) shape(v *value, schemas []*jsonschema.Schema) shape {
	g := gathering{projector: p, value: v}
	for _, s := range schemas {
		g.gather(s)
	}
	g.always = len(g.parts) > 0
	for _, s := range g.alternatives {
		if !p.valid(s, v) {
			continue
		}
		inner := p.shape(v, []*jsonschema.Schema{s})
		g.parts = append(g.parts, inner.parts...)
		g.unbound = g.unbound || inner.free()
	}
	return g.shape
}

type gathering struct {
	*projector
	shape
	value        *value
	seen         []*jsonschema.Schema
	alternatives []*jsonschema.Schema
}

func (g *gathering) gather(s *jsonschema.Schema) {
	if s == nil || s.Always != nil || slices.Contains(g.seen, s) {
		return
	}
	g.seen = append(g.seen, s)
	if describes(s, g.value.kind) {
		g.parts = append(g.parts, s)
	}
	for _, sub := range always(s) {
		g.gather(sub)
	}
	if s.If != nil {
		if g.valid(s.If, g.value) {
			g.gather(s.If)
			g.gather(s.Then)
		} else {
			g.gather(s.Else)
		}
	}
	for _, m := range g.value.members {
		g.gather(s.DependentSchemas[m.name])
	}
	g.alternatives = append(append(g.alternatives, s.AnyOf...), s.OneOf...)
}

// describes reports whether a schema itself says something of members or
// items.
func describes(s *jsonschema.Schema, k kind) bool {
	if k == array {
		return len(s.PrefixItems) > 0 || s.Items2020 != nil || s.UnevaluatedItems != nil
	}
	return s.Properties != nil || s.PatternProperties != nil || s.AdditionalProperties != nil
}
