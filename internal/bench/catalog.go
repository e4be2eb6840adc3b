package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/pharos-mcp/pharos/edge/tool"
)

// mostTools is how many tools are listed.
const mostTools = 1000

// operationsOf reads the first tools of those that mcpgen generated into a
// folder, as the generated catalog has them, but for their replies.
func operationsOf(dir string) ([]tool.Operation, error) {
	files, err := filepath.Glob(filepath.Join(dir, "schemas", "*.json"))
	if err != nil {
		return nil, err
	}
	if len(files) < mostTools {
		return nil, fmt.Errorf("%s: %d tools were generated, want %d", dir, len(files), mostTools)
	}
	slices.Sort(files)
	operations := make([]tool.Operation, mostTools)
	for i, name := range files[:mostTools] {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var f struct {
			Name, Document, Scope string
			Effect                tool.Effect
			Annotations           struct{ IdempotentHint bool }
		}
		if err := json.Unmarshal(data, &f); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		operations[i] = tool.Operation{
			Tool: f.Name, ID: f.Name, Document: f.Document, Scope: f.Scope, Effect: f.Effect,
			Idempotent: f.Annotations.IdempotentHint,
		}
	}
	return operations, nil
}

// catalog is the catalog of a role: tools to be listed, none to be called. The
// generated package is not compiled, which would take longer than everything
// else; its schemas are read from the folder instead of the program.
func (o role) catalog() (tool.Catalog, error) {
	data, err := os.ReadFile(o.Tools)
	if err != nil {
		return tool.Catalog{}, err
	}
	c := tool.Catalog{Name: "tools", Schemas: os.DirFS(o.Schemas)}
	if err := json.Unmarshal(data, &c.Operations); err != nil {
		return tool.Catalog{}, fmt.Errorf("%s: %w", o.Tools, err)
	}
	for _, op := range c.Operations {
		if !slices.ContainsFunc(c.Documents, func(d tool.Document) bool { return d.Name == op.Document }) {
			c.Documents = append(c.Documents, tool.Document{Name: op.Document})
		}
	}
	c.Dispatch = func(_ context.Context, _ tool.Exchange, op *tool.Operation, _ []byte) (tool.Result, error) {
		return tool.Result{}, fmt.Errorf("%s: %w", op.Tool, tool.ErrUnknown)
	}
	return c, nil
}
