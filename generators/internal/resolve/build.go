package resolve

import (
	"maps"
	"mime"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/clients"
	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/normalise"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// operation is the tool that a decision makes of an operation.
func operation(b bound) *ir.Operation {
	e, op := b.decision, b.op
	out := &ir.Operation{
		Tool: e.Tool, Was: e.Was, GoName: clients.GoName(e.Tool), ID: e.Tool, Document: b.document.Name,
		Key: op.Key, Method: op.Method, Path: op.Path, Query: op.Query, Pos: op.Pos,
		Title: strings.Join(strings.Fields(op.Summary), " "), Description: strings.TrimSpace(op.Description),
		Scope: e.Scope, Effect: e.Effect, Reason: e.Reason, Deprecated: op.Deprecated,
		RPCOnly: e.Exclude != "", Security: op.Security, Raw: op.Raw,
	}
	if op.UniqueID {
		out.ID = op.ID
	}
	for _, p := range op.Parameters {
		out.Parameters = append(out.Parameters, ir.Parameter{
			Name: p.Name, Key: b.key(p), In: p.In, Style: p.Style, Explode: p.Explode, AllowReserved: p.AllowReserved,
			AllowSlash: slices.Contains(e.AllowSlash, p.Name), JSON: p.MediaType != "", Required: p.Required,
			Injected: p.Injected, Dropped: b.dropped(p), Description: p.Description, Schema: p.Schema,
		})
	}
	if op.Body != nil && len(op.Body.Contents) > 0 {
		out.Body = body(b.doc, op.Body)
		out.Body.Raw = e.Body == "raw"
	}
	for _, response := range op.Responses {
		reply := ir.Reply{Status: response.Status, Outcome: response.Outcome}
		if len(response.Contents) > 0 {
			reply.MediaType = response.Contents[0].MediaType
			reply.Schema = response.Contents[0].Schema
			if b.catalog.Binding == "handler" && strings.HasPrefix(reply.MediaType, "image/") {
				out.Image = true
			}
		}
		out.Replies = append(out.Replies, reply)
	}
	return out
}

func body(doc *normalise.Document, in *normalise.Body) *ir.Body {
	content := in.Contents[0]
	out := &ir.Body{
		MediaType: content.MediaType, Required: in.Required, Form: form(content), Schema: content.Schema,
		Free: free(deref(doc, content.Schema)),
	}
	if out.Form == "json" && strings.Contains(content.MediaType, "*") {
		out.MediaType = "application/json"
	}
	for _, name := range slices.Sorted(maps.Keys(content.Encoding)) {
		e := content.Encoding[name]
		out.Encoding = append(out.Encoding, ir.Encoding{
			Member: name, ContentType: e.ContentType, Style: e.Style, Explode: e.Explode, AllowReserved: e.AllowReserved,
		})
	}
	return out
}

// form says how arguments become the bytes of a media type.
func form(c normalise.Content) string {
	media, _, err := mime.ParseMediaType(c.MediaType)
	if err != nil {
		media = strings.ToLower(strings.TrimSpace(c.MediaType))
	}
	kind, sub, _ := strings.Cut(media, "/")
	switch {
	case sub == "json" || strings.HasSuffix(sub, "+json"):
		return "json"
	case media == "application/x-www-form-urlencoded":
		return "form"
	case kind == "multipart":
		return "multipart"
	case kind == "text", sub == "xml", strings.HasSuffix(sub, "+xml"), sub == "yaml", sub == "x-yaml",
		strings.HasSuffix(sub, "+yaml"), sub == "graphql", sub == "sql", sub == "javascript", sub == "x-ndjson":
		return "text"
	case strings.Contains(media, "*") && kind != "image" && kind != "audio" && kind != "video" &&
		c.Schema.Str("type") != "string":
		return "json"
	default:
		return "binary"
	}
}

// free reports whether a schema says nothing of its value but that it may be
// an object.
func free(n *spec.Node) bool {
	if n == nil || n.Kind != spec.Object {
		return true
	}
	for _, m := range n.Members {
		switch m.Name {
		case "title", "description", "deprecated", "readOnly", "writeOnly", "default", "nullable":
		case "additionalProperties":
			if m.Value.Kind == spec.Object && !free(m.Value) {
				return false
			}
		case "type":
			if m.Value.Kind != spec.String || m.Value.Text != "object" {
				return false
			}
		default:
			return false
		}
	}
	return true
}
