package clients

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// raw is the Go type of a value that stays the bytes it came as.
const raw = "json.RawMessage"

// parameterType is the Go type of a parameter and its schema. Exact is the
// type of numbers: it keeps all their digits in clients.
func (m *models) parameterType(p *ir.Parameter, exact string) (string, *spec.Node) {
	s := m.follow(p.Schema)
	if p.JSON || s.null && p.Required {
		return raw, freeSchema()
	}
	if s.kind == list && s.items != nil {
		if item := m.follow(s.items); !item.null {
			if goType, schema := primitive(item.kind, exact); goType != "" {
				array := bare("array")
				array.Set("items", schema)
				return "[]" + goType, array
			}
		}
		return raw, freeSchema()
	}
	if goType, schema := primitive(s.kind, exact); goType != "" {
		return goType, schema
	}
	return raw, freeSchema()
}

func primitive(k kind, exact string) (string, *spec.Node) {
	scalar, ok := scalars[k]
	if !ok {
		return "", nil
	}
	schema := bare(scalar.schema)
	if k == number {
		schema.Set("x-go-type", spec.NewString(exact))
		return exact, schema
	}
	return scalar.goType, schema
}

// nameParameters gives the parameters of an operation their Go names and
// types.
func (d *document) nameParameters(op *ir.Operation) []*ir.Parameter {
	ordered := make([]*ir.Parameter, len(op.Parameters))
	for i := range op.Parameters {
		ordered[i] = &op.Parameters[i]
	}
	slices.SortStableFunc(ordered, func(a, b *ir.Parameter) int {
		return cmp.Or(
			cmp.Compare(order(op.Path, a), order(op.Path, b)),
			strings.Compare(a.Key, b.Key), strings.Compare(a.Name, b.Name), strings.Compare(a.In, b.In),
		)
	})
	names, variables := namer{}, namer{}
	for _, p := range ordered {
		base := cmp.Or(identifier(p.Key, ""), identifier(p.Name, ""), "Param")
		if p.In == "path" {
			base = argument(base)
			for variables[codegen.LowercaseFirstCharacters(base)] {
				base += "X"
			}
			variables[codegen.LowercaseFirstCharacters(base)] = true
		}
		p.GoName = names.unique(base, "")
		p.GoType, _ = d.models.parameterType(p, d.exact)
	}
	return ordered
}

// order puts path parameters first, in the order of the template.
func order(path string, p *ir.Parameter) int {
	if p.In != "path" {
		return len(path)
	}
	return strings.Index(path, "{"+p.Name+"}")
}

// parameter is the parameter object of the code-generation document.
func (d *document) parameter(p *ir.Parameter, name string) *spec.Node {
	_, schema := d.models.parameterType(p, d.exact)
	n := spec.NewObject()
	n.Set("name", spec.NewString(name))
	n.Set("in", spec.NewString(p.In))
	n.Set("required", spec.NewBool(p.Required || p.In == "path"))
	n.Set("schema", schema)
	n.Set("style", spec.NewString("simple"))
	if d.in.Server {
		n.Set("style", spec.NewString(p.Style))
		n.Set("explode", spec.NewBool(p.Explode))
	}
	if text := sentence(p.Description); text != "" {
		n.Set("description", spec.NewString(comment(p.GoName, "– "+text)))
	}
	n.Set("x-go-name", spec.NewString(p.GoName))
	n.Set("x-wire", spec.NewString(strconv.Quote(p.Name)))
	n.Set("x-style", spec.NewString(style(p)))
	n.Set("x-sent", spec.NewBool(!p.Dropped))
	if schema.Has("x-go-type-skip-optional-pointer") {
		n.Set("x-go-type-skip-optional-pointer", spec.NewBool(true))
	}
	tag := p.Key
	switch {
	case !p.Required:
		tag += ",omitempty"
	case tag == "-":
		tag = "-,"
	}
	tags := spec.NewObject()
	tags.Set("json", spec.NewString(tag))
	n.Set("x-oapi-codegen-extra-tags", tags)
	return n
}

// style is the Go expression of how a parameter is written.
func style(p *ir.Parameter) string {
	if p.JSON {
		return "tool.JSON"
	}
	words := map[string]string{
		"simple": "Simple", "label": "Label", "matrix": "Matrix", "form": "Form",
		"spaceDelimited": "SpaceDelimited", "pipeDelimited": "PipeDelimited", "deepObject": "DeepObject",
	}
	word := words[p.Style]
	if word == "" {
		word = "Simple"
		if p.In == "query" || p.In == "cookie" {
			word = "Form"
		}
	}
	expression := "tool." + word
	for _, flag := range []struct {
		on   bool
		name string
	}{{p.Explode, "Explode"}, {p.AllowReserved, "Reserved"}, {p.AllowSlash, "Slash"}} {
		if flag.on {
			expression += fmt.Sprintf("|tool.%s", flag.name)
		}
	}
	return expression
}
