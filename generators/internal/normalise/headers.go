package normalise

import (
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// headers reads the headers of a response, by name, each once whatever its
// case. Content-Type is left out, which the contents tell, and so is what
// cannot be the name of a header or leads nowhere: no tool needs a header.
func (r *reader) headers(response *spec.Node, p place) []*Header {
	all, p := r.loader.get(response, "headers", p)
	if !isObject(all) {
		return nil
	}
	var list []*Header
	seen := map[string]bool{"": true, "content-type": true}
	for _, m := range all.Members {
		n, at, fault := r.deref(m.Value, p)
		lower := strings.ToLower(m.Name)
		if fault != "" || !isObject(n) || seen[lower] || strings.Trim(m.Name, headerSafe) != "" {
			continue
		}
		seen[lower] = true
		list = append(list, r.header(m.Name, n, at))
	}
	slices.SortFunc(list, func(a, b *Header) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func (r *reader) header(name string, n *spec.Node, p place) *Header {
	h := &Header{
		Name: name, Required: isTrue(n, "required"), Description: r.text(n, "description", p), Pos: n.Pos,
	}
	content, at := r.loader.get(n, "content", p)
	switch {
	case n.Has("schema"):
		h.Schema = r.shared(n.Get("schema"), p)
	case isObject(content) && len(content.Members) > 0:
		h.Schema = r.contents(content, at)[0].Schema
	case n.Has("type") || n.Has("enum") || n.Has("items"): // Swagger 2.0
		h.Schema = r.inline(source{node: n, at: p})
	default:
		h.Schema = textSchema()
	}
	return h
}

// textSchema is the schema of any text.
func textSchema() *spec.Node {
	s := spec.NewObject()
	s.Set("type", spec.NewString("string"))
	return s
}

// plainHeaders makes any text of the headers whose schemas reach a reference
// that leads nowhere.
func (l *loader) plainHeaders(op *Operation) {
	for _, r := range op.Responses {
		for _, h := range r.Headers {
			l.doc.walk(h.Schema, map[*spec.Node]bool{}, func(n *spec.Node) bool {
				_, broken := l.broken[n]
				if broken {
					h.Schema = textSchema()
				}
				return !broken
			})
		}
	}
}
