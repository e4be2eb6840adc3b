package schema

import (
	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// Tool is the file schemas/<tool>.json: what tools/list shows of a tool, and
// the decisions that a reviewer wants beside it. One member a line, so that a
// change of the API is a readable difference (E-51).
func Tool(_ *ir.Catalog, op *ir.Operation) []byte {
	p := printer{out: []byte{'{'}, depth: 1}
	first := true
	member := func(name string, v *spec.Node) {
		if !first {
			p.out = append(p.out, ',')
		}
		first = false
		p.newline()
		p.member(name, v)
	}
	member("name", spec.NewString(op.Tool))
	if op.Title != "" {
		member("title", spec.NewString(op.Title))
	}
	if op.Description != "" {
		member("description", spec.NewString(op.Description))
	}
	member("operation", spec.NewString(op.Key))
	member("document", spec.NewString(op.Document))
	member("scope", spec.NewString(op.Scope))
	member("effect", spec.NewString(op.Effect))
	if len(op.Was) > 0 {
		was := spec.NewArray()
		for _, name := range op.Was {
			was.Items = append(was.Items, spec.NewString(name))
		}
		member("was", was)
	}
	member("annotations", annotations(op))
	member("inputSchema", op.Input)
	if op.Output != nil {
		member("outputSchema", op.Output)
	}
	p.depth = 0
	p.newline()
	return append(p.out, "}\n"...)
}

// annotations are the hints of E-20, out of the reviewed effect. A catalog is a
// closed world: its operations are all that it reaches.
func annotations(op *ir.Operation) *spec.Node {
	n := spec.NewObject()
	n.Set("readOnlyHint", spec.NewBool(op.Effect == "read"))
	n.Set("destructiveHint", spec.NewBool(op.Effect == "delete"))
	n.Set("idempotentHint", spec.NewBool(op.Idempotent()))
	n.Set("openWorldHint", spec.NewBool(false))
	return n
}
