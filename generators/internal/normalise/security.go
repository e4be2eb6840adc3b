package normalise

import (
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// schemes reads the security schemes of a document; the first of a name counts.
func (l *loader) schemes(f *file) {
	p := place{file: f}
	components, at := l.get(f.root, "components", p)
	all, at := l.get(components, "securitySchemes", at)
	if all == nil {
		all, at = l.get(f.root, "securityDefinitions", p)
	}
	if !isObject(all) {
		return
	}
	for _, m := range all.Members {
		if slices.ContainsFunc(l.doc.Schemes, func(s Scheme) bool { return s.Name == m.Name }) {
			continue
		}
		n, _, fault := l.deref(m.Value, at)
		if fault == "" {
			l.doc.Schemes = append(l.doc.Schemes, scheme(m.Name, n))
		}
	}
}

// scheme tells where the credential of a security scheme travels.
func scheme(name string, n *spec.Node) Scheme {
	authorization := Scheme{Name: name, In: "header", Key: "Authorization"}
	switch strings.ToLower(n.Str("type")) {
	case "apikey":
		in := strings.ToLower(n.Str("in"))
		if key := n.Str("name"); key != "" && (in == "header" || in == "query" || in == "cookie") {
			return Scheme{Name: name, In: in, Key: key}
		}
	case "basic":
		authorization.Prefix = "Basic "
		return authorization
	case "http":
		switch kind := strings.ToLower(n.Str("scheme")); kind {
		case "basic":
			authorization.Prefix = "Basic "
		case "", "bearer":
			authorization.Prefix = "Bearer "
		default:
			authorization.Prefix = n.Str("scheme") + " "
		}
		return authorization
	case "oauth2", "openidconnect":
		authorization.Prefix = "Bearer "
		return authorization
	}
	return Scheme{Name: name}
}

// security reads a list of alternatives: nil if there is none, empty if the list
// is. An alternative without a scheme needs no credential.
func (l *loader) security(n *spec.Node, p place) [][]string {
	list, _ := l.get(n, "security", p)
	if list == nil || list.Kind == spec.Null {
		return nil
	}
	all := [][]string{}
	for _, item := range items(list) {
		if item.Kind != spec.Object {
			continue
		}
		names := []string{}
		for _, m := range item.Members {
			names = append(names, m.Name)
		}
		all = append(all, names)
	}
	return all
}

// operationSecurity reads the alternatives of an operation. Where they are those
// of a file that differ from the document's, they are spelt out.
func (l *loader) operationSecurity(n *spec.Node, p place, inherited [][]string) [][]string {
	if own := l.security(n, p); own != nil {
		return own
	}
	if slices.EqualFunc(inherited, l.doc.Security, slices.Equal) {
		return nil
	}
	if inherited == nil {
		return [][]string{}
	}
	return inherited
}
