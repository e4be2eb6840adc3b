package clients

import (
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// kind is what a schema is in Go.
type kind uint8

const (
	free    kind = iota // anything: json.RawMessage
	text                // string
	integer             // int64
	number              // float64
	boolean             // bool
	list                // []T
	table               // map[string]T
	record              // struct
	choice              // one of several types
	alias               // another shared schema
)

// shape is a schema reduced to what Go can say, one level deep.
type shape struct {
	kind    kind
	null    bool
	target  string       // alias: name of the shared schema
	items   *spec.Node   // list: its elements; nil for anything
	values  *spec.Node   // table, and record with open: its other members; nil for anything
	open    bool         // record: it has members beside the declared ones
	members []member     // record: by name
	options []*spec.Node // choice: at least two, all different
}

// member is one declared property of a record.
type member struct {
	name     string
	schema   *spec.Node
	required bool
}

// reader reduces the schemas of one document.
type reader struct {
	schemas map[string]*spec.Node
	merged  map[[2]*spec.Node]*spec.Node // conjunctions made for members declared twice
	shapes  map[*spec.Node]*shape
}

func newReader(schemas map[string]*spec.Node) *reader {
	return &reader{
		schemas: schemas,
		merged:  map[[2]*spec.Node]*spec.Node{},
		shapes:  map[*spec.Node]*shape{},
	}
}

const refPrefix = "#/components/schemas/"

// reference returns the shared schema that a node refers to, or "".
func reference(n *spec.Node) string {
	name, _ := strings.CutPrefix(n.Str("$ref"), refPrefix)
	return name
}

// read reduces a schema. Whatever it is, the result is something Go can say;
// at worst it is free.
func (r *reader) read(n *spec.Node) *shape {
	if n == nil || n.Kind != spec.Object {
		return &shape{}
	}
	if s := r.shapes[n]; s != nil {
		return s
	}
	r.shapes[n] = &shape{} // what a schema that contains itself without a level between is
	s := r.reduce(n)
	r.shapes[n] = s
	return s
}

func (r *reader) reduce(n *spec.Node) *shape {
	if name, null := r.onlyReference(n); name != "" {
		if r.schemas[name] == nil {
			return &shape{}
		}
		return &shape{kind: alias, target: name, null: null}
	}
	p := newParts()
	r.gather(n, p, map[string]bool{})
	return r.decide(p)
}

// heavy are the keywords that give a schema a structure; a schema without any
// of them does not change what a reference beside it is in Go.
var heavy = []string{
	"$ref", "additionalProperties", "allOf", "anyOf", "items", "oneOf", "patternProperties", "prefixItems", "properties",
}

// onlyReference returns the shared schema that n is nothing but, annotations
// and bounds aside: a reference, or a conjunction with a single reference.
func (r *reader) onlyReference(n *spec.Node) (name string, null bool) {
	var structured []string
	for _, keyword := range heavy {
		if n.Has(keyword) {
			structured = append(structured, keyword)
		}
	}
	if len(structured) != 1 {
		return "", false
	}
	switch structured[0] {
	case "$ref":
		return reference(n), false
	case "allOf":
		var only *spec.Node
		for _, part := range n.Get("allOf").Items {
			if !slices.ContainsFunc(heavy, part.Has) {
				continue
			}
			if only != nil {
				return "", false
			}
			only = part
		}
		if only != nil {
			return r.onlyReference(only)
		}
	}
	return "", false
}

// follow reads a schema and, as long as it is another one, that.
func (r *reader) follow(n *spec.Node) *shape {
	s := r.read(n)
	seen := map[string]bool{}
	null := s.null
	for s.kind == alias {
		if seen[s.target] {
			return &shape{null: null}
		}
		seen[s.target] = true
		s = r.read(r.schemas[s.target])
		null = null || s.null
	}
	if null != s.null {
		c := *s
		c.null = null
		return &c
	}
	return s
}

// freeForm reports whether a schema admits any value, or any object: a type
// would say nothing about it.
func (r *reader) freeForm(n *spec.Node) bool { return r.freeWithin(n, map[*spec.Node]bool{}) }

func (r *reader) freeWithin(n *spec.Node, seen map[*spec.Node]bool) bool {
	if seen[n] {
		return true
	}
	seen[n] = true
	switch s := r.follow(n); s.kind {
	case free:
		return true
	case table:
		return s.values == nil || r.freeWithin(s.values, seen)
	default:
		return false
	}
}
