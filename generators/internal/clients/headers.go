package clients

import (
	"go/token"
	"regexp"
	"strconv"

	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/normalise"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// Headers are the headers of a response as servers set them.
func Headers(r *normalise.Response) []ir.Header {
	var list []ir.Header
	for _, h := range r.Headers {
		list = append(list, ir.Header{Name: h.Name, Required: h.Required, Schema: h.Schema})
	}
	return list
}

// headers are the headers object of a reply. A header that is not required is
// a pointer, and not sent where that is nil. One whose value is neither a
// number nor a boolean is text, which the handler writes.
//
// oapi-codegen makes the Go name of a header out of its name and takes no
// other. So where two headers of a reply would share one, the name of the
// second is followed by a space and a number, which wireHeaders cuts off.
func (d *document) headers(r *ir.Reply) *spec.Node {
	all := spec.NewObject()
	names := namer{}
	for _, h := range r.Headers {
		name := h.Name
		for i := 2; names[codegen.SchemaNameToTypeName(name)]; i++ {
			name = h.Name + " " + strconv.Itoa(i)
		}
		goName := codegen.SchemaNameToTypeName(name)
		if !token.IsIdentifier(goName) || !token.IsExported(goName) {
			continue // made of punctuation alone
		}
		names[goName] = true
		n := spec.NewObject()
		n.Set("required", spec.NewBool(h.Required))
		n.Set("schema", d.headerType(h.Schema))
		all.Set(name, n)
	}
	return all
}

func (d *document) headerType(n *spec.Node) *spec.Node {
	s := d.models.follow(n)
	if scalar, ok := scalars[s.kind]; ok && !s.null {
		return bare(scalar.schema)
	}
	return bare("string")
}

// numbered is a header that is set under a name with a number behind it.
var numbered = regexp.MustCompile(`(w\.Header\(\)\.Set\("[^" ]+) [0-9]+(", fmt\.Sprint\()`)

// wireHeaders gives numbered headers their names on the wire.
func wireHeaders(code string) string { return numbered.ReplaceAllString(code, "$1$2") }
