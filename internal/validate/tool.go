package validate

import (
	"encoding/json"
	"fmt"
	"io/fs"

	"github.com/pharos-mcp/pharos/edge/tool"
)

// Tool is what a catalog's schema file says of a tool: what tools/list shows.
type Tool struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Annotations Annotations     `json:"annotations"`
	Input       json.RawMessage `json:"inputSchema"`
	Output      json.RawMessage `json:"outputSchema"` // nil if the result has no schema
}

// Annotations are the hints of a tool (E-20).
type Annotations struct {
	ReadOnly    bool `json:"readOnlyHint"`
	Destructive bool `json:"destructiveHint"`
	Idempotent  bool `json:"idempotentHint"`
	OpenWorld   bool `json:"openWorldHint"`
}

// Tool reads the schema file of an operation.
func (s *Set) Tool(op *tool.Operation) (Tool, error) {
	e := s.tools[op.Tool]
	if e == nil {
		return Tool{}, fmt.Errorf("%s: %w", op.Tool, tool.ErrUnknown)
	}
	return e.read()
}

// Wrapped reports whether a tool of a catalog with bare results shows its
// result in a member "result": its output schema says so where the result need
// not be an object, which structured content must be.
func Wrapped(output json.RawMessage) bool {
	var root struct {
		Ref *string `json:"$ref"`
	}
	return len(output) > 0 && json.Unmarshal(output, &root) == nil && root.Ref == nil
}

func (e *entry) read() (Tool, error) {
	var t Tool
	data, err := fs.ReadFile(e.fsys, "schemas/"+e.name+".json")
	if err != nil {
		return t, err
	}
	if err := json.Unmarshal(data, &t); err != nil {
		return t, err
	}
	if t.Name != e.name {
		return t, fmt.Errorf("it describes %q", t.Name)
	}
	return t, nil
}
