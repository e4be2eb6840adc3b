package clients

import (
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// enum makes a type with constants of a shared schema that lists the texts it
// admits. Servers have them, so that what they answer is spelt once; a client's
// types stay open, since other people's lists grow.
//
// A constant is named after the type, which ends in Model, and its text, so it
// collides with nothing that is generated for operations.
func (m *models) enum(out *spec.Node, j job) {
	if !m.server || !j.shared {
		return
	}
	values, names := spec.NewArray(), spec.NewArray()
	for _, v := range texts(j.node) {
		name := identifier(v, "Value")
		if slices.ContainsFunc(generatedEnds, func(end string) bool { return strings.HasSuffix(name, end) }) {
			name += "Value"
		}
		values.Items = append(values.Items, spec.NewString(v))
		names.Items = append(names.Items, spec.NewString(m.names.unique(j.name+name, "")))
	}
	if len(values.Items) > 0 {
		out.Set("enum", values)
		out.Set("x-enum-varnames", names)
	}
}

// generatedEnds end the names of what is generated for operations.
var generatedEnds = []string{"Body", "Headers", "Object", "Params", "Request", "Response", suffix}

// texts are the values of an enum of texts, null left out; there are none
// where one is of another type.
func texts(n *spec.Node) []string {
	list := n.Get("enum")
	if list == nil {
		return nil
	}
	var values []string
	for _, v := range list.Items {
		switch v.Kind {
		case spec.Null:
		case spec.String:
			values = append(values, v.Text)
		default:
			return nil
		}
	}
	return values
}
