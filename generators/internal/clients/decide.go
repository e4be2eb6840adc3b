package clients

import (
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// decide turns gathered keywords into a shape.
func (r *reader) decide(p *parts) *shape {
	types := p.types
	if types == nil {
		types = p.implied()
	}
	switch {
	case len(types) == 0 && len(p.choices) > 0:
		return r.choose(p)
	case len(types) == 0:
		return &shape{null: p.null}
	case len(types) > 1:
		return p.split(types)
	}
	s := &shape{null: p.null}
	switch types[0] {
	case "string":
		s.kind = text
	case "integer":
		s.kind = integer
	case "number":
		s.kind = number
	case "boolean":
		s.kind = boolean
	case "array":
		s.kind = list
		if !p.tuple {
			s.items = p.items
		}
	case "object":
		return r.object(p)
	}
	return s
}

// implied are the types that a schema without a type has by its other keywords.
func (p *parts) implied() []string {
	switch {
	case len(p.members) > 0 || p.open:
		return []string{"object"}
	case p.items != nil || p.tuple:
		return []string{"array"}
	case len(p.values) == 0 || slices.ContainsFunc(p.values, func(k kind) bool { return k != p.values[0] }):
		return nil
	}
	return map[kind][]string{
		text: {"string"}, integer: {"integer"}, number: {"number"}, boolean: {"boolean"},
	}[p.values[0]]
}

// split makes a choice of a schema that declares several types.
func (p *parts) split(types []string) *shape {
	if slices.Equal(types, []string{"integer", "number"}) {
		return &shape{kind: number, null: p.null}
	}
	s := &shape{kind: choice, null: p.null}
	for _, name := range types {
		option := spec.NewObject()
		option.Set("type", spec.NewString(name))
		switch {
		case name == "array" && p.items != nil:
			option.Set("items", p.items)
		case name == "object":
			p.setMembers(option)
		}
		s.options = append(s.options, option)
	}
	return s
}

func (p *parts) setMembers(option *spec.Node) {
	if p.other != nil {
		option.Set("additionalProperties", p.other)
	}
	if len(p.members) == 0 {
		return
	}
	properties, required := spec.NewObject(), spec.NewArray()
	for _, m := range p.sorted() {
		properties.Set(m.name, m.schema)
		if m.required {
			required.Items = append(required.Items, spec.NewString(m.name))
		}
	}
	option.Set("properties", properties)
	option.Set("required", required)
}

func (p *parts) sorted() []member {
	members := make([]member, 0, len(p.members))
	for _, m := range p.members {
		m.required = p.needed[m.name]
		members = append(members, *m)
	}
	slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })
	return members
}

// object makes a record or a table. The members of its alternatives become
// optional members of the record.
func (r *reader) object(p *parts) *shape {
	if len(p.members) == 0 && !p.open && len(p.choices) > 0 {
		if s := r.choose(p); s.kind != free {
			return s
		}
	}
	for _, options := range p.choices {
		for _, option := range options {
			r.addOption(p, option)
		}
	}
	if len(p.members) == 0 {
		return &shape{kind: table, values: p.other, null: p.null}
	}
	return &shape{kind: record, members: p.sorted(), values: p.other, open: p.open, null: p.null}
}

func (r *reader) addOption(p *parts, option *spec.Node) {
	q := newParts()
	r.gather(option, q, map[string]bool{})
	for _, m := range q.sorted() {
		known := p.members[m.name]
		switch {
		case known == nil:
			p.members[m.name] = &member{name: m.name, schema: m.schema}
		case !r.same(known.schema, m.schema):
			known.schema = spec.NewBool(true)
		}
	}
}

// same reports whether two schemas are one type in Go, as far as a glance
// tells.
func (r *reader) same(a, b *spec.Node) bool {
	if a == b || a.Equal(b) {
		return true
	}
	x, y := r.read(a), r.read(b)
	if x.kind != y.kind {
		return false
	}
	return x.kind == alias && x.target == y.target || x.kind >= text && x.kind <= boolean
}

// choose makes a choice out of alternatives: null is taken out, alternatives
// of one Go type count once, and one that admits anything decides for all.
func (r *reader) choose(p *parts) *shape {
	s := &shape{kind: choice, null: p.null}
	for _, options := range p.choices {
		for _, option := range options {
			if !r.addChoice(s, option, 0) {
				return &shape{null: s.null}
			}
		}
	}
	switch len(s.options) {
	case 0:
		return &shape{null: s.null}
	case 1:
		only := *r.read(s.options[0])
		only.null = only.null || s.null
		return &only
	}
	return s
}

// maxNesting bounds how deep alternatives of alternatives are looked into.
const maxNesting = 8

// addChoice adds one alternative and reports whether the choice still means
// anything.
func (r *reader) addChoice(s *shape, option *spec.Node, depth int) bool {
	if isNull(option) {
		s.null = true
		return true
	}
	o := r.read(option)
	s.null = s.null || o.null
	switch {
	case o.kind == free || depth > maxNesting:
		return false
	case o.kind == choice:
		for _, inner := range o.options {
			if !r.addChoice(s, inner, depth+1) {
				return false
			}
		}
		return true
	}
	for _, known := range s.options {
		if r.same(known, option) {
			return true
		}
	}
	s.options = append(s.options, option)
	return true
}

// isNull reports whether a schema admits null and nothing else.
func isNull(n *spec.Node) bool {
	if n == nil || n.Kind != spec.Object {
		return false
	}
	if t := n.Get("type"); t != nil {
		return t.Text == "null" || t.Kind == spec.Array && len(t.Items) == 1 && t.Items[0].Text == "null"
	}
	only := n.Get("enum")
	if only != nil && len(only.Items) == 1 {
		return only.Items[0].Kind == spec.Null
	}
	c := n.Get("const")
	return c != nil && c.Kind == spec.Null
}
