package normalise

import (
	"fmt"
	"slices"
	"strings"
)

// fit settles which placeholder of the path each parameter fills: the path then
// names its parameters exactly as they are named. Parameters without a
// placeholder are dropped; a placeholder without a parameter makes the operation
// unsupported. Placeholders in a query that the path key carries become query
// parameters.
func (r *reader) fit(list []*Parameter) []*Parameter {
	key := keyPath(r.op.Key)
	t := splitKey(key)
	list = r.fitQuery(t, list)
	used := map[*Parameter]bool{}
	var b strings.Builder
	for _, piece := range pieces(colons(t.path, list)) {
		if !piece.placeholder {
			b.WriteString(escape(piece.text, pathSafe))
			continue
		}
		p := find(list, piece.text)
		if p == nil {
			r.op.refuse(fmt.Sprintf("%s: no path parameter is declared for {%s} in %s", r.op.Pos, piece.text, key))
			b.WriteString("{" + piece.text + "}")
			continue
		}
		if strings.ContainsAny(p.Name, "{}/") {
			r.op.refuse(fmt.Sprintf("%s: the path parameter %q has a brace or slash in its name", p.Pos, p.Name))
		}
		used[p] = true
		b.WriteString("{" + p.Name + "}")
	}
	r.op.Path = b.String()
	if leavesSegment(r.op.Path) {
		r.op.refuse(fmt.Sprintf("%s: the path %s has a dot segment", r.op.Pos, key))
	}
	return slices.DeleteFunc(list, func(p *Parameter) bool { return p.In == "path" && !used[p] })
}

// find returns the path parameter that a placeholder means: of that name, or, if
// there is none, of one that differs in letter case only.
func find(list []*Parameter, placeholder string) *Parameter {
	names := placeholderNames(placeholder)
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for _, name := range names {
			for _, p := range list {
				if p.In == "path" && same(strings.TrimSpace(p.Name), name) {
					return p
				}
			}
		}
	}
	return nil
}

// colons rewrites segments like :id to {id} where a path parameter of that name
// has no placeholder.
func colons(path string, list []*Parameter) string {
	if !strings.Contains(path, "/:") {
		return path
	}
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		name, ok := strings.CutPrefix(segment, ":")
		if ok && !strings.Contains(path, "{"+name+"}") && find(list, name) != nil {
			segments[i] = "{" + name + "}"
		}
	}
	return strings.Join(segments, "/")
}

// fitQuery reads the query of a path key: fixed values stay in Query, those that
// are placeholders make their parameter a query parameter.
func (r *reader) fitQuery(t template, list []*Parameter) []*Parameter {
	assignments := strings.FieldsFunc(t.query, func(c rune) bool { return c == '&' })
	for _, name := range t.names {
		assignments = append(assignments, name+"={"+name+"}")
	}
	var fixed []string
	for _, piece := range assignments {
		name, value, found := strings.Cut(piece, "=")
		switch {
		case !strings.ContainsAny(piece, "{}"):
			fixed = append(fixed, escape(piece, querySafe))
		case !found && strings.HasPrefix(piece, "{") && strings.HasSuffix(piece, "}"):
			name = strings.Trim(piece, "{}")
			list = r.queryPlaceholder(name, name, list)
		case found && closing(value, 0) == len(value)-1 && strings.HasPrefix(value, "{"):
			list = r.queryPlaceholder(name, value[1:len(value)-1], list)
		default:
			r.op.refuse(fmt.Sprintf("%s: the query of the path, %q, mixes text and placeholders", r.op.Pos, piece))
		}
	}
	r.op.Query = strings.Join(fixed, "&")
	return list
}

// queryPlaceholder makes the parameter behind a placeholder a query parameter of
// that name.
func (r *reader) queryPlaceholder(name, placeholder string, list []*Parameter) []*Parameter {
	declared := slices.ContainsFunc(list, func(p *Parameter) bool { return p.In == "query" && p.Name == name })
	for i, p := range list {
		named := slices.Contains(placeholderNames(placeholder), p.Name)
		if !named || (p.In != "path" && (p.In != "query" || p.Name == name)) {
			continue
		}
		if declared {
			return slices.Delete(list, i, i+1)
		}
		p.Name, p.In, p.Style, p.Explode = name, "query", "form", true
		return list
	}
	if !declared {
		r.op.refuse(fmt.Sprintf("%s: no parameter is declared for {%s} in the query of the path", r.op.Pos, placeholder))
	}
	return list
}
