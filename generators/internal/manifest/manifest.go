// Package manifest reads and writes manifest.json: one reviewed decision for
// every operation of every document.
//
// Parse is strict. Unknown members, wrong types and impossible values are all
// reported at once, each with its place; what a decision means beside its
// document is the business of package resolve. Format writes the one canonical
// form, except that a decision nobody changed keeps the spelling of its author.
package manifest

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// Schema is the JSON Schema of manifest.json, for editors.
//
//go:embed schema.json
var Schema []byte

// SchemaPath is where generation writes Schema, relative to the module.
const SchemaPath = "generated/manifest.schema.json"

// Manifest is a whole file.
type Manifest struct {
	File     string
	Catalogs []*Catalog // by name
	Pos      spec.Pos
}

// Catalog is one MCP surface.
type Catalog struct {
	Name      string
	Binding   string // "http" or "handler"
	Input     string // "grouped" or "top"
	Result    string // "envelope" or "bare"
	RPC       bool   // tools that ask the service's RPC are generated too
	Limits    Limits
	Documents []*Document // by name
	Pos       spec.Pos
}

// Limits are bounds in bytes; zero is unset.
type Limits struct {
	Arguments      int
	Reply          int
	ToolSchema     int
	CatalogSchemas int
	Pos            spec.Pos
}

// Document is one assembled specification and the decisions on its operations.
type Document struct {
	Name       string
	Files      []string          // globs, relative to the module
	References map[string]string // URL of an allowed remote reference → local file
	Owner      string            // default owner; "" means the document says it by x-owner
	Server     bool
	Decisions  []*Decision // by path, then method
	Pos        spec.Pos
}

// Decision is what the reviewers say of one operation.
type Decision struct {
	Key        string // "GET /x/{id}"
	Tool       string
	Was        []string // names the tool had before
	Owner      string   // overrides the document's
	Scope      string
	Effect     string
	Reason     string
	Drop       []string          // parameters that are neither advertised nor sent
	Alias      map[string]string // parameter, "NAME" or "IN NAME" → key in the arguments
	AllowSlash []string          // path parameters that may hold / and \
	Body       string            // "raw" or ""
	Exclude    string
	Undecided  bool
	Pos        spec.Pos // of the key

	places map[string]spec.Pos // of the members
	source []byte              // as its author wrote it; nil once changed
}

// Place is where a member of the decision stands, or the decision itself if it
// has no such member.
func (d *Decision) Place(member string) spec.Pos {
	if p, ok := d.places[member]; ok {
		return p
	}
	return d.Pos
}

// Changed tells Format that the decision is no longer what its author wrote.
func (d *Decision) Changed() { d.source = nil }

// IsTool reports whether the decision gives the operation a Go method: it is a
// tool or a method of the service's RPC.
func (d *Decision) IsTool() bool { return d.Exclude == "" || d.Exclude == RPCOnly }

// RPCOnly excludes an operation from the tools and keeps it as a method.
const RPCOnly = "rpc-only"

// Catalog returns the catalog of that name, or nil.
func (m *Manifest) Catalog(name string) *Catalog {
	for _, c := range m.Catalogs {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Document returns the document of that name, or nil.
func (c *Catalog) Document(name string) *Document {
	for _, d := range c.Documents {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// Decision returns the decision on the operation with that key, or nil.
func (d *Document) Decision(key string) *Decision {
	i, ok := slices.BinarySearchFunc(d.Decisions, key, func(e *Decision, k string) int {
		return CompareKeys(e.Key, k)
	})
	if !ok {
		return nil
	}
	return d.Decisions[i]
}

// Add puts a decision in its place; there must be none with its key.
func (d *Document) Add(e *Decision) {
	i, _ := slices.BinarySearchFunc(d.Decisions, e.Key, func(e *Decision, k string) int {
		return CompareKeys(e.Key, k)
	})
	d.Decisions = slices.Insert(d.Decisions, i, e)
}

// CompareKeys orders operation keys by path, then method.
func CompareKeys(a, b string) int {
	am, ap, _ := strings.Cut(a, " ")
	bm, bp, _ := strings.Cut(b, " ")
	if c := strings.Compare(ap, bp); c != 0 {
		return c
	}
	return strings.Compare(am, bm)
}
