package clients

import (
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/normalise"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// suffix ends the name of every model. Nothing else in the file ends in it, so
// models never collide with what is generated for operations.
const suffix = "Model"

// maxDepth bounds how deep inline schemas become types of their own; what is
// deeper is free-form.
const maxDepth = 12

// maxModels bounds how many types one document makes of inline schemas; the
// rest is free-form.
const maxModels = 50_000

// models collects the types of one document: those that its operations reach.
type models struct {
	*reader
	server     bool              // times are typed
	operations []string          // their Go names
	names      namer             // of models
	shared     map[string]string // shared schema → model
	inline     map[*spec.Node]string
	scalars    map[kind]string
	unions     map[string]string // model → the union of it alone
	file       string            // model of a file in a multipart or binary body
	all        map[string]*model
	waiting    []job
	declared   map[string]bool
}

// model is one declared type.
type model struct {
	name   string
	schema *spec.Node // for oapi-codegen
	refs   []string   // models it mentions
	holds  []hold     // models that its value contains
}

// hold is a model that is part of another's value: by a required property, or
// as what an alias stands for (then property is nil).
type hold struct {
	model    string
	property *spec.Node
}

// job is a model that is named and still to be declared.
type job struct {
	name   string
	hint   string // what the names of its parts begin with
	about  string
	node   *spec.Node
	depth  int
	shared bool   // it is a schema of the document with a name
	files  bool   // binary members are files
	only   string // it is a union of this model alone
}

func newModels(doc *normalise.Document, server bool) *models {
	m := &models{
		reader: newReader(doc.Schemas), server: server,
		names: namer{}, shared: map[string]string{}, inline: map[*spec.Node]string{},
		scalars: map[kind]string{}, unions: map[string]string{}, all: map[string]*model{}, declared: map[string]bool{},
	}
	for _, name := range sortedKeys(doc.Schemas) {
		m.shared[name] = m.names.unique(identifier(name, "Schema"), suffix)
	}
	return m
}

// need returns the model of a shared schema and sees to its declaration.
func (m *models) need(schema string) string {
	name := m.shared[schema]
	m.plan(job{name: name, about: "is the schema " + schema + ".", node: m.schemas[schema], shared: true})
	return name
}

func (m *models) plan(j job) {
	if m.declared[j.name] {
		return
	}
	m.declared[j.name] = true
	if j.hint == "" {
		j.hint = strings.TrimSuffix(j.name, suffix)
	}
	m.waiting = append(m.waiting, j)
}

// root returns the model of a body or reply: a shared one if the schema is
// nothing else, else one of its own, named after the hint.
func (m *models) root(n *spec.Node, hint, about string, files bool) string {
	s := m.read(n)
	if s.kind == alias && !(files && m.hasFiles(n)) {
		return m.need(s.target)
	}
	if name := m.inline[n]; name != "" && !files {
		return name
	}
	name := m.names.unique(hint, suffix)
	if !files {
		m.inline[n] = name
	}
	m.plan(job{name: name, about: about, node: n, files: files})
	return name
}

// only returns a model that is a union of nothing but the given one, or of the
// free-form value if that is "".
func (m *models) only(name string) string {
	if m.unions[name] == "" {
		member := name
		if name == "" {
			member = m.names.unique("Value", suffix)
			m.plan(job{name: member, about: "is any JSON value.", node: spec.NewObject()})
		}
		m.unions[name] = m.names.unique(strings.TrimSuffix(member, suffix)+"Reply", suffix)
		m.plan(job{name: m.unions[name], about: "is a reply that keeps its bytes.", node: spec.NewObject(), only: member})
	}
	return m.unions[name]
}

// declare declares every model that is waiting, and those that they need.
func (m *models) declare() {
	for len(m.waiting) > 0 {
		j := m.waiting[0]
		m.waiting = m.waiting[1:]
		d := &model{name: j.name}
		m.all[j.name] = d
		d.schema = m.body(d, j)
		about := j.about
		if text := sentence(j.node.Str("description")); text != "" {
			about += " " + text
		}
		d.schema.Set("description", spec.NewString(comment(j.name, about)))
	}
	m.breakCycles()
}

// body is the schema of a declared model.
func (m *models) body(d *model, j job) *spec.Node {
	if j.only != "" {
		d.refs = append(d.refs, j.only)
		out := spec.NewObject()
		out.Set("oneOf", spec.NewArray(refTo(j.only)))
		return out
	}
	s := m.read(j.node)
	if s.kind == alias && j.files && m.hasFiles(j.node) {
		s = m.follow(j.node)
	}
	switch s.kind {
	case record:
		return m.record(d, j, s)
	case choice:
		return m.union(d, j, s)
	case alias:
		if m.follow(j.node).kind == free {
			return freeSchema()
		}
		target := m.need(s.target)
		d.refs = append(d.refs, target)
		d.holds = append(d.holds, hold{model: target})
		return wrapped(refTo(target))
	default:
		return m.simple(d, j, j.node, s)
	}
}

// typed is the schema of a value that stands inside a model: primitive types,
// arrays and maps in place, everything else by reference.
func (m *models) typed(d *model, j job, n *spec.Node, hint string) *spec.Node {
	s := m.read(n)
	switch s.kind {
	case alias:
		name := m.need(s.target)
		d.refs = append(d.refs, name)
		return refTo(name)
	case record, choice:
		if name := m.inline[n]; name != "" {
			d.refs = append(d.refs, name)
			return refTo(name)
		}
		if j.depth >= maxDepth || len(m.declared) >= maxModels {
			return freeSchema()
		}
		name := m.names.unique(cut(hint), suffix)
		m.inline[n] = name
		m.plan(job{
			name: name, hint: hint, about: "is a part of " + d.name + ".", node: n, depth: j.depth + 1,
		})
		d.refs = append(d.refs, name)
		return refTo(name)
	default:
		return m.simple(d, job{depth: j.depth + 1, hint: hint}, n, s)
	}
}

// simple is the schema of a shape that needs no type of its own.
func (m *models) simple(d *model, j job, n *spec.Node, s *shape) *spec.Node {
	if j.depth > 2*maxDepth {
		return freeSchema()
	}
	switch s.kind {
	case text:
		out := bare("string")
		if m.server && n.Str("format") == "date-time" {
			out.Set("format", spec.NewString("date-time"))
		} else {
			m.enum(out, j)
		}
		return out
	case integer, number, boolean:
		return bare(scalars[s.kind].schema)
	case list:
		out := bare("array")
		out.Set("items", m.element(d, j, s.items, j.hint+"Item"))
		return out
	case table:
		out := bare("object")
		out.Set("additionalProperties", m.element(d, j, s.values, j.hint+"Value"))
		return out
	default:
		return freeSchema()
	}
}

// element is the schema of the elements of a list or map.
func (m *models) element(d *model, j job, n *spec.Node, hint string) *spec.Node {
	if n == nil {
		return freeSchema()
	}
	out := m.typed(d, j, n, hint)
	if m.follow(n).null && !out.Has("x-go-type") {
		out = wrapped(out)
		out.Set("nullable", spec.NewBool(true))
	}
	return out
}

func cut(name string) string {
	if runes := []rune(name); len(runes) > maxName {
		return string(runes[:maxName])
	}
	return name
}
