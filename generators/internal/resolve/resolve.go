// Package resolve applies the reviewed decisions of the manifest to the
// documents: everything that a generated catalog is, by name, order and
// content, is settled here, and every parity rule is checked here.
//
// A rule never stops at its first offender. All problems of a run come back
// together, each with its place in the manifest or the document and with what
// to write instead.
package resolve

import (
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/manifest"
	"github.com/pharos-mcp/pharos/generators/internal/normalise"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// Committed is what the generated folder holds before this run: the tools of
// each catalog. Renames are judged against it (E-05).
type Committed map[string][]CommittedTool

// CommittedTool is one tool as it was generated last.
type CommittedTool struct {
	Name     string
	Was      []string // its former names
	Document string
	Key      string // "GET /x/{id}"
}

// Resolve turns decisions and documents into catalogs. The documents are given
// by catalog and name; one that is missing could not be loaded and is passed
// over, its problems being known already. The error is spec.Problems.
func Resolve(
	m *manifest.Manifest, docs map[string]map[string]*normalise.Document, committed Committed, module string,
) ([]*ir.Catalog, error) {
	r := &resolver{manifest: m, committed: committed, module: module}
	r.packages()
	var catalogs []*ir.Catalog
	for _, c := range m.Catalogs {
		catalogs = append(catalogs, r.catalog(c, docs[c.Name]))
	}
	if len(r.problems) > 0 {
		r.problems.Sort()
		return nil, slices.CompactFunc(r.problems, func(a, b spec.Problem) bool { return a == b })
	}
	return catalogs, nil
}

type resolver struct {
	manifest  *manifest.Manifest
	committed Committed
	module    string
	problems  spec.Problems
}

// bound is an operation with its decision.
type bound struct {
	catalog  *manifest.Catalog
	document *manifest.Document
	doc      *normalise.Document
	decision *manifest.Decision
	op       *normalise.Operation
}

func (r *resolver) problem(pos spec.Pos, rule, message, hint string) {
	r.problems = append(r.problems, spec.Problem{Pos: pos, Rule: rule, Message: message, Hint: hint})
}

func (r *resolver) catalog(c *manifest.Catalog, docs map[string]*normalise.Document) *ir.Catalog {
	r.shape(c)
	out := &ir.Catalog{
		Name: c.Name, Binding: c.Binding, Input: inputs[c.Binding], Result: results[c.Binding],
		RPC: c.RPC, Module: r.module,
		Limits: ir.Limits{
			Arguments: c.Limits.Arguments, Reply: c.Limits.Reply,
			ToolSchema: c.Limits.ToolSchema, CatalogSchemas: c.Limits.CatalogSchemas,
		},
	}
	sources := []string{r.manifest.File}
	var all []bound
	for _, d := range c.Documents {
		doc := docs[d.Name]
		if doc == nil {
			continue
		}
		sources = append(sources, doc.Files...)
		tools, excluded := r.decisions(c, d, doc)
		all = append(all, tools...)
		out.Excluded = append(out.Excluded, excluded...)
		out.Documents = append(out.Documents, document(c, d, doc, tools))
	}
	slices.Sort(sources)
	out.Sources = slices.Compact(sources)
	for _, b := range all {
		r.effect(b)
		r.scope(b)
		r.parameters(b)
		r.handler(b)
		r.support(b)
	}
	r.texts(all)
	r.names(c, all)
	r.renames(c, all)
	for _, b := range all {
		out.Operations = append(out.Operations, operation(b))
	}
	slices.SortFunc(out.Operations, func(a, b *ir.Operation) int { return strings.Compare(a.Tool, b.Tool) })
	return out
}

func document(c *manifest.Catalog, d *manifest.Document, doc *normalise.Document, tools []bound) *ir.Document {
	out := &ir.Document{Name: d.Name, Package: d.Name + "api", Server: d.Server, Security: doc.Security}
	for _, s := range doc.Schemes {
		out.Schemes = append(out.Schemes, ir.Scheme{Name: s.Name, In: s.In, Key: s.Key, Prefix: s.Prefix})
	}
	kept := map[string]bool{}
	for _, b := range tools {
		kept[b.op.Key] = true
	}
	// The tools of an http catalog are the server's operations; those of a handler
	// stand beside it, so that only the document has what is not offered as a tool.
	whole := d.Server && c.Binding == "handler"
	out.Bundle = doc.Bundle(func(op *normalise.Operation) bool { return whole || kept[op.Key] })
	return out
}
