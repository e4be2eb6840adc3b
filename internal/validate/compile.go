package validate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// entry is one operation of a catalog.
type entry struct {
	fsys fs.FS
	name string

	once    sync.Once
	schemas *schemas
	err     error
}

// schemas are the compiled schemas of an operation: of its input, and of its
// JSON replies by the names of their $defs.
type schemas struct {
	input   *jsonschema.Schema
	replies map[string]*jsonschema.Schema
}

func (e *entry) compiled() (*schemas, error) {
	e.once.Do(func() {
		e.schemas, e.err = e.compile()
		if e.err != nil {
			e.err = fmt.Errorf("schemas/%s.json: %w", e.name, e.err)
		}
	})
	return e.schemas, e.err
}

func (e *entry) compile() (*schemas, error) {
	file, err := e.read()
	if err != nil {
		return nil, err
	}
	s := &schemas{replies: map[string]*jsonschema.Schema{}}
	input, err := newCompiler(file.Input)
	if err != nil {
		return nil, err
	}
	if s.input, err = input.Compile(rootURL); err != nil {
		return nil, err
	}
	if len(file.Output) == 0 {
		return s, nil
	}
	output, err := newCompiler(file.Output)
	if err != nil {
		return nil, err
	}
	for _, name := range output.defs {
		if s.replies[name], err = output.Compile(base + name); err != nil {
			return nil, err
		}
	}
	return s, nil
}

const (
	base    = "mem:///defs/"
	rootURL = "mem:///schema"
	prefix  = "#/$defs/"
)

// compiler holds the parts of one self-contained schema as resources of their
// own: the compiler's work on one resource grows with the square of its size.
type compiler struct {
	*jsonschema.Compiler
	defs []string
}

func newCompiler(schema []byte) (*compiler, error) {
	root, ok := decode(schema).(map[string]any)
	if !ok {
		return nil, errors.New("a schema is not an object")
	}
	c := &compiler{Compiler: jsonschema.NewCompiler()}
	c.Draft = jsonschema.Draft2020
	c.LoadURL = func(url string) (io.ReadCloser, error) { return nil, errors.New("no schema is loaded from elsewhere") }
	defs, _ := root["$defs"].(map[string]any)
	c.defs = slices.Sorted(maps.Keys(defs))
	delete(root, "$defs")
	for _, name := range c.defs {
		if err := c.add(base+name, defs[name]); err != nil {
			return nil, err
		}
	}
	return c, c.add(rootURL, root)
}

func (c *compiler) add(url string, schema any) error {
	relocate(schema)
	text, err := json.Marshal(schema)
	if err != nil {
		return err
	}
	return c.AddResource(url, bytes.NewReader(text))
}

// relocate makes references to $defs addresses of resources.
func relocate(schema any) {
	m, ok := schema.(map[string]any)
	if !ok {
		return
	}
	if ref, ok := m["$ref"].(string); ok {
		if name, ok := strings.CutPrefix(ref, prefix); ok {
			m["$ref"] = base + name
		}
	}
	for keyword, v := range m {
		switch keyword {
		case "properties", "patternProperties", "dependentSchemas":
			named, _ := v.(map[string]any)
			for _, sub := range named {
				relocate(sub)
			}
		case "allOf", "anyOf", "oneOf", "prefixItems":
			list, _ := v.([]any)
			for _, sub := range list {
				relocate(sub)
			}
		case "enum", "const", "default", "examples":
		default:
			relocate(v)
		}
	}
}

func decode(text []byte) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}
