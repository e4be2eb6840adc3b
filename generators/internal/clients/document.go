package clients

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/normalise"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// document is the code-generation document in the making.
type document struct {
	in     Input
	models *models
	exact  string     // Go type of number parameters
	paths  *spec.Node // path → method → operation
}

// build writes the code-generation document of the input, and fills in the
// names and types of its operations.
func build(in Input) *document {
	d := &document{
		in: in, models: newModels(in.Document, in.Server),
		exact: "float64", paths: spec.NewObject(),
	}
	if in.Client && !in.Server {
		d.exact = "json.Number"
	}
	ops := slices.Clone(in.Operations)
	slices.SortFunc(ops, func(a, b *ir.Operation) int { return strings.Compare(a.GoName, b.GoName) })
	for _, op := range ops {
		d.add(op, in.Client)
	}
	if in.Server {
		for _, op := range d.others() {
			d.add(op, false)
		}
	}
	d.models.declare()
	return d
}

// json is the document as bytes.
func (d *document) json() []byte {
	schemas := spec.NewObject()
	for _, name := range sortedKeys(d.models.all) {
		schemas.Members = append(schemas.Members, spec.Member{Name: name, Value: d.models.all[name].schema})
	}
	components := spec.NewObject()
	components.Set("schemas", schemas)
	info := spec.NewObject()
	info.Set("title", spec.NewString(d.in.Package))
	info.Set("version", spec.NewString("1"))
	root := spec.NewObject()
	root.Set("openapi", spec.NewString("3.0.3"))
	root.Set("info", info)
	root.Set("paths", d.paths)
	root.Set("components", components)
	return root.AppendJSON(nil)
}

// add adds an operation: its parameters, its body, its replies and, if it is
// to have one, its builder.
func (d *document) add(op *ir.Operation, builder bool) {
	n := spec.NewObject()
	n.Set("operationId", spec.NewString(op.GoName))
	d.models.operations = append(d.models.operations, op.GoName)
	parameters := d.nameParameters(op)
	d.body(op)
	d.replies(op)
	path := "/" + op.GoName
	list := spec.NewArray()
	params := false
	for i, p := range parameters {
		if p.Dropped && !d.in.Server {
			continue
		}
		name := p.Key
		if p.In == "path" {
			name = "p" + strconv.Itoa(i)
			path += "/{" + name + "}"
		} else if !p.Dropped {
			params = true
		}
		if d.in.Server {
			name = p.Name
		}
		list.Items = append(list.Items, d.parameter(p, name))
	}
	n.Set("parameters", list)
	if d.in.Server {
		path = op.Path
		d.serve(n, op)
	} else {
		n.Set("responses", empty())
		if op.Body != nil {
			n.Set("requestBody", anyBody())
		}
	}
	if builder {
		n.Set("x-request", request(op, params))
	}
	d.place(path, op.Method, n)
}

// request is what the template of builders needs beside the operation itself.
func request(op *ir.Operation, params bool) *spec.Node {
	n := spec.NewObject()
	about := comment("New"+op.GoName+"Request", "builds "+prose(op.Method+" "+op.Path)+".")
	n.Set("comment", spec.NewString(strings.ReplaceAll(about, "\n", "\n// ")))
	n.Set("path", spec.NewString(strconv.Quote(op.Path)))
	n.Set("query", spec.NewString(strconv.Quote(op.Query)))
	n.Set("params", spec.NewBool(params))
	n.Set("body", spec.NewBool(op.Body != nil))
	n.Set("dropped", dropped(op))
	return n
}

// dropped lists the parameters that the manifest drops where the members of an
// exploded object stand beside them: the builder must know their names, so that
// no member passes for one (E-04).
func dropped(op *ir.Operation) *spec.Node {
	list := spec.NewArray()
	for i := range op.Parameters {
		p := &op.Parameters[i]
		place := map[string]string{"query": "Query", "cookie": "Cookie"}[p.In]
		beside := func(o ir.Parameter) bool { return spreads(&o, p.In) }
		if !p.Dropped || place == "" || !slices.ContainsFunc(op.Parameters, beside) {
			continue
		}
		n := spec.NewObject()
		n.Set("place", spec.NewString(place))
		n.Set("wire", spec.NewString(strconv.Quote(p.Name)))
		list.Items = append(list.Items, n)
	}
	return list
}

// spreads reports whether a parameter may hold an object whose members stand in
// the query or among the cookies like parameters.
func spreads(p *ir.Parameter, in string) bool {
	return p.In == in && p.Explode && !p.JSON && !p.Dropped && p.Style != "deepObject" && p.GoType == raw
}

func (d *document) place(path, method string, operation *spec.Node) {
	item := d.paths.Get(path)
	if item == nil {
		item = spec.NewObject()
		d.paths.Set(path, item)
	}
	item.Set(strings.ToLower(method), operation)
}

// empty is the responses object of an operation whose replies are not
// generated.
func empty() *spec.Node {
	reply := spec.NewObject()
	reply.Set("description", spec.NewString(""))
	n := spec.NewObject()
	n.Set("default", reply)
	return n
}

// anyBody is a body of which oapi-codegen only knows that it is there.
func anyBody() *spec.Node {
	content := spec.NewObject()
	content.Set("application/octet-stream", spec.NewObject())
	n := spec.NewObject()
	n.Set("content", content)
	return n
}

// body fills in the type of an operation's body.
func (d *document) body(op *ir.Operation) {
	b := op.Body
	if b == nil {
		return
	}
	b.GoType = ""
	b.Free = b.Form != "binary" && d.models.freeForm(b.Schema)
	switch {
	case b.Raw || b.Free:
	case b.Form == "binary":
		b.GoType = d.models.fileModel()
	default:
		schema := b.Schema
		if b.Form == "text" && d.models.follow(schema).kind != text {
			schema = bare("string") // text of whatever structure is a string
		}
		about := "is the body of " + prose(op.Method+" "+op.Path) + "."
		b.GoType = d.models.root(schema, op.GoName+"Body", about, b.Form == "multipart")
	}
}

// replies fills in the types of an operation's JSON replies.
func (d *document) replies(op *ir.Operation) {
	for i := range op.Replies {
		reply := &op.Replies[i]
		reply.GoType = ""
		if normalise.Form(reply.MediaType) != "json" || d.models.freeForm(reply.Schema) {
			continue
		}
		status := identifier(reply.Status, "Reply")
		about := "is the reply " + prose(reply.Status) + " of " + prose(op.Method+" "+op.Path) + "."
		reply.GoType = d.models.root(reply.Schema, op.GoName+strings.TrimPrefix(status, "N"), about, false)
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
