package clients

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// record is the schema of a struct.
func (m *models) record(d *model, j job, s *shape) *spec.Node {
	fields := namer{}
	if s.open {
		for _, name := range []string{"AdditionalProperties", "MarshalJSON", "UnmarshalJSON"} {
			fields[name] = true
		}
	}
	properties, required := spec.NewObject(), spec.NewArray()
	for _, p := range s.members {
		if !tagged(p.name) {
			continue
		}
		field := fields.unique(identifier(p.name, "Field"), "")
		properties.Set(p.name, m.property(d, j, p, field, s.open))
		if p.required {
			required.Items = append(required.Items, spec.NewString(p.name))
		}
	}
	if len(properties.Members) == 0 {
		return m.simple(d, j, j.node, &shape{kind: table, values: s.values})
	}
	out := bare("object")
	out.Set("properties", properties)
	if len(required.Items) > 0 {
		out.Set("required", required)
	}
	if s.open {
		out.Set("additionalProperties", m.element(d, j, s.values, j.hint+"Value"))
	}
	return out
}

// property is the schema of one field. An optional one is left out when it is
// nil, not when it is empty.
func (m *models) property(d *model, j job, p member, field string, open bool) *spec.Node {
	var out *spec.Node
	if j.files && m.isFile(p.schema) {
		out = m.fileType(p.schema)
	} else {
		out = m.typed(d, j, p.schema, j.hint+field)
	}
	target := reference(out)
	out = wrapped(out)
	out.Set("x-go-name", spec.NewString(field))
	if text := sentence(p.schema.Str("description")); text != "" {
		out.Set("description", spec.NewString(comment(field, "– "+text)))
	}
	null := m.follow(p.schema).null
	if null {
		out.Set("nullable", spec.NewBool(true))
	}
	name := p.name
	if name == "-" {
		name = "-," // "-" alone would hide the field
	}
	if !p.required {
		out.Set("x-omitempty", spec.NewBool(false))
		out.Set("x-omitzero", spec.NewBool(true))
		if open {
			out.Delete("x-go-type-skip-optional-pointer")
		}
		name = strings.TrimSuffix(name, ",") + ",omitzero"
	}
	if p.name == "-" {
		tags := spec.NewObject()
		tags.Set("json", spec.NewString(name))
		out.Set("x-oapi-codegen-extra-tags", tags)
	}
	if target != "" && p.required && !null {
		d.holds = append(d.holds, hold{model: target, property: out})
	}
	return out
}

// tagged reports whether a struct tag can spell the name of a property.
// Members with other names are left out of the struct: they still travel,
// since the bytes of the arguments do.
func tagged(name string) bool {
	if name == "" {
		return false
	}
	for _, r := range name {
		switch {
		case strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r):
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			return false
		}
	}
	return true
}

// union is the schema of a value that is one of several types.
func (m *models) union(d *model, j job, s *shape) *spec.Node {
	options := spec.NewArray()
	seen := map[string]bool{}
	for i, option := range s.options {
		name := m.option(d, j, option, i)
		if !seen[name] {
			seen[name] = true
			d.refs = append(d.refs, name)
			options.Items = append(options.Items, refTo(name))
		}
	}
	out := spec.NewObject()
	out.Set("oneOf", options)
	return out
}

// option is the model of one alternative.
func (m *models) option(d *model, j job, n *spec.Node, i int) string {
	s := m.read(n)
	switch s.kind {
	case alias:
		return m.need(s.target)
	case text, integer, number, boolean:
		return m.scalar(s.kind)
	}
	if name := m.inline[n]; name != "" {
		return name
	}
	hint := j.hint + identifier(n.Str("title"), "Option"+strconv.Itoa(i+1))
	if s.kind == list {
		hint = j.hint + "List"
	}
	name := m.names.unique(cut(hint), suffix)
	m.inline[n] = name
	m.plan(job{name: name, hint: hint, about: "is an alternative of " + d.name + ".", node: n, depth: j.depth + 1})
	return name
}

// scalar is the model of a primitive type, for alternatives.
func (m *models) scalar(k kind) string {
	if name := m.scalars[k]; name != "" {
		return name
	}
	name := m.names.unique(scalars[k].word, suffix)
	m.scalars[k] = name
	m.plan(job{name: name, about: "is a plain alternative of other types.", node: bare(scalars[k].schema)})
	return name
}

// scalars are the primitive types: a word for names, the schema's type and
// Go's.
var scalars = map[kind]struct{ word, schema, goType string }{
	text:    {"Text", "string", "string"},
	integer: {"Integer", "integer", "int64"},
	number:  {"Number", "number", "float64"},
	boolean: {"Boolean", "boolean", "bool"},
}
