package apifuzz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"go.yaml.in/yaml/v3"
)

// base is where schemas are for the compiler, which loads nothing from
// anywhere else.
const base = "mem:///"

// Document is the description of an API, in files that refer to each other.
type Document struct {
	Operations []*Operation // by identifier

	files    map[string]any
	compiler *jsonschema.Compiler
	compiled map[place]*jsonschema.Schema
}

// place is a value in a document: a file and the way to the value.
type place struct{ file, pointer string }

// Load reads the documents that match a pattern.
func Load(fsys fs.FS, pattern string) (*Document, error) {
	names, err := fs.Glob(fsys, pattern)
	if err != nil {
		return nil, err
	}
	d := &Document{
		files: map[string]any{}, compiler: jsonschema.NewCompiler(), compiled: map[place]*jsonschema.Schema{},
	}
	d.compiler.Draft, d.compiler.AssertFormat = jsonschema.Draft2020, true
	for _, name := range names {
		if err := d.read(fsys, name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, file := range slices.Sorted(maps.Keys(d.files)) {
		if err := d.operations(file); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	slices.SortFunc(d.Operations, func(a, b *Operation) int { return strings.Compare(a.ID, b.ID) })
	return d, nil
}

// read reads one file, whose values are those of JSON.
func (d *Document) read(fsys fs.FS, name string) error {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	var value any
	if err := yaml.Unmarshal(text, &value); err != nil {
		return err
	}
	if text, err = json.Marshal(value); err != nil {
		return err
	}
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	file := path.Base(name)
	d.files[file] = value
	return d.compiler.AddResource(base+file, bytes.NewReader(text))
}

// child is a value inside another.
func (p place) child(names ...string) place {
	for _, name := range names {
		p.pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
	}
	return p
}

// get gives the value at a place, or nil.
func (d *Document) get(p place) any {
	value := d.files[p.file]
	for name := range strings.SplitSeq(strings.TrimPrefix(p.pointer, "/"), "/") {
		if p.pointer == "" {
			break
		}
		switch v := value.(type) {
		case map[string]any:
			value = v[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
		case []any:
			n, err := strconv.Atoi(name)
			if err != nil || n >= len(v) {
				return nil
			}
			value = v[n]
		default:
			return nil
		}
	}
	return value
}

// object gives the object at a place, where references from it lead, with that
// place.
func (d *Document) object(p place) (place, map[string]any) {
	for range 100 {
		node, _ := d.get(p).(map[string]any)
		ref, ok := node["$ref"].(string)
		if !ok {
			return p, node
		}
		file, pointer, _ := strings.Cut(ref, "#")
		if file != "" {
			p.file = path.Base(file)
		}
		p.pointer = pointer
	}
	return p, nil
}

// schema compiles the schema at a place.
func (d *Document) schema(p place) (*jsonschema.Schema, error) {
	if s := d.compiled[p]; s != nil {
		return s, nil
	}
	s, err := d.compiler.Compile(base + p.file + "#" + (&url.URL{Fragment: p.pointer}).EscapedFragment())
	if err == nil {
		d.compiled[p] = s
	}
	return s, err
}

// fits tells whether a value is as the schema at a place says, and why not.
func (d *Document) fits(p place, value any) error {
	s, err := d.schema(p)
	if err != nil {
		return err
	}
	return s.Validate(value)
}
