package schema

import (
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// scope is where a conversion stands.
type scope struct {
	b     *Builder
	dir   direction
	refs  *[]reference // the shared schemas referred to so far
	owner string       // the shared schema being converted, "" for an operation's own
	own   bool         // the base form of owner is being converted

	open bool // a composition around closes the object
	// files says what a binary string is: at 2, the object itself is a
	// multipart body; at 1, it is one of its members, and a binary string or
	// an array of them is sent as files.
	files uint8
	// parts names the members of a multipart body that are files because their
	// encoding says so.
	parts map[string]string
	// hidden are the properties that the composition around hides.
	hidden map[string]bool
	nested bool // within owner, in place
	alt    bool // … and below anyOf, oneOf or the like
}

// below is the scope of a value inside the present one: a property, an item.
func (s scope) below() scope {
	s.open, s.nested, s.alt, s.hidden, s.parts, s.owner = false, false, false, nil, nil, ""
	s.own = false
	return s
}

// schema converts one schema. What is no schema at all admits everything.
func (s scope) schema(n *spec.Node) *spec.Node {
	if n != nil && n.Kind == spec.Bool {
		return n
	}
	out := spec.NewObject()
	if n == nil || n.Kind != spec.Object {
		return out
	}
	out.Pos = n.Pos
	if s.files == 1 && s.b.isFile(n) {
		return file(n, "")
	}
	plan := s.closing(n)
	if !s.nested {
		s.hidden = s.hiddenIn(n)
	}
	for _, m := range n.Members {
		s.keyword(out, n, m, plan)
	}
	plan.close(out)
	return out
}

// keyword converts one keyword into out. Keywords that are unknown, of the
// wrong type or of no use to a caller are left out.
func (s scope) keyword(out, n *spec.Node, m spec.Member, plan plan) {
	v := m.Value
	switch m.Name {
	case "$ref":
		s.reference(out, n, plan)
	case "properties":
		s.properties(out, v)
	case "patternProperties":
		s.patternProperties(out, v)
	case "required":
		s.required(out, n, v)
	case "additionalProperties", "unevaluatedProperties":
		s.additional(out, m, plan)
	case "allOf", "anyOf", "oneOf":
		s.composition(out, n, m, plan)
	case "not", "if", "then", "else":
		in := s.inPlace(true, plan.open || m.Name == "not" || m.Name == "if")
		put(out, m, in.schema(v))
	case "dependentSchemas":
		put(out, m, s.each(v, s.inPlace(true, plan.open)))
	case "items", "unevaluatedItems", "contains":
		if v.Kind == spec.Object || v.Kind == spec.Bool {
			in := s.below()
			put(out, m, in.schema(v))
		}
	case "prefixItems":
		if list := s.list(v, s.below()); len(list.Items) > 0 {
			put(out, m, list)
		}
	case "propertyNames":
		put(out, m, s.below().schema(v))
	case "type":
		if t := types(v); t != nil {
			put(out, m, t)
		}
	case "enum":
		if v.Kind == spec.Array && len(v.Items) > 0 {
			put(out, m, v)
		}
	case "pattern":
		if v.Kind == spec.String {
			s.pattern(out, n, v.Text)
		}
	case "minLength", "maxLength":
		if v.Kind == spec.Number && whole(v.Text) {
			bound(out, m.Name, v)
		}
	case "description":
		if v.Kind == spec.String && v.Text != "" {
			put(out, m, v)
		}
	case "format", "default":
		if s.dir == input && (m.Name == "default" || v.Kind == spec.String) {
			put(out, m, v)
		}
	default:
		if check := plain[m.Name]; check != nil && check(v) {
			put(out, m, v)
		}
	}
}

// inPlace is the scope of a subschema that applies to the same value.
func (s scope) inPlace(alt, open bool) scope {
	s.nested, s.alt, s.open = true, s.alt || alt, open
	return s
}

// list converts each member of an array of schemas.
func (s scope) list(v *spec.Node, in scope) *spec.Node {
	list := spec.NewArray()
	for _, item := range v.Items {
		list.Items = append(list.Items, in.schema(item))
	}
	return list
}

// each converts each member of an object of schemas.
func (s scope) each(v *spec.Node, in scope) *spec.Node {
	out := spec.NewObject()
	for _, m := range v.Members {
		put(out, m, in.schema(m.Value))
	}
	return out
}

// reference converts $ref. The target is converted here and now where what the
// composition hides is required by the target: its shared form cannot know.
func (s scope) reference(out, n *spec.Node, plan plan) {
	name, target := s.b.target(n)
	if target == nil {
		return
	}
	in := s.inPlace(false, plan.open)
	way := s.b.cycles.step(s.owner, name, s.alt, s.own)
	if way == drop {
		return
	}
	f := s.b.of(target)
	for hidden := range s.hidden {
		if f.requires[hidden] && !f.hidden[s.dir][hidden] {
			in.owner, in.own = name, way == base
			extend(out, "allOf", in.schema(target))
			return
		}
	}
	v := variant{name: name, dir: s.dir, open: in.open && f.declares, files: s.files, own: way == base}
	if !s.b.holdsFile(target, s.files, 0) {
		v.files = 0
	}
	*s.refs = append(*s.refs, reference{v, s.dir == input && s.alt})
	out.Set("$ref", &spec.Node{Kind: spec.String, Text: defPrefix + s.b.defName(v), Pos: n.Get("$ref").Pos})
}

// composition converts allOf, anyOf or oneOf.
func (s scope) composition(out, n *spec.Node, m spec.Member, plan plan) {
	alt := m.Name != "allOf"
	in := s.inPlace(alt, plan.open)
	list := spec.NewArray()
	for _, item := range m.Value.Items {
		if name, target := s.b.target(item); target != nil &&
			s.b.cycles.step(s.owner, name, in.alt, s.own) == drop {
			continue
		}
		if alt {
			in.hidden = s.hiddenIn(item)
		}
		branch := in.schema(item)
		if alt && s.isFree(item, plan) && branch.Kind == spec.Object && !branch.Has("additionalProperties") {
			branch.Set("additionalProperties", spec.NewBool(true))
		}
		list.Items = append(list.Items, branch)
	}
	if len(list.Items) == 0 {
		return
	}
	name := m.Name
	if name == "oneOf" && !s.exclusive(n, m.Value) {
		name = "anyOf"
	}
	if name != m.Name && n.Has(name) {
		// Both stand beside each other: the second is a condition of its own.
		second := spec.NewObject()
		second.Set(name, list)
		extend(out, "allOf", second)
		return
	}
	extend(out, name, list.Items...)
}

// isFree reports whether an alternative that declares no properties stands for
// any object, rather than for a condition on the properties beside it.
func (s scope) isFree(item *spec.Node, plan plan) bool {
	if s.b.of(item).declares || !s.b.mayBe(item, "object", 0) {
		return false
	}
	return plan.freeBranches || s.open && item.Str("type") == "object" && !item.Has("required")
}

// exclusive reports whether a oneOf can be kept as it is. In replies a value
// that fits two alternatives is still a good reply. In inputs it is kept unless
// a discriminator tells the alternatives apart, or they overlap in a scalar
// type, where only formats, which are not asserted, would tell them apart.
func (s scope) exclusive(n, alternatives *spec.Node) bool {
	if s.dir == output || n.Has("discriminator") {
		return false
	}
	for _, kind := range []string{"string", "number", "boolean", "null"} {
		count := 0
		for _, item := range alternatives.Items {
			if !s.b.of(item).declares && s.b.mayBe(item, kind, 0) {
				count++
			}
		}
		if count > 1 {
			return false
		}
	}
	return true
}

// pattern writes a portable pattern, or says in the description that the API
// checks one which cannot be written.
func (s scope) pattern(out, n *spec.Node, source string) {
	p, ok := portable(source)
	if !ok {
		const longest = 200
		if s.dir == input && len(source) <= longest {
			text := n.Str("description") + "\nPattern, checked by the API: " + source
			out.Set("description", spec.NewString(strings.TrimSpace(text)))
		}
		return
	}
	out.Set("pattern", spec.NewString(p.text))
	if p.counted {
		bound(out, "minLength", spec.NewNumber(itoa(p.min)))
		if p.max >= 0 {
			bound(out, "maxLength", spec.NewNumber(itoa(p.max)))
		}
	}
}
