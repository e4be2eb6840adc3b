package apicheck

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/pharos-mcp/pharos/edge/tool"
)

// Document makes what Middleware takes of a document whose operations are no
// tools: a catalog of their inputs, which performs nothing. The file is one that
// mcpgen bundles.
func Document(fsys fs.FS, name string) (tool.Catalog, error) {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return tool.Catalog{}, err
	}
	var d bundle
	if err := json.Unmarshal(text, &d); err != nil {
		return tool.Catalog{}, fmt.Errorf("%s: %w", name, err)
	}
	c, files := tool.Catalog{Name: name}, schemas{}
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(d.Paths[path])) {
			op := d.Paths[path][method]
			schema, err := json.Marshal(map[string]any{"name": op.tool(), "inputSchema": op.input(d.Components.Schemas)})
			if err != nil {
				return tool.Catalog{}, fmt.Errorf("%s: %s: %w", name, op.ID, err)
			}
			c.Operations = append(c.Operations, tool.Operation{Tool: op.tool(), ID: op.ID})
			files["schemas/"+op.tool()+".json"] = local(schema)
		}
	}
	c.Schemas = files
	return c, nil
}

// schemas are files that are read and never opened.
type schemas map[string][]byte

// ReadFile implements fs.ReadFileFS.
func (s schemas) ReadFile(name string) ([]byte, error) {
	if text, ok := s[name]; ok {
		return text, nil
	}
	return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
}

// Open implements fs.FS.
func (s schemas) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
}

// bundle is the part of a document that says what requests there are.
type bundle struct {
	Paths      map[string]map[string]described
	Components struct {
		Schemas map[string]json.RawMessage
	}
}

type described struct {
	ID         string `json:"operationId"`
	Parameters []struct {
		Name, In string
		Required bool
		Schema   json.RawMessage
	}
	RequestBody *struct {
		Required bool
		Content  map[string]struct{ Schema json.RawMessage }
	}
}

// tool is the name that goName makes the operation's name of.
func (op described) tool() string {
	var b strings.Builder
	for _, c := range op.ID {
		if unicode.IsUpper(c) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// group is the schema of a closed object.
type group struct {
	Type       string                     `json:"type"`
	Properties map[string]json.RawMessage `json:"properties"`
	Required   []string                   `json:"required,omitempty"`
	Closed     bool                       `json:"additionalProperties"` // false: no others
	Defs       map[string]json.RawMessage `json:"$defs,omitempty"`
}

func newGroup() group { return group{Type: "object", Properties: map[string]json.RawMessage{}} }

func (g *group) add(name string, required bool, schema json.RawMessage) {
	if g.Properties[name] = schema; required {
		g.Required = append(g.Required, name)
	}
}

// input is the schema of the operation's arguments as groups.
func (op described) input(defs map[string]json.RawMessage) group {
	path, parameters, all := newGroup(), newGroup(), newGroup()
	for _, p := range op.Parameters {
		if p.In == "path" {
			path.add(p.Name, true, p.Schema)
		} else {
			parameters.add(p.Name, p.Required, p.Schema)
		}
	}
	for name, g := range map[string]group{"path": path, "parameters": parameters} {
		if len(g.Properties) > 0 {
			schema, _ := json.Marshal(g) // a group always has JSON
			all.add(name, len(g.Required) > 0, schema)
		}
	}
	if op.RequestBody != nil {
		for _, content := range op.RequestBody.Content { // mcpgen keeps one
			all.add("body", op.RequestBody.Required, content.Schema)
		}
	}
	slices.Sort(all.Required)
	all.Defs = defs
	return all
}

// local makes references to a document's schemas those of a schema's own.
func local(schema []byte) []byte {
	return bytes.ReplaceAll(schema, []byte(`"#/components/schemas/`), []byte(`"#/$defs/`))
}
