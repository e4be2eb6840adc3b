package resolve

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/manifest"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// Budgets holds the sizes of a catalog's tools, in bytes as a client lists
// them, against the catalog's limits, and names the largest (E-50).
func Budgets(c *manifest.Catalog, tools map[string]int, operations []*ir.Operation) spec.Problems {
	var problems spec.Problems
	var listed []*ir.Operation
	total := 0
	for _, op := range operations {
		if op.RPCOnly {
			continue
		}
		listed = append(listed, op)
		total += tools[op.Tool]
	}
	slices.SortStableFunc(listed, func(a, b *ir.Operation) int { return cmp.Compare(tools[b.Tool], tools[a.Tool]) })
	if limit := c.Limits.ToolSchema; limit > 0 {
		for _, op := range listed {
			if size := tools[op.Tool]; size > limit {
				problems = append(problems, spec.Problem{
					Pos: op.Pos, Rule: "E-50",
					Message: fmt.Sprintf("tool %s has %d bytes, %d are allowed (tool_schema)", op.Tool, size, limit),
					Hint: fmt.Sprintf("see mcpgen explain %s; shorten its schema, exclude the operation, "+
						`or raise "tool_schema" of catalog "%s"`, op.Tool, c.Name),
				})
			}
		}
	}
	if limit := c.Limits.CatalogSchemas; limit > 0 && total > limit {
		var largest []string
		for _, op := range listed[:min(len(listed), 5)] {
			largest = append(largest, fmt.Sprintf("%s (%d)", op.Tool, tools[op.Tool]))
		}
		problems = append(problems, spec.Problem{
			Pos: c.Limits.Pos, Rule: "E-50",
			Message: fmt.Sprintf(`the tools of catalog "%s" have %d bytes, %d are allowed (catalog_schemas)`,
				c.Name, total, limit),
			Hint: "the largest are " + strings.Join(largest, ", "),
		})
	}
	return problems
}
