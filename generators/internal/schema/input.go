package schema

import (
	"fmt"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// root is a schema of a tool, for proving.
type root struct {
	op   *ir.Operation
	dir  direction
	node *spec.Node
	own  []spec.Member // its defs that are not shared
}

// Fill sets the input and output schemas of an operation and names the $def of
// each JSON reply. Its problems are inputs that cannot be laid out.
func (b *Builder) Fill(c *ir.Catalog, op *ir.Operation) spec.Problems {
	var refs []reference
	s := scope{b: b, dir: input, refs: &refs}
	var problems spec.Problems
	if c.Input == "top" {
		op.Input, problems = s.topInput(op)
	} else {
		op.Input = s.groupedInput(op)
	}
	b.attach(op.Input, refs, nil)
	b.roots = append(b.roots, root{op, input, op.Input, nil})
	b.output(c, op)
	return problems
}

// group is an object under construction whose members are all known.
type group struct {
	properties *spec.Node
	required   *spec.Node
}

func newGroup() *group { return &group{properties: spec.NewObject(), required: spec.NewArray()} }

// add reports false if a member of that name is there already.
func (g *group) add(name string, schema *spec.Node, required bool) bool {
	if g.properties.Has(name) {
		return false
	}
	g.properties.Set(name, schema)
	if required {
		g.required.Items = append(g.required.Items, spec.NewString(name))
	}
	return true
}

// node is the closed object.
func (g *group) node() *spec.Node {
	n := spec.NewObject()
	n.Set("type", spec.NewString("object"))
	n.Set("additionalProperties", spec.NewBool(false))
	if len(g.properties.Members) > 0 {
		n.Set("properties", g.properties)
	}
	if len(g.required.Items) > 0 {
		n.Set("required", g.required)
	}
	return n
}

// groupedInput lays the arguments out in path, parameters and body (E-10).
func (s scope) groupedInput(op *ir.Operation) *spec.Node {
	path, parameters, all := newGroup(), newGroup(), newGroup()
	for i := range op.Parameters {
		p := &op.Parameters[i]
		switch {
		case p.Dropped || p.Injected:
		case p.In == "path":
			path.add(p.Key, s.parameter(p), true)
		default:
			parameters.add(p.Key, s.parameter(p), p.Required)
		}
	}
	if len(path.properties.Members) > 0 {
		all.add("path", path.node(), true)
	}
	if len(parameters.properties.Members) > 0 {
		all.add("parameters", parameters.node(), len(parameters.required.Items) > 0)
	}
	if op.Body != nil {
		all.add("body", s.body(op.Body), op.Body.Required)
	}
	return all.node()
}

// parameter is the schema of one parameter with its description.
func (s scope) parameter(p *ir.Parameter) *spec.Node {
	n := s.schema(p.Schema)
	if p.Description == "" || n.Has("description") {
		return n
	}
	if n.Kind != spec.Object { // true or false
		n = spec.NewObject()
	}
	n.Set("description", spec.NewString(p.Description))
	return n
}

// body is the schema of a request body by the form its arguments take.
func (s scope) body(body *ir.Body) *spec.Node {
	switch body.Form {
	case "binary":
		return media(body.MediaType)
	case "text":
		n := s.schema(body.Schema)
		if n.Str("type") != "string" {
			n = spec.NewObject()
			n.Set("type", spec.NewString("string"))
		}
		return n
	case "multipart":
		s.files, s.parts = 2, parts(body)
		if _, target := s.b.target(body.Schema); target != nil && len(s.parts) > 0 {
			return s.members(target) // which media types its files have is known of this body alone
		}
		return s.members(body.Schema)
	case "form":
		return s.members(body.Schema)
	}
	return s.schema(body.Schema)
}

// members is the schema of a body that is written member by member, so that
// it is an object even where the document does not say so.
func (s scope) members(body *spec.Node) *spec.Node {
	n := s.schema(body)
	if n.Kind != spec.Object {
		n = spec.NewObject()
	}
	if _, target := s.b.target(body); !n.Has("type") && (target == nil || !target.Has("type")) {
		n.Set("type", spec.NewString("object"))
	}
	return n
}

// topInput lays parameters and the members of the body out side by side.
func (s scope) topInput(op *ir.Operation) (*spec.Node, spec.Problems) {
	all := newGroup()
	var problems spec.Problems
	report := func(format string, args ...any) {
		problems = append(problems, spec.Problem{Pos: op.Pos, Rule: "E-10", Message: fmt.Sprintf(format, args...)})
	}
	for i := range op.Parameters {
		if p := &op.Parameters[i]; !p.Dropped && !p.Injected && !all.add(p.Key, s.parameter(p), p.Required) {
			report("%s has two parameters %q", op.Tool, p.Key)
		}
	}
	if op.Body == nil {
		return all.node(), problems
	}
	f := flat{group: newGroup()}
	if !s.flatten(op.Body.Schema, &f, 0) {
		report("the body of %s is not an object of plain properties, which a top-level input needs", op.Tool)
	}
	for _, m := range f.properties.Members {
		if !all.add(m.Name, m.Value, false) {
			report("%s has both a parameter and a body member %q", op.Tool, m.Name)
		}
	}
	if op.Body.Required {
		all.required.Items = append(all.required.Items, f.required.Items...)
	}
	n := all.node()
	if f.more != nil {
		n.Set("additionalProperties", f.more)
	}
	return n, problems
}

// flat is a body whose members stand at the top level.
type flat struct {
	*group
	more *spec.Node // what other members must be; nil if there are none
}

// flatten gathers the properties of a body through references and allOf. It
// reports false for a body that is more than properties.
func (s scope) flatten(n *spec.Node, f *flat, depth int) bool {
	if n == nil || n.Kind != spec.Object || depth > 20 || !s.b.mayBe(n, "object", 0) {
		return false
	}
	if _, target := s.b.target(n); target != nil && !s.flatten(target, f, depth+1) {
		return false
	}
	ok := true
	eachInPlace(n, func(keyword string, sub *spec.Node) {
		ok = ok && keyword == "allOf" && s.flatten(sub, f, depth+1)
	})
	if !ok {
		return false
	}
	if properties := n.Get("properties"); properties != nil {
		for _, m := range properties.Members {
			if !s.b.hides(m.Value, s.dir, 0) {
				f.properties.Set(m.Name, s.schema(m.Value))
			}
		}
	}
	hidden := s.hiddenIn(n)
	if required := n.Get("required"); required != nil {
		for _, name := range names(required) {
			if !hidden[name] {
				f.required.Items = append(f.required.Items, spec.NewString(name))
			}
		}
	}
	more := n.Get("additionalProperties")
	if more != nil && (more.Kind == spec.Object || more.Text == "true") {
		f.more = s.schema(more)
	} else if more == nil && !s.b.of(n).declares {
		f.more = spec.NewBool(true)
	}
	return true
}
