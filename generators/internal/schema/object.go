package schema

import (
	"maps"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// plan says how the object that a schema describes is closed (E-10).
type plan struct {
	closed bool // additionalProperties: false here
	root   bool // unevaluatedProperties: false here
	open   bool // the parts of the composition are left open
	// freeBranches says that an alternative that declares nothing admits any
	// member, because nothing beside it declares any.
	freeBranches bool
	// relaxed leaves out an additionalProperties: false that speaks of parts
	// it cannot see; the whole is closed instead.
	relaxed bool
}

// closing decides how a schema closes. Inputs are closed where properties are
// declared and nothing is said about others; a composition is closed as a
// whole if several of its parts declare properties, and otherwise where that
// one part is.
func (s scope) closing(n *spec.Node) plan {
	if s.dir == output {
		return plan{}
	}
	if s.open {
		return plan{open: true, relaxed: true}
	}
	own := n.Get("properties") != nil && len(n.Get("properties").Members) > 0 ||
		n.Get("patternProperties") != nil && len(n.Get("patternProperties").Members) > 0
	parts, anyOf, oneOf := s.declaring(n)
	if own {
		parts++
	}
	switch {
	case own && parts == 1 && anyOf+oneOf == 0:
		return plan{closed: true}
	case parts == 0 && anyOf == 0, parts == 0 && anyOf == 1 && oneOf == 0, parts == 1 && anyOf+oneOf == 0:
		// The one part, or each alternative, closes itself.
		return plan{relaxed: parts+anyOf+oneOf > 0}
	}
	return plan{root: true, open: true, freeBranches: parts == 0, relaxed: true}
}

// declaring counts the parts of a composition that declare properties: what
// applies always, and the alternatives by kind.
func (s scope) declaring(n *spec.Node) (parts, anyOf, oneOf int) {
	if _, target := s.b.target(n); target != nil && s.b.of(target).declares {
		parts++
	}
	eachInPlace(n, func(keyword string, sub *spec.Node) {
		if keyword == "not" || keyword == "if" || !s.b.of(sub).declares {
			return
		}
		switch keyword {
		case "anyOf":
			anyOf++
		case "oneOf":
			oneOf++
		case "allOf":
			parts++
		default: // then, else, dependentSchemas say more of the same object
			parts += 2
		}
	})
	return parts, anyOf, oneOf
}

// close adds what the plan says, unless the document says something itself.
func (p plan) close(out *spec.Node) {
	if out.Has("additionalProperties") || out.Has("unevaluatedProperties") {
		return
	}
	if p.closed {
		declareRequired(out)
		out.Set("additionalProperties", spec.NewBool(false))
	}
	if p.root {
		out.Set("unevaluatedProperties", spec.NewBool(false))
	}
}

// declareRequired declares the members that an object must have and of which
// nothing else is said: a closed object could not have them otherwise.
func declareRequired(out *spec.Node) {
	properties, required := out.Get("properties"), out.Get("required")
	if properties == nil || required == nil {
		return // patterns declare them, or there are none
	}
	for _, name := range names(required) {
		if !properties.Has(name) {
			properties.Set(name, spec.NewObject())
		}
	}
}

// hiddenIn are the properties that a schema and its compositions hide, beside
// those that the composition around does.
func (s scope) hiddenIn(n *spec.Node) map[string]bool {
	hidden := maps.Clone(s.hidden)
	for name, is := range s.b.of(n).hidden[s.dir] {
		if is {
			if hidden == nil {
				hidden = map[string]bool{}
			}
			hidden[name] = true
		}
	}
	return hidden
}

// properties converts the properties that travel in this direction.
func (s scope) properties(out, v *spec.Node) {
	if v.Kind != spec.Object || len(v.Members) == 0 {
		return
	}
	in := s.below()
	if s.files > 0 {
		in.files = s.files - 1
	}
	list := spec.NewObject()
	for _, m := range v.Members {
		switch {
		case s.b.hides(m.Value, s.dir, 0):
		case s.parts[m.Name] != "":
			put(list, m, file(m.Value, s.parts[m.Name]))
		default:
			put(list, m, in.schema(m.Value))
		}
	}
	out.Set("properties", list)
}

// patternProperties converts properties by pattern. One whose pattern cannot
// be carried over leaves the object open to any name.
func (s scope) patternProperties(out, v *spec.Node) {
	list := spec.NewObject()
	lost := false
	for _, m := range v.Members {
		p, ok := portable(m.Name)
		if !ok || p.counted {
			lost = true
			continue
		}
		list.Set(p.text, s.below().schema(m.Value))
	}
	if len(list.Members) > 0 {
		out.Set("patternProperties", list)
	}
	if lost {
		out.Set("additionalProperties", spec.NewBool(true))
	}
}

// required takes over the names that are not hidden, by the composition around
// or by the schema itself.
func (s scope) required(out, n, v *spec.Node) {
	list := spec.NewArray()
	for _, name := range names(v) {
		if !s.hidden[name] && !s.b.hides(n.Get("properties").Get(name), s.dir, 0) {
			list.Items = append(list.Items, spec.NewString(name))
		}
	}
	if v.Kind == spec.Array && len(list.Items) > 0 {
		out.Set("required", list)
	}
}

// additional converts what is said about members that are not declared. In
// replies they are dropped before they could be refused; in a part of a
// composition the whole is closed instead of the part.
func (s scope) additional(out *spec.Node, m spec.Member, plan plan) {
	v := m.Value
	if v.Kind != spec.Object && v.Kind != spec.Bool || out.Has(m.Name) {
		return
	}
	if v.Kind == spec.Bool && v.Text == "false" {
		switch {
		case s.dir == output:
			if !out.Has("properties") {
				out.Set("properties", spec.NewObject()) // declared: none
			}
			return
		case plan.relaxed:
			return
		}
	}
	put(out, m, s.below().schema(v))
}
