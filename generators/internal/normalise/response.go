package normalise

import (
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// responses reads the responses of an operation by status.
func (r *reader) responses() {
	all, at := r.get(r.node, "responses", r.at)
	if !isObject(all) {
		return
	}
	for _, m := range all.Members {
		status, ok := statusOf(m.Name)
		if !ok || m.Value.Kind == spec.Null {
			continue
		}
		if r.op.response(status) != nil {
			continue
		}
		n, p, fault := r.deref(m.Value, at)
		if fault != "" {
			r.op.refuse(fault)
			continue
		}
		if n.Kind == spec.Object {
			r.op.Responses = append(r.op.Responses, r.response(status, n, p, m.Value, at))
		}
	}
	slices.SortFunc(r.op.Responses, func(a, b *Response) int { // "default" sorts behind the digits
		return strings.Compare(a.Status, b.Status)
	})
}

func (op *Operation) response(status string) *Response {
	for _, r := range op.Responses {
		if r.Status == status {
			return r
		}
	}
	return nil
}

// statusOf recognises a status, a class of them or default.
func statusOf(name string) (string, bool) {
	switch {
	case strings.EqualFold(name, "default"):
		return "default", true
	case len(name) != 3 || name[0] < '1' || name[0] > '5':
		return "", false
	case strings.EqualFold(name[1:], "XX"):
		return name[:1] + "XX", true
	case isDigit(name[1]) && isDigit(name[2]):
		return name, true
	default:
		return "", false
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (r *reader) response(status string, n *spec.Node, p place, written *spec.Node, writtenAt place) *Response {
	out := &Response{Status: status, Description: r.text(n, "description", p), Pos: n.Pos}
	content, at := r.get(n, "content", p)
	switch {
	case !isObject(content) && !n.Has("schema") && refersToSchema(written):
		out.Contents = typed(r.media("produces"), r.shared(written, writtenAt))
	case isObject(content):
		out.Contents = r.contents(content, at)
		for _, m := range content.Members {
			out.Outcome = out.Outcome || r.outcome(m.Value.Get("schema"), at)
		}
	case n.Has("schema"): // Swagger 2.0
		schema := r.shared(n.Get("schema"), p)
		types := r.media("produces")
		if schema.Str("format") == "binary" && !slices.ContainsFunc(types, func(t string) bool { return Form(t) != "json" }) {
			types = []string{"application/octet-stream"}
		}
		out.Contents = typed(types, schema)
		out.Outcome = r.outcome(n.Get("schema"), p)
	}
	if !refersToSchema(written) {
		out.Headers = r.headers(n, p)
	}
	return out
}

// outcome reports whether a schema, or the component that it refers to, is
// marked as a recorded outcome.
func (r *reader) outcome(schema *spec.Node, p place) bool {
	if schema == nil {
		return false
	}
	n, _, _ := r.deref(schema, p)
	return n != nil && isTrue(n, "x-outcome")
}

// refersToSchema reports whether something that should be a response or a body
// is a reference to a schema instead, which some documents write for short.
func refersToSchema(written *spec.Node) bool {
	ref := written.Str("$ref")
	return strings.Contains(ref, "#/components/schemas/") || strings.Contains(ref, "#/definitions/")
}
