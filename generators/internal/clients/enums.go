package clients

import (
	"regexp"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// enum makes a type with constants of a shared schema that lists the texts it
// admits. Servers have them, so that what they answer is spelt once; a client's
// types stay open, since other people's lists grow.
//
// A constant is named after the type and its text, and Value where that is the
// name of something else.
func (m *models) enum(out *spec.Node, j job) {
	if !m.server || !j.shared {
		return
	}
	values, names := spec.NewArray(), spec.NewArray()
	for _, v := range texts(j.node) {
		name := identifier(v, "Value")
		if m.generated(j.name + name) {
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

// generated reports whether a name may be that of what is generated for an
// operation.
func (m *models) generated(name string) bool {
	return slices.ContainsFunc(m.operations, func(op string) bool {
		rest, ok := strings.CutPrefix(name, op)
		return ok && operationTypes.MatchString(rest) || name == "New"+op+"Request"
	})
}

// operationTypes are what follows the name of an operation in the names of its
// types.
var operationTypes = regexp.MustCompile(
	`^(Params|[A-Za-z]*RequestBody|RequestObject|ResponseObject|(default|[1-5]XX|[0-9]{3}).*Response(Headers)?)$`)

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
