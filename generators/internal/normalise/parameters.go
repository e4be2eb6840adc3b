package normalise

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// reader reads one operation.
type reader struct {
	*loader
	file *file
	op   *Operation
	node *spec.Node // the operation
	at   place
	form []source // parameters that describe the body, as in Swagger 2.0
}

// get returns a member with its references followed. One that leads nowhere
// makes the operation unsupported.
func (r *reader) get(n *spec.Node, name string, p place) (*spec.Node, place) {
	m := n.Get(name)
	if m == nil {
		return nil, p
	}
	m, p, fault := r.deref(m, p)
	if fault != "" {
		r.op.refuse(fault)
	}
	return m, p
}

// source is a parameter as the document has it.
type source struct {
	node *spec.Node
	at   place
	name string
	in   string
}

// parameters reads the parameters of the path and of the operation, which wins
// where both have one of the same name and place, and fits them to the path.
func (r *reader) parameters(parts []part) {
	lists := make([][]source, 0, len(parts)+1)
	for _, from := range slices.Backward(parts) {
		lists = append(lists, r.sources(from.node, from.at))
	}
	lists = append(lists, r.sources(r.node, r.at))
	var all []source
	seen := map[string]int{}
	for _, list := range lists {
		for _, s := range list {
			name := s.name
			if s.in == "header" {
				name = strings.ToLower(name)
			}
			id := s.in + " " + name
			if i, ok := seen[id]; ok {
				all[i] = s
				continue
			}
			seen[id] = len(all)
			all = append(all, s)
		}
	}
	var list []*Parameter
	for _, s := range all {
		switch s.in {
		case "body", "formdata":
			r.form = append(r.form, s)
		case "header":
			if lower := strings.ToLower(s.name); lower == "accept" || lower == "content-type" {
				continue
			}
			if strings.Trim(s.name, headerSafe) != "" {
				r.op.refuse(fmt.Sprintf("%s: %q cannot be the name of a header", s.node.Pos, s.name))
			}
			list = append(list, r.parameter(s))
		case "path", "query", "cookie":
			list = append(list, r.parameter(s))
		default:
			r.op.refuse(fmt.Sprintf("%s: the parameter %q has no place that is known: in is %q", s.node.Pos, s.name, s.in))
		}
	}
	list = r.fit(list)
	order := map[string]int{"path": 0, "query": 1, "header": 2, "cookie": 3}
	slices.SortStableFunc(list, func(a, b *Parameter) int {
		return cmp.Or(order[a.In]-order[b.In], strings.Compare(a.Name, b.Name))
	})
	r.op.Parameters = list
}

// headerSafe are the characters that the name of a header may have (RFC 9110,
// section 5.6.2).
const headerSafe = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// sources lists the parameters of an operation or path item.
func (r *reader) sources(n *spec.Node, p place) []source {
	list, p := r.get(n, "parameters", p)
	var all []source
	var nodes []*spec.Node
	if isObject(list) && !list.Has("name") { // a map of parameters instead of a list
		for _, m := range list.Members {
			nodes = append(nodes, m.Value)
		}
	} else {
		nodes = items(list)
	}
	for _, node := range nodes {
		n, at, fault := r.deref(node, p)
		switch {
		case fault != "":
			r.op.refuse(fault)
		case n.Kind == spec.Null:
		case scalar(n.Get("name")) == "" && !strings.EqualFold(n.Str("in"), "body"):
			if n.Has("name") && !isTrue(n, "required") && !strings.EqualFold(n.Str("in"), "path") {
				continue // a blank row of an editor: no request can have it
			}
			r.op.refuse(fmt.Sprintf("%s: a parameter has no name", n.Pos))
		default:
			all = append(all, source{n, at, scalar(n.Get("name")), strings.ToLower(scalar(n.Get("in")))})
		}
	}
	return all
}

// parameter reads one parameter that travels outside of the body.
func (r *reader) parameter(s source) *Parameter {
	p := &Parameter{
		Name: s.name, In: s.in, Pos: s.node.Pos,
		Required:      isTrue(s.node, "required") || s.in == "path",
		Deprecated:    isTrue(s.node, "deprecated"),
		Injected:      isTrue(s.node, "x-injected"),
		AllowReserved: isTrue(s.node, "allowReserved") && s.in == "query",
		Description:   r.text(s.node, "description", s.at),
	}
	p.Style, p.Explode = style(s)
	schema, at := s.node.Get("schema"), s.at
	content, contentAt := r.get(s.node, "content", s.at)
	switch {
	case schema != nil:
		p.Schema = r.shared(schema, at)
	case isObject(content) && len(content.Members) > 0:
		c := r.contents(content, contentAt)[0]
		p.Schema = c.Schema
		if Form(c.MediaType) == "json" {
			p.MediaType = c.MediaType
		}
	case s.node.Has("type") || s.node.Has("enum") || s.node.Has("items"):
		p.Schema = r.inline(s)
		if s.node.Str("collectionFormat") == "tsv" {
			r.op.refuse(fmt.Sprintf("%s: the parameter %q is separated by tabs", s.node.Pos, s.name))
		}
	default:
		p.Schema = textSchema()
	}
	return p
}

// inline converts the schema that a parameter of Swagger 2.0 carries itself.
func (r *reader) inline(s source) *spec.Node {
	if out, ok := r.memo[s.node]; ok {
		return out
	}
	bare := &spec.Node{Kind: spec.Object, Pos: s.node.Pos}
	for _, m := range s.node.Members {
		if m.Name != "description" && m.Name != "required" {
			bare.Members = append(bare.Members, m)
		}
	}
	out := r.keywords(bare, s.at)
	r.memo[s.node] = out
	return out
}

// style gives the serialisation of a parameter: what is written, if it exists at
// that place, else the default there.
func style(s source) (string, bool) {
	allowed := map[string][]string{
		"path":   {"simple", "label", "matrix"},
		"query":  {"form", "spaceDelimited", "pipeDelimited", "deepObject"},
		"header": {"simple"},
		"cookie": {"form"},
	}[s.in]
	written := s.node.Str("style")
	name := allowed[0]
	if slices.Contains(allowed, written) {
		name = written
	}
	explode, set := truth(s.node.Get("explode"))
	switch {
	case name == "deepObject":
		explode = true // has one form only
	case set:
	case s.in == "query" && written == "simple": // a list joined by commas
	default:
		explode = name == "form"
	}
	if !s.node.Has("schema") && !s.node.Has("content") && s.node.Has("items") {
		return collection(s, name)
	}
	return name, explode
}

// collection translates collectionFormat.
func collection(s source, name string) (string, bool) {
	switch format := s.node.Str("collectionFormat"); {
	case format == "multi":
		return name, s.in == "query" || s.in == "formdata"
	case format == "ssv" && s.in == "query":
		return "spaceDelimited", false
	case format == "pipes" && s.in == "query":
		return "pipeDelimited", false
	default:
		return name, false
	}
}
