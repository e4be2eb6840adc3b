package resolve

import (
	"maps"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/clients"
	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/normalise"
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
		out.Body = body(op.Body)
		out.Body.Raw = e.Body == "raw"
	}
	for _, response := range op.Responses {
		reply := ir.Reply{Status: response.Status, Outcome: response.Outcome, Headers: clients.Headers(response)}
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

func body(in *normalise.Body) *ir.Body {
	content := in.Contents[0]
	out := &ir.Body{
		MediaType: content.MediaType, Required: in.Required, Form: form(content), Schema: content.Schema,
	}
	for _, name := range slices.Sorted(maps.Keys(content.Encoding)) {
		e := content.Encoding[name]
		out.Encoding = append(out.Encoding, ir.Encoding{
			Member: name, ContentType: e.ContentType, Style: e.Style, Explode: e.Explode, AllowReserved: e.AllowReserved,
		})
	}
	return out
}

// form says how arguments become the bytes of a media type. Markup and the like
// are text to a caller, whatever their registered type: nobody writes XML in
// base64. And where the document wants base64 itself on the wire, that is text.
func form(c normalise.Content) string {
	form := normalise.Form(c.MediaType)
	media, _, _ := strings.Cut(strings.ToLower(c.MediaType), ";")
	_, sub, _ := strings.Cut(strings.TrimSpace(media), "/")
	if form != "binary" || c.Schema.Str("format") == "binary" {
		return form
	}
	if c.Schema.Str("format") == "byte" || c.Schema.Str("contentEncoding") != "" {
		return "text"
	}
	switch sub {
	case "xml", "yaml", "x-yaml", "graphql", "sql", "javascript", "x-ndjson", "jsonl", "toml":
		return "text"
	}
	if strings.HasSuffix(sub, "+xml") || strings.HasSuffix(sub, "+yaml") {
		return "text"
	}
	return form
}
