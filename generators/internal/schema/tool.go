package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// Tool is the file schemas/<tool>.json: what tools/list shows of a tool, and
// the decisions that a reviewer wants beside it. One member a line, so that a
// change of the API is a readable difference (E-51).
func Tool(c *ir.Catalog, op *ir.Operation) []byte {
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
	member("annotations", annotations(c, op))
	member("inputSchema", op.Input)
	if op.Output != nil {
		member("outputSchema", op.Output)
	}
	p.depth = 0
	p.newline()
	return append(p.out, "}\n"...)
}

// annotations are the hints of E-20, out of the reviewed effect. The world is
// open where the operation reaches an API over HTTP.
func annotations(c *ir.Catalog, op *ir.Operation) *spec.Node {
	n := spec.NewObject()
	n.Set("readOnlyHint", spec.NewBool(op.Effect == "read"))
	n.Set("destructiveHint", spec.NewBool(op.Effect == "delete"))
	n.Set("idempotentHint", spec.NewBool(op.Idempotent()))
	n.Set("openWorldHint", spec.NewBool(c.Binding == "http"))
	return n
}

// Budget reports the tools and the catalog whose schemas are larger than the
// manifest allows (E-50), in bytes as tools/list sends them.
func Budget(c *ir.Catalog) spec.Problems {
	var problems spec.Problems
	type size struct {
		op    *ir.Operation
		bytes int
	}
	var sizes []size
	total := 0
	for _, op := range c.Operations {
		if op.RPCOnly {
			continue
		}
		n := Size(op)
		total += n
		sizes = append(sizes, size{op, n})
		if c.Limits.ToolSchema > 0 && n > c.Limits.ToolSchema {
			problems = append(problems, spec.Problem{
				Pos: op.Pos, Rule: "E-50",
				Message: fmt.Sprintf("the schemas of %s have %d bytes, more than the %d of limits.tool_schema",
					op.Tool, n, c.Limits.ToolSchema),
				Hint: "raise the limit in the manifest, or exclude the operation",
			})
		}
	}
	if c.Limits.CatalogSchemas == 0 || total <= c.Limits.CatalogSchemas {
		return problems
	}
	slices.SortStableFunc(sizes, func(a, b size) int { return b.bytes - a.bytes })
	var largest []string
	for _, s := range sizes[:min(5, len(sizes))] {
		largest = append(largest, fmt.Sprintf("%s %d", s.op.Tool, s.bytes))
	}
	return append(problems, spec.Problem{
		Pos: sizes[0].op.Pos, Rule: "E-50",
		Message: fmt.Sprintf("the schemas of catalog %s have %d bytes, more than the %d of limits.catalog_schemas",
			c.Name, total, c.Limits.CatalogSchemas),
		Hint: "raise the limit in the manifest, or exclude operations; the largest are " + strings.Join(largest, ", "),
	})
}

// Size is how many bytes the schemas of a tool have, without blanks.
func Size(op *ir.Operation) int {
	buffer := op.Input.AppendJSON(nil)
	if op.Output != nil {
		buffer = op.Output.AppendJSON(buffer)
	}
	return len(buffer)
}
