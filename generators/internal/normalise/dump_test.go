package normalise_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/generators/internal/normalise"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// dump writes a document in a compact form for comparison.
func dump(d *normalise.Document) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s of %s\n", d.Title, d.Version, strings.Join(d.Files, ", "))
	for _, s := range d.Schemes {
		fmt.Fprintf(&b, "scheme %s in %s %s %q\n", s.Name, s.In, s.Key, s.Prefix)
	}
	if d.Security != nil {
		fmt.Fprintf(&b, "security %q\n", d.Security)
	}
	for _, op := range d.Operations {
		fmt.Fprintf(&b, "%s\n", op.Key)
		path, query := op.Path, op.Query
		if query != "" {
			path += "?" + query
		}
		if path != strings.SplitN(op.Key, " ", 2)[1] {
			fmt.Fprintf(&b, "  sent as %s\n", path)
		}
		if op.ID != "" && !op.UniqueID {
			fmt.Fprintf(&b, "  id %s, not unique\n", op.ID)
		}
		if op.Unsupported != "" {
			fmt.Fprintf(&b, "  unsupported: %s\n", op.Unsupported)
		}
		if op.Security != nil {
			fmt.Fprintf(&b, "  security %q\n", op.Security)
		}
		for _, p := range op.Parameters {
			words := []string{p.In, p.Name, p.Style}
			for word, on := range map[string]bool{
				"explode": p.Explode, "required": p.Required, "injected": p.Injected, "reserved": p.AllowReserved,
			} {
				if on {
					words = append(words, word)
				}
			}
			slices.Sort(words[3:])
			if p.MediaType != "" {
				words = append(words, p.MediaType)
			}
			fmt.Fprintf(&b, "  %s %s\n", strings.Join(words, " "), p.Schema.AppendJSON(nil))
		}
		if op.Body != nil {
			name := "body"
			if op.Body.Required {
				name = "required body"
			}
			dumpContents(&b, name, op.Body.Contents)
		}
		for _, r := range op.Responses {
			name := r.Status
			if r.Outcome {
				name += " outcome"
			}
			if len(r.Contents) == 0 {
				fmt.Fprintf(&b, "  %s\n", name)
			}
			dumpContents(&b, name, r.Contents)
			for _, h := range r.Headers {
				word := ""
				if h.Required {
					word = " required"
				}
				fmt.Fprintf(&b, "    header %s%s %s %s\n", h.Name, word, h.Schema.AppendJSON(nil), h.Description)
			}
		}
	}
	for _, name := range schemaNames(d) {
		fmt.Fprintf(&b, "%s %s\n", name, d.Schemas[name].AppendJSON(nil))
	}
	return b.String()
}

func dumpContents(b *strings.Builder, name string, contents []normalise.Content) {
	for _, c := range contents {
		fmt.Fprintf(b, "  %s %s %s\n", name, c.MediaType, c.Schema.AppendJSON(nil))
		var members []string
		for member, e := range c.Encoding {
			members = append(members, fmt.Sprintf("    %s %s\n", member,
				strings.TrimSpace(fmt.Sprintf("%s %s explode=%v", e.ContentType, e.Style, e.Explode))))
		}
		slices.Sort(members)
		b.WriteString(strings.Join(members, ""))
	}
}

func schemaNames(d *normalise.Document) []string {
	var names []string
	for name := range d.Schemas {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// checkReferences fails for each reference of a document that leads to none of
// its shared schemas.
func checkReferences(t *testing.T, d *normalise.Document) {
	t.Helper()
	seen := map[*spec.Node]bool{}
	var visit func(where string, n *spec.Node)
	visit = func(where string, n *spec.Node) {
		if n == nil {
			t.Errorf("%s: a schema is nil", where)
			return
		}
		if seen[n] {
			return
		}
		seen[n] = true
		if ref := n.Get("$ref"); ref != nil && ref.Kind == spec.String && d.Resolve(n) == nil {
			t.Errorf("%s: %s is not among the schemas", where, ref.Text)
		}
		for _, item := range n.Items {
			visit(where, item)
		}
		for _, m := range n.Members {
			if m.Name != "const" && m.Name != "default" && m.Name != "enum" {
				visit(where, m.Value)
			}
		}
	}
	for _, name := range schemaNames(d) {
		visit(name, d.Schemas[name])
	}
	for _, op := range d.Operations {
		for _, p := range op.Parameters {
			visit(op.Key, p.Schema)
		}
		if op.Body != nil {
			for _, c := range op.Body.Contents {
				visit(op.Key, c.Schema)
			}
		}
		for _, r := range op.Responses {
			for _, c := range r.Contents {
				visit(op.Key, c.Schema)
			}
			for _, h := range r.Headers {
				visit(op.Key, h.Schema)
			}
		}
	}
}
