package blocks

import (
	"cmp"
	"slices"
	"strings"
)

// Property is one property of a state.
type Property struct{ Name, Value string }

// Split takes a canonical state apart: the name, and the properties in order.
// It copies nothing of the text and checks nothing.
func Split(state string) (name string, properties []Property) {
	name, list, found := strings.Cut(state, "[")
	if !found {
		return name, nil
	}
	list = strings.TrimSuffix(list, "]")
	properties = make([]Property, 0, strings.Count(list, ",")+1)
	for item := range strings.SplitSeq(list, ",") {
		key, value, _ := strings.Cut(item, "=")
		properties = append(properties, Property{key, value})
	}
	return name, properties
}

// Join is the inverse of Split. Properties may come in any order.
func Join(name string, properties []Property) string {
	if len(properties) == 0 {
		return name
	}
	byName := func(a, b Property) int { return cmp.Compare(a.Name, b.Name) }
	if !slices.IsSortedFunc(properties, byName) {
		properties = slices.SortedFunc(slices.Values(properties), byName)
	}
	var out strings.Builder
	out.WriteString(name)
	separator := byte('[')
	for _, p := range properties {
		out.WriteByte(separator)
		out.WriteString(p.Name)
		out.WriteByte('=')
		out.WriteString(p.Value)
		separator = ','
	}
	out.WriteByte(']')
	return out.String()
}

// Get is the value of a property of a canonical state, or "".
func Get(state, property string) string {
	_, list, _ := strings.Cut(state, "[")
	for item := range strings.SplitSeq(strings.TrimSuffix(list, "]"), ",") {
		if key, value, _ := strings.Cut(item, "="); key == property {
			return value
		}
	}
	return ""
}
