package edge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/validate"
)

// entry is one tool: what is listed, and what is called.
type entry struct {
	operation *tool.Operation
	tool      *mcp.Tool
	wrapped   bool // a bare result is shown in a member "result"
	mirrored  bool // the SDK compares headers with arguments (x-mcp-header)
	// What only errors need is found out when the first one does.
	narrowing func() []string        // optional parameters, for a reply that is too large
	codes     func() map[string]bool // by $def: the schema declares a member "code"
}

// file is schemas/<tool>.json.
type file struct {
	Name         string               `json:"name"`
	Title        string               `json:"title"`
	Description  string               `json:"description"`
	Annotations  *mcp.ToolAnnotations `json:"annotations"`
	InputSchema  json.RawMessage      `json:"inputSchema"`
	OutputSchema json.RawMessage      `json:"outputSchema"`
}

// load reads the tools of a catalog, by name. Methods that are no tools are
// left out. With errorObjects the output schemas allow errors.
func load(catalog tool.Catalog, errorObjects bool) (map[string]*entry, error) {
	tools := make(map[string]*entry, len(catalog.Operations))
	for i := range catalog.Operations {
		op := &catalog.Operations[i]
		if op.RPCOnly {
			continue
		}
		e, err := newEntry(catalog, op)
		if err != nil {
			return nil, fmt.Errorf("catalog %s: schemas/%s.json: %w", catalog.Name, op.Tool, err)
		}
		if schema, ok := e.tool.OutputSchema.(json.RawMessage); ok && errorObjects {
			if e.tool.OutputSchema, err = orError(schema); err != nil {
				return nil, fmt.Errorf("catalog %s: schemas/%s.json: outputSchema: %w", catalog.Name, op.Tool, err)
			}
		}
		tools[op.Tool] = e
	}
	return tools, nil
}

func newEntry(catalog tool.Catalog, op *tool.Operation) (*entry, error) {
	data, err := fs.ReadFile(catalog.Schemas, "schemas/"+op.Tool+".json")
	if err != nil {
		return nil, err
	}
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, err
	}
	if f.Name != op.Tool {
		return nil, fmt.Errorf("it describes %q", f.Name)
	}
	if !ofObject(f.InputSchema) {
		return nil, errors.New("its inputSchema is not of an object")
	}
	want := annotations(op)
	if f.Annotations == nil {
		f.Annotations = want
	}
	if a := f.Annotations; a.ReadOnlyHint != want.ReadOnlyHint ||
		(a.DestructiveHint != nil && *a.DestructiveHint != *want.DestructiveHint) {
		return nil, fmt.Errorf("its annotations contradict the effect %q", op.Effect)
	}
	t := &mcp.Tool{
		Name: f.Name, Title: f.Title, Description: f.Description, Annotations: f.Annotations, InputSchema: f.InputSchema,
	}
	if len(f.OutputSchema) > 0 {
		t.OutputSchema = f.OutputSchema
	}
	return &entry{
		operation: op, tool: t, wrapped: catalog.Bare && validate.Wrapped(f.OutputSchema),
		mirrored:  bytes.Contains(f.InputSchema, []byte("x-mcp-header")),
		narrowing: sync.OnceValue(func() []string { return narrowing(f.InputSchema) }),
		codes:     sync.OnceValue(func() map[string]bool { return codes(f.OutputSchema) }),
	}, nil
}

// sizeOf is about how many bytes a list of the tools takes.
func sizeOf(tools map[string]*entry) (size int64) {
	for _, e := range tools {
		input, _ := e.tool.InputSchema.(json.RawMessage)
		output, _ := e.tool.OutputSchema.(json.RawMessage)
		size += int64(len(input) + len(output) + len(e.tool.Description) + len(e.tool.Name))
	}
	return size
}

// ofObject reports whether a schema says that it is of an object, without which
// the SDK takes no input schema.
func ofObject(schema json.RawMessage) bool {
	var root struct {
		Type any `json:"type"`
	}
	return json.Unmarshal(schema, &root) == nil && root.Type == "object"
}

// annotations follow from the reviewed effect (E-20), never from the method.
func annotations(op *tool.Operation) *mcp.ToolAnnotations {
	destructive, open := op.Effect == tool.Delete, false
	return &mcp.ToolAnnotations{
		ReadOnlyHint: op.Effect == tool.Read, DestructiveHint: &destructive,
		IdempotentHint: op.Idempotent, OpenWorldHint: &open,
	}
}

// narrowing lists the optional parameters that can make a reply smaller: those
// of the query, which unlike headers are neither written in title case nor as
// x-something.
func narrowing(schema json.RawMessage) []string {
	var input struct {
		Properties struct {
			Parameters struct {
				Properties map[string]json.RawMessage `json:"properties"`
				Required   []string                   `json:"required"`
			} `json:"parameters"`
		} `json:"properties"`
	}
	if json.Unmarshal(schema, &input) != nil {
		return nil
	}
	p := input.Properties.Parameters
	var names []string
	for name := range p.Properties {
		header := strings.Contains(name, "-") && (name[:1] == strings.ToUpper(name[:1]) || name[0] == 'x')
		if !header && !slices.Contains(p.Required, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// codes tells for each $def whether its schema declares a member "code".
func codes(schema json.RawMessage) map[string]bool {
	var output struct {
		Defs map[string]codeSchema `json:"$defs"`
	}
	if json.Unmarshal(schema, &output) != nil {
		return nil
	}
	found := map[string]bool{}
	for name := range output.Defs {
		found[name] = declaresCode(output.Defs, output.Defs[name], 0)
	}
	return found
}

// codeSchema is as much of a schema as it takes to find a member.
type codeSchema struct {
	Ref        string                     `json:"$ref"`
	Properties map[string]json.RawMessage `json:"properties"`
	AllOf      []codeSchema               `json:"allOf"`
	AnyOf      []codeSchema               `json:"anyOf"`
	OneOf      []codeSchema               `json:"oneOf"`
}

// UnmarshalJSON takes the boolean schemas for empty ones.
func (c *codeSchema) UnmarshalJSON(data []byte) error {
	type plain codeSchema
	if data[0] != '{' {
		return nil
	}
	return json.Unmarshal(data, (*plain)(c))
}

// maxReferences bounds the way from a reply's schema to the one that declares
// its members; schemas may refer to each other in circles.
const maxReferences = 8

func declaresCode(defs map[string]codeSchema, s codeSchema, depth int) bool {
	if depth > maxReferences {
		return false
	}
	if _, ok := s.Properties["code"]; ok {
		return true
	}
	if target, ok := defs[strings.TrimPrefix(s.Ref, "#/$defs/")]; ok && s.Ref != "" && declaresCode(defs, target, depth+1) {
		return true
	}
	for _, part := range slices.Concat(s.AllOf, s.AnyOf, s.OneOf) {
		if declaresCode(defs, part, depth+1) {
			return true
		}
	}
	return false
}
