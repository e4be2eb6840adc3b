// Package schema makes the JSON Schemas of tools out of a normalised document:
// what a tool takes and what it gives, each self-contained.
//
// Shared schemas stay shared: they become members of $defs under the names of
// the document, converted once for each purpose, and a tool holds those that it
// reaches. Nothing is inlined, so recursion needs no special care. The dialect
// is JSON Schema 2020-12, kept to what RE2 and ECMAScript validators read alike.
package schema

import (
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/normalise"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// Prefixes of references, before and after.
const (
	componentPrefix = "#/components/schemas/"
	defPrefix       = "#/$defs/"
)

// Builder makes the schemas of the tools of one document. It is not safe for
// concurrent use.
type Builder struct {
	doc       *normalise.Document
	facts     map[string]*facts
	gathering []string // the shared schemas whose facts are being gathered
	cycles    cycles
	defs      map[variant]*def
	roots     []root // what Prove compiles beside the defs
}

// New returns a builder for a document. The document must not change after.
func New(doc *normalise.Document) *Builder {
	b := &Builder{doc: doc, facts: map[string]*facts{}, defs: map[variant]*def{}}
	b.cycles = findCycles(doc.Schemas)
	return b
}

// direction says which way the described value travels.
type direction uint8

const (
	input direction = iota
	output
)

// variant is one conversion of a shared schema.
type variant struct {
	name string
	dir  direction
	// open leaves an object open to members it does not declare, because a
	// composition around it closes the whole.
	open bool
	// files is how near a multipart body is: see scope.files.
	files uint8
	// own leaves out the alternatives that lead back to the schema: it is the
	// base that those alternatives extend.
	own bool
}

// def is a converted shared schema with the variants it refers to, in order of
// first use.
type def struct {
	name string
	node *spec.Node
	size int // in bytes, as compact JSON
	refs []reference
}

// reference is a use of a shared schema. One of the alternatives of an input
// is bound to whatever holds it: without it, others could no longer be told
// from it.
type reference struct {
	variant
	bound bool
}

// def converts a shared schema once.
func (b *Builder) def(v variant) *def {
	if d := b.defs[v]; d != nil {
		return d
	}
	d := &def{name: b.defName(v)}
	b.defs[v] = d
	s := scope{b: b, dir: v.dir, open: v.open, files: v.files, owner: v.name, own: v.own, refs: &d.refs}
	d.node = s.schema(b.doc.Schemas[v.name])
	d.size = len(d.node.AppendJSON(nil))
	return d
}

// defName is what the variant is called in $defs: the document's own name
// where that is unambiguous.
func (b *Builder) defName(v variant) string {
	name := v.name
	if v.own {
		name += "_base"
	}
	if v.files > 0 {
		name += []string{"", "_part", "_form"}[v.files]
	}
	if v.open {
		name += "_open"
	}
	if name != v.name {
		name = b.unique(name)
	}
	return name
}

// unique lengthens a name until no shared schema has it.
func (b *Builder) unique(name string) string {
	for b.doc.Schemas[name] != nil {
		name += "_"
	}
	return name
}

// target is the shared schema that a node refers to, with its name; nil if it
// refers to none.
func (b *Builder) target(n *spec.Node) (string, *spec.Node) {
	name, ok := strings.CutPrefix(n.Str("$ref"), componentPrefix)
	if !ok {
		return "", nil
	}
	return name, b.doc.Schemas[name]
}
