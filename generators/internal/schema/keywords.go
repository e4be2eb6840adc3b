package schema

import (
	"slices"
	"strconv"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// plain are the keywords that are taken over as they are if their value is of
// the right type.
var plain = map[string]func(*spec.Node) bool{
	"title":             func(v *spec.Node) bool { return v.Kind == spec.String && v.Text != "" },
	"const":             func(*spec.Node) bool { return true },
	"deprecated":        func(v *spec.Node) bool { return v.Kind == spec.Bool },
	"minimum":           isNumber,
	"maximum":           isNumber,
	"exclusiveMinimum":  isNumber,
	"exclusiveMaximum":  isNumber,
	"multipleOf":        func(v *spec.Node) bool { return isNumber(v) && positive(v.Text) },
	"minItems":          isCount,
	"maxItems":          isCount,
	"minContains":       isCount,
	"maxContains":       isCount,
	"minProperties":     isCount,
	"maxProperties":     isCount,
	"uniqueItems":       func(v *spec.Node) bool { return v.Kind == spec.Bool },
	"contentEncoding":   func(v *spec.Node) bool { return v.Kind == spec.String },
	"contentMediaType":  func(v *spec.Node) bool { return v.Kind == spec.String },
	"dependentRequired": isNameLists,
}

func isNumber(v *spec.Node) bool { return v.Kind == spec.Number }

func isCount(v *spec.Node) bool { return v.Kind == spec.Number && whole(v.Text) }

// whole reports whether a number is written as a count.
func whole(text string) bool {
	n, err := strconv.ParseUint(text, 10, 53)
	return err == nil && itoa(int(n)) == text
}

func positive(text string) bool {
	f, err := strconv.ParseFloat(text, 64)
	return err == nil && f > 0
}

func itoa(n int) string { return strconv.Itoa(n) }

func isNameLists(v *spec.Node) bool {
	if v.Kind != spec.Object {
		return false
	}
	return !slices.ContainsFunc(v.Members, func(m spec.Member) bool {
		return m.Value.Kind != spec.Array || len(names(m.Value)) != len(m.Value.Items)
	})
}

// names are the strings of an array, each once, in order.
func names(v *spec.Node) []string {
	var list []string
	for _, item := range v.Items {
		if item.Kind == spec.String && !slices.Contains(list, item.Text) {
			list = append(list, item.Text)
		}
	}
	return list
}

var typeNames = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

// types takes over a type keyword, without names that JSON Schema does not
// have; nil if nothing is left.
func types(v *spec.Node) *spec.Node {
	if v.Kind == spec.String {
		if slices.Contains(typeNames, v.Text) {
			return v
		}
		return nil
	}
	list := spec.NewArray()
	for _, name := range names(v) {
		if slices.Contains(typeNames, name) {
			list.Items = append(list.Items, spec.NewString(name))
		}
	}
	switch len(list.Items) {
	case 0:
		return nil
	case 1:
		return list.Items[0]
	}
	return list
}

// put adds a member. Members mostly come in order, which makes it cheap.
func put(out *spec.Node, m spec.Member, v *spec.Node) {
	if n := len(out.Members); n == 0 || out.Members[n-1].Name < m.Name {
		out.Members = append(out.Members, spec.Member{Name: m.Name, Value: v, Pos: m.Pos})
		return
	}
	out.Set(m.Name, v)
}

// extend appends schemas to allOf, anyOf or oneOf.
func extend(out *spec.Node, keyword string, schemas ...*spec.Node) {
	if list := out.Get(keyword); list != nil {
		list.Items = append(list.Items, schemas...)
		return
	}
	out.Set(keyword, spec.NewArray(schemas...))
}

// bound sets minLength or maxLength unless a tighter one is there.
func bound(out *spec.Node, name string, v *spec.Node) {
	present := out.Get(name)
	if present != nil {
		before, _ := strconv.Atoi(present.Text)
		after, _ := strconv.Atoi(v.Text)
		if name == "minLength" && before >= after || name == "maxLength" && before <= after {
			return
		}
	}
	out.Set(name, v)
}
