package generators

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/manifest"
	"github.com/pharos-mcp/pharos/generators/internal/schema"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// explain shows everything about a tool that a reviewer asks: where it comes
// from, what was decided, the request it sends, its size and its schema. It
// works on proposals too.
func (c *command) explain(args []string) error {
	tools, err := c.parse("explain", args, nil)
	if err != nil {
		return err
	}
	if len(tools) != 1 {
		return errUsage("explain takes the name of one tool, or its operation")
	}
	module, err := c.module()
	if err != nil {
		return err
	}
	in, err := read(c.root())
	if err != nil {
		return err
	}
	eachDecision(in.manifest, func(e *manifest.Decision) { e.Undecided = false })
	catalogs, err := in.resolve(module)
	if err != nil {
		return err
	}
	found := false
	for _, catalog := range catalogs {
		for _, op := range catalog.Operations {
			if op.Tool != tools[0] && op.Key != tools[0] {
				continue
			}
			found = true
			if err := c.show(in, catalog, op); err != nil {
				return err
			}
		}
	}
	if found {
		return nil
	}
	err = fmt.Errorf("no tool or operation is called %q", tools[0])
	eachDecision(in.manifest, func(e *manifest.Decision) {
		if e.Key == tools[0] && e.Exclude != "" {
			err = fmt.Errorf("%s is no tool: it is excluded as %q", e.Key, e.Exclude)
		}
	})
	return err
}

func (c *command) show(in *input, catalog *ir.Catalog, op *ir.Operation) error {
	b := schema.New(in.documents[catalog.Name][op.Document])
	if err := spec.Problems(b.Fill(catalog, op)).Err(); err != nil {
		return err
	}
	e := in.manifest.Catalog(catalog.Name).Document(op.Document).Decision(op.Key)
	data := schema.Tool(catalog, op)
	limit := ""
	if catalog.Limits.ToolSchema > 0 {
		limit = fmt.Sprintf(" of %d", catalog.Limits.ToolSchema)
	}
	w := c.stdout
	fmt.Fprintf(w, "tool       %s, catalog %s\n", op.Tool, catalog.Name)
	fmt.Fprintf(w, "operation  %s, %s\n", op.Key, op.Pos)
	fmt.Fprintf(w, "decision   %s, scope %s, %s\n", op.Effect, op.Scope, e.Pos)
	if op.Reason != "" {
		fmt.Fprintf(w, "reason     %s\n", op.Reason)
	}
	if len(op.Was) > 0 {
		fmt.Fprintf(w, "was        %s\n", strings.Join(op.Was, ", "))
	}
	for i, line := range request(catalog, op) {
		fmt.Fprintf(w, "%-10s %s\n", map[bool]string{true: "request"}[i == 0], line)
	}
	fmt.Fprintf(w, "size       %d bytes%s\n", size(data), limit)
	var tool struct {
		InputSchema  json.RawMessage `json:"inputSchema"`
		OutputSchema json.RawMessage `json:"outputSchema"`
	}
	if err := json.Unmarshal(data, &tool); err != nil {
		return err
	}
	for _, s := range []struct {
		name string
		data json.RawMessage
	}{{"input", tool.InputSchema}, {"output", tool.OutputSchema}} {
		var indented bytes.Buffer
		if len(s.data) > 0 && json.Indent(&indented, s.data, "", "  ") == nil {
			fmt.Fprintf(w, "\n%s\n%s\n", s.name, bytes.TrimSpace(indented.Bytes()))
		}
	}
	return nil
}

// request shows how the arguments become a request, or a method call.
func request(c *ir.Catalog, op *ir.Operation) []string {
	if c.Binding == "handler" {
		return []string{fmt.Sprintf("Handler.%s(ctx, *%sInput)", op.GoName, op.GoName)}
	}
	var query, headers []string
	if op.Query != "" {
		query = append(query, op.Query)
	}
	for _, p := range op.Parameters {
		mark := ""
		if !p.Required {
			mark = "?"
		}
		switch {
		case p.Dropped:
			headers = append(headers, fmt.Sprintf("dropped %s %s", p.In, p.Name))
		case p.In == "query":
			query = append(query, fmt.Sprintf("%s={%s%s}", url.QueryEscape(p.Name), p.Key, mark))
		case p.In == "header":
			headers = append(headers, fmt.Sprintf("%s: {%s%s}", p.Name, p.Key, mark))
		case p.In == "cookie":
			headers = append(headers, fmt.Sprintf("Cookie: %s={%s%s}", p.Name, p.Key, mark))
		}
	}
	line := fmt.Sprintf("%s <base of %s>%s", op.Method, op.Document, op.Path)
	if len(query) > 0 {
		line += "?" + strings.Join(query, "&")
	}
	lines := append([]string{line}, headers...)
	if op.Body != nil {
		lines = append(lines, fmt.Sprintf("Content-Type: %s, from body", op.Body.MediaType))
	}
	return lines
}
