package normalise

import (
	"math/big"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// convert puts the 2020-12 form of one keyword into out, or nothing.
type convert func(l *loader, out *spec.Node, name string, v *spec.Node, p place)

// table holds every keyword that a normalised schema may have and what converts
// it; those missing are dropped. It is filled by init because converters use it.
var table map[string]convert

func init() {
	table = map[string]convert{
		"type": (*loader).types, "enum": (*loader).enum, "const": (*loader).literal, "default": (*loader).literal,
		"required": (*loader).names, "discriminator": (*loader).discriminator, "dependentRequired": (*loader).nameLists,
	}
	for _, group := range []struct {
		convert convert
		names   string
	}{
		{(*loader).subschema, "not if then else contains propertyNames contentSchema items"},
		{(*loader).openness, "additionalProperties unevaluatedProperties unevaluatedItems"},
		{(*loader).schemaMap, "properties patternProperties dependentSchemas"},
		{(*loader).schemaList, "allOf anyOf oneOf prefixItems"},
		{(*loader).number, "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"},
		{(*loader).count, "minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains"},
		{(*loader).words, "format pattern contentEncoding contentMediaType"},
		{(*loader).prose, "title description"},
		{(*loader).flag, "uniqueItems readOnly writeOnly deprecated x-injected"},
	} {
		for name := range strings.FieldsSeq(group.names) {
			table[name] = group.convert
		}
	}
}

// keyword converts one member of a schema.
func (l *loader) keyword(out *spec.Node, name string, v *spec.Node, p place) {
	if c := table[name]; c != nil {
		c(l, out, name, v, p)
	}
}

func (l *loader) literal(out *spec.Node, name string, v *spec.Node, _ place) { out.Set(name, v) }

func (l *loader) subschema(out *spec.Node, name string, v *spec.Node, p place) {
	if v.Kind == spec.Object || v.Kind == spec.Bool {
		out.Set(name, l.schema(v, p))
	}
}

// openness converts a keyword that is a schema or, kept as it is, a boolean.
func (l *loader) openness(out *spec.Node, name string, v *spec.Node, p place) {
	if b, ok := truth(v); ok {
		value := spec.NewBool(b)
		value.Pos = v.Pos
		out.Set(name, value)
		return
	}
	l.subschema(out, name, v, p)
}

func (l *loader) schemaMap(out *spec.Node, name string, v *spec.Node, p place) {
	v, p, fault := l.deref(v, p)
	if fault != "" {
		l.broken[out] = fault
		return
	}
	if v.Kind != spec.Object {
		return
	}
	m := &spec.Node{Kind: spec.Object, Pos: v.Pos, Members: make([]spec.Member, 0, len(v.Members))}
	for _, member := range v.Members {
		m.Members = append(m.Members, spec.Member{
			Name: member.Name, Value: l.schema(member.Value, p), Pos: member.Pos,
		})
	}
	out.Set(name, m)
}

// maxCompared bounds the lists in which equal schemas are looked for.
const maxCompared = 256

// schemaList converts a list of schemas. Of the same schema twice one is left:
// in oneOf, two could never match alone.
func (l *loader) schemaList(out *spec.Node, name string, v *spec.Node, p place) {
	list := &spec.Node{Kind: spec.Array, Pos: v.Pos}
	for _, item := range items(v) {
		if item.Kind != spec.Object && item.Kind != spec.Bool {
			continue
		}
		s := l.schema(item, p)
		if name != "prefixItems" && len(list.Items) < maxCompared && l.contains(list.Items, s) {
			continue
		}
		list.Items = append(list.Items, s)
	}
	if len(list.Items) > 0 {
		out.Set(name, list)
	}
}

// contains leaves out broken references, which all look alike.
func (l *loader) contains(list []*spec.Node, s *spec.Node) bool {
	if _, broken := l.broken[s]; broken {
		return false
	}
	return slices.ContainsFunc(list, s.Equal)
}

func (l *loader) number(out *spec.Node, name string, v *spec.Node, _ place) {
	value, ok := rational(v)
	if !ok || (name == "multipleOf" && value.Sign() <= 0) {
		return
	}
	out.Set(name, numeric(v))
}

// count converts a keyword that takes a whole number from 0 up.
func (l *loader) count(out *spec.Node, name string, v *spec.Node, _ place) {
	value, ok := rational(v)
	if !ok || value.Sign() < 0 || !value.IsInt() {
		return
	}
	out.Set(name, &spec.Node{Kind: spec.Number, Text: value.Num().String(), Pos: v.Pos})
}

// rational reads a number, or a text that is one.
func rational(v *spec.Node) (*big.Rat, bool) {
	if v.Kind != spec.Number && v.Kind != spec.String {
		return nil, false
	}
	n := numeric(v)
	if n == nil {
		return nil, false
	}
	return new(big.Rat).SetString(n.Text)
}

// numeric returns v as a number node, nil if its text is not one.
func numeric(v *spec.Node) *spec.Node {
	if v.Kind == spec.Number {
		return v
	}
	text, ok := spec.Decimal(v.Text)
	if !ok {
		return nil
	}
	return &spec.Node{Kind: spec.Number, Text: text, Pos: v.Pos}
}

func (l *loader) words(out *spec.Node, name string, v *spec.Node, p place) {
	if v, _, _ = l.deref(v, p); v == nil || scalar(v) == "" {
		return
	}
	if name == "format" && strings.TrimSpace(v.Text) == "" {
		return
	}
	out.Set(name, &spec.Node{Kind: spec.String, Text: v.Text, Pos: v.Pos})
}

// prose converts text that people read.
func (l *loader) prose(out *spec.Node, name string, v *spec.Node, p place) {
	l.words(out, name, v, p)
	if text := out.Get(name); text != nil {
		text.Text = decoded(text.Text)
	}
}

func (l *loader) flag(out *spec.Node, name string, v *spec.Node, _ place) {
	if b, ok := truth(v); ok && b {
		value := spec.NewBool(true)
		value.Pos = v.Pos
		out.Set(name, value)
	}
}

// names converts a list of property names; each stands once.
func (l *loader) names(out *spec.Node, name string, v *spec.Node, p place) {
	v, _, fault := l.deref(v, p)
	if fault != "" || v.Kind != spec.Array {
		return
	}
	if list := nameList(v); len(list.Items) > 0 {
		out.Set(name, list)
	}
}

func nameList(v *spec.Node) *spec.Node {
	list := &spec.Node{Kind: spec.Array, Pos: v.Pos}
	seen := map[string]bool{}
	for _, item := range v.Items {
		if text := scalar(item); item.Kind != spec.Null && item.Kind != spec.Array && !seen[text] {
			seen[text] = true
			list.Items = append(list.Items, &spec.Node{Kind: spec.String, Text: text, Pos: item.Pos})
		}
	}
	return list
}

func (l *loader) nameLists(out *spec.Node, name string, v *spec.Node, _ place) {
	if v.Kind != spec.Object {
		return
	}
	m := &spec.Node{Kind: spec.Object, Pos: v.Pos}
	for _, member := range v.Members {
		if member.Value.Kind == spec.Array {
			m.Set(member.Name, nameList(member.Value))
		}
	}
	if len(m.Members) > 0 {
		out.Set(name, m)
	}
}

// discriminator keeps the property's name and turns the mapping into references
// to shared schemas; entries that lead nowhere are dropped.
func (l *loader) discriminator(out *spec.Node, name string, v *spec.Node, p place) {
	property := v
	if v.Kind == spec.Object {
		property = v.Get("propertyName")
	}
	if scalar(property) == "" {
		return
	}
	d := &spec.Node{Kind: spec.Object, Pos: v.Pos}
	d.Set("propertyName", &spec.Node{Kind: spec.String, Text: property.Text, Pos: property.Pos})
	mapping := &spec.Node{Kind: spec.Object, Pos: v.Pos}
	if m := v.Get("mapping"); isObject(m) {
		for _, member := range m.Members {
			if ref := l.mapped(member.Value, p); ref != nil {
				mapping.Set(member.Name, ref)
			}
		}
	}
	if len(mapping.Members) > 0 {
		d.Set("mapping", mapping)
	}
	out.Set(name, d)
}

// mapped resolves one value of a mapping: a reference, or the bare name of a
// component.
func (l *loader) mapped(v *spec.Node, p place) *spec.Node {
	if !isText(v) {
		return nil
	}
	if n := component(p.file.root, v.Text); n != nil {
		v = &spec.Node{Kind: spec.String, Text: componentRef(p.file.root, v.Text), Pos: v.Pos}
	} else if !l.reachable(v, p) {
		return nil
	}
	return l.reference(v, p).Get("$ref")
}
