package clients

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/normalise"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// others are the operations of a server that are no tools, named after their
// operationId, else after method and path.
func (d *document) others() []*ir.Operation {
	names := namer{}
	for _, op := range d.in.Operations {
		names[op.GoName] = true
	}
	ops := slices.Clone(d.in.Others)
	slices.SortFunc(ops, func(a, b *normalise.Operation) int { return strings.Compare(a.Key, b.Key) })
	var out []*ir.Operation
	for _, op := range ops {
		name := identifier(strings.ToLower(op.Method)+" "+op.Path, "Operation")
		name = names.unique(identifier(op.ID, name), "")
		out = append(out, plain(op, name))
	}
	return out
}

// plain is an operation as far as a server needs it.
func plain(op *normalise.Operation, name string) *ir.Operation {
	out := &ir.Operation{
		GoName: name, Key: op.Key, Method: op.Method, Path: op.Path, Query: op.Query,
		Title: op.Summary, Description: op.Description,
	}
	for _, p := range op.Parameters {
		out.Parameters = append(out.Parameters, ir.Parameter{
			Name: p.Name, Key: p.Name, In: p.In, Style: p.Style, Explode: p.Explode,
			AllowReserved: p.AllowReserved, JSON: p.MediaType != "", Required: p.Required,
			Description: p.Description, Schema: p.Schema,
		})
	}
	if op.Body != nil && len(op.Body.Contents) > 0 {
		c := op.Body.Contents[0]
		out.Body = &ir.Body{
			MediaType: c.MediaType, Required: op.Body.Required, Form: normalise.Form(c.MediaType), Schema: c.Schema,
		}
	}
	for _, r := range op.Responses {
		reply := ir.Reply{Status: r.Status, Headers: Headers(r)}
		if len(r.Contents) > 0 {
			reply.MediaType, reply.Schema = r.Contents[0].MediaType, r.Contents[0].Schema
		}
		out.Replies = append(out.Replies, reply)
	}
	return out
}

// served are the statuses that oapi-codegen knows.
var served = regexp.MustCompile(`^(default|[1-5]XX|[1-9][0-9][0-9])$`)

// serve adds what a server needs of an operation: its body and its replies.
func (d *document) serve(n *spec.Node, op *ir.Operation) {
	if text := sentence(cmp.Or(op.Title, op.Description)); text != "" {
		n.Set("summary", spec.NewString(comment(op.GoName, "serves: "+text)))
	}
	if b := op.Body; b != nil {
		body := spec.NewObject()
		body.Set("required", spec.NewBool(b.Required))
		body.Set("content", content(b.MediaType, received(b)))
		n.Set("requestBody", body)
	}
	responses := spec.NewObject()
	for i := range op.Replies {
		r := &op.Replies[i]
		if !served.MatchString(r.Status) {
			continue
		}
		response := spec.NewObject()
		response.Set("description", spec.NewString(""))
		if r.MediaType != "" {
			response.Set("content", content(r.MediaType, d.written(r)))
		}
		if headers := d.headers(r); len(headers.Members) > 0 {
			response.Set("headers", headers)
		}
		responses.Set(r.Status, response)
	}
	if len(responses.Members) == 0 {
		responses = empty()
	}
	n.Set("responses", responses)
}

// content is a content object of one media type. What is not JSON, a form or
// text is a stream.
func content(mediaType string, schema *spec.Node) *spec.Node {
	media := spec.NewObject()
	if normalise.Form(mediaType) != "binary" {
		media.Set("schema", schema)
	}
	n := spec.NewObject()
	n.Set(mediaType, media)
	return n
}

// received is the schema of a request body.
func received(b *ir.Body) *spec.Node {
	switch {
	case b.GoType != "":
		return refTo(b.GoType)
	case b.Form == "text":
		return bare("string")
	default:
		return freeSchema()
	}
}

// written is the schema of a reply. Strict servers declare a new type of
// it, which would lose the methods of json.RawMessage and of structs that have
// other members; a union of one type keeps them.
func (d *document) written(r *ir.Reply) *spec.Node {
	if normalise.Form(r.MediaType) != "json" {
		return bare("string")
	}
	if s := d.models.follow(r.Schema); r.GoType == "" || s.kind == record && s.open {
		return refTo(d.models.only(r.GoType))
	}
	return refTo(r.GoType)
}
