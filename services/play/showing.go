package play

import (
	"context"

	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/services/play/failure"
)

// showing is a catalog whose callers are told what the database could not do.
func showing(c tool.Catalog) tool.Catalog {
	perform := c.Dispatch
	c.Dispatch = func(ctx context.Context, x tool.Exchange, op *tool.Operation, arguments []byte) (tool.Result, error) {
		result, err := perform(ctx, x, op, arguments)
		return result, failure.Shown(err)
	}
	return c
}
