package clients

import (
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// parts are the keywords of a schema and of everything it is a conjunction of.
type parts struct {
	types   []string // intersection of the declared types; nil: none declared
	null    bool
	values  []kind // kinds of enum and const values
	items   *spec.Node
	tuple   bool
	members map[string]*member
	needed  map[string]bool // names that are required, declared or not
	other   *spec.Node      // additionalProperties, or the only patternProperties
	open    bool            // other members are admitted on purpose
	choices [][]*spec.Node
}

func newParts() *parts { return &parts{members: map[string]*member{}, needed: map[string]bool{}} }

// gather adds a schema to the parts, following allOf and references within
// it. Seen holds the references on the way, so a schema that is a conjunction
// with itself ends.
func (r *reader) gather(n *spec.Node, p *parts, seen map[string]bool) {
	if n == nil || n.Kind != spec.Object {
		return
	}
	if name := reference(n); name != "" && !seen[name] {
		seen[name] = true
		r.gather(r.schemas[name], p, seen)
	}
	if all := n.Get("allOf"); all != nil {
		for _, part := range all.Items {
			r.gather(part, p, seen)
		}
	}
	p.addTypes(n.Get("type"))
	p.addValues(n)
	if items := n.Get("items"); items != nil {
		p.items = r.both(p.items, items)
	}
	p.tuple = p.tuple || n.Has("prefixItems")
	r.addMembers(n, p)
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if options := n.Get(keyword); options != nil && len(options.Items) > 0 {
			p.choices = append(p.choices, options.Items)
		}
	}
}

func (p *parts) addTypes(n *spec.Node) {
	if n == nil {
		return
	}
	names := []*spec.Node{n}
	if n.Kind == spec.Array {
		names = n.Items
	}
	var types []string
	null := false
	for _, name := range names {
		if name.Text == "null" {
			null = true
		} else if name.Kind == spec.String && !slices.Contains(types, name.Text) {
			types = append(types, name.Text)
		}
	}
	slices.Sort(types)
	p.null = p.null || null
	if len(types) == 0 {
		return
	}
	if p.types != nil {
		both := slices.DeleteFunc(slices.Clone(types), func(t string) bool { return !slices.Contains(p.types, t) })
		if len(both) > 0 {
			types = both
		}
	}
	p.types = types
}

func (p *parts) addValues(n *spec.Node) {
	values := []*spec.Node{}
	if c := n.Get("const"); c != nil {
		values = append(values, c)
	}
	if e := n.Get("enum"); e != nil {
		values = append(values, e.Items...)
	}
	for _, v := range values {
		switch v.Kind {
		case spec.Null:
			p.null = true
		case spec.String:
			p.values = append(p.values, text)
		case spec.Bool:
			p.values = append(p.values, boolean)
		case spec.Number:
			if strings.ContainsAny(v.Text, ".eE") {
				p.values = append(p.values, number)
			} else {
				p.values = append(p.values, integer)
			}
		default:
			p.values = append(p.values, free)
		}
	}
}

func (r *reader) addMembers(n *spec.Node, p *parts) {
	if properties := n.Get("properties"); properties != nil {
		for _, m := range properties.Members {
			if known := p.members[m.Name]; known != nil {
				known.schema = r.both(known.schema, m.Value)
			} else {
				p.members[m.Name] = &member{name: m.Name, schema: m.Value}
			}
		}
	}
	if required := n.Get("required"); required != nil {
		for _, name := range required.Items {
			p.needed[name.Text] = true
		}
	}
	other := n.Get("additionalProperties")
	if patterns := n.Get("patternProperties"); patterns != nil && (other == nil || other.Kind == spec.Bool) {
		other = spec.NewBool(true)
		if len(patterns.Members) == 1 {
			other = patterns.Members[0].Value
		}
	}
	switch {
	case other == nil:
	case other.Kind == spec.Bool && other.Text == "true":
		p.open = true
	case other.Kind == spec.Object:
		p.open = true
		p.other = r.both(p.other, other)
	}
}

// both is the conjunction of two schemas, made once for each pair, so that a
// recursive one is finite.
func (r *reader) both(a, b *spec.Node) *spec.Node {
	switch {
	case a == nil || a == b || a.Kind != spec.Object || len(a.Members) == 0:
		return b
	case b.Kind != spec.Object || len(b.Members) == 0 || a.Equal(b):
		return a
	}
	key := [2]*spec.Node{a, b}
	if r.merged[key] == nil {
		n := spec.NewObject()
		n.Set("allOf", spec.NewArray(a, b))
		if about := b.Get("description"); about != nil {
			n.Set("description", about)
		} else if about := a.Get("description"); about != nil {
			n.Set("description", about)
		}
		r.merged[key] = n
	}
	return r.merged[key]
}
